# shellcheck shell=sh
# The outputs of a model, where Constant and ConstantOfShape suffice.
models
try run --device cpu outputs.onnx
try run --device cpu outputs.onnx --json
try run --device cpu foreign.onnx
try run --device cpu foreign.onnx --json
try run --device cpu huge.onnx 2>&1 | sed 's/\(machine has\) [0-9]*/\1 N/'
try run --device cpu empty.onnx
