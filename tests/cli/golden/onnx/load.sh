# shellcheck shell=sh
# All constants in one batch; what is left out, and when that is a failure.
models
try load --device cpu mixed.onnx | mask
try load --device cpu --json mixed.onnx --verify -i n=2,3 | mask
try load --device cpu mixed.onnx --verify -i n=2,3 --require-all | mask
try load --device cpu mixed.onnx --require-all | mask
try load --device cpu mixed.onnx --require-all --json | mask
try load --device cpu invalid.onnx | mask
try load --device cpu invalid.onnx --json | mask
try load --device cpu empty.onnx | mask
try load --device cpu repeated.onnx --all | mask
try load --device cpu repeated.onnx --all --share --verify | mask
try load --device cpu outputs.onnx --verify | mask
try load --device cpu huge.onnx 2>&1 | sed 's/allocation is [0-9]*/allocation is N/'
