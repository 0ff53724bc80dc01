# shellcheck shell=sh
# -o DIR: one file per tensor, named by its number, and an index.
models
try load --device cpu mixed.onnx -o out | mask
ls out
cat out/index.json
try run --device cpu outputs.onnx -o out2
ls out2
cat out2/index.json
# The folder may be there.
try run --device cpu outputs.onnx -o out2
try run --device cpu outputs.onnx -o missing/out
try run --device cpu outputs.onnx -o text.onnx
try run --device cpu outputs.onnx -o text.onnx --json
mkdir full
ln -s /dev/full full/0001.pb
try run --device cpu outputs.onnx -o full
mkdir full2
ln -s /dev/full full2/index.json
try load --device cpu outputs.onnx -o full2
