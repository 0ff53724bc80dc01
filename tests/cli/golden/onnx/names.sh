# shellcheck shell=sh
# Names may hold any bytes: JSON stays UTF-8, and terminals get no controls.
models
try list odd_names.onnx
try list --json odd_names.onnx
try load --device cpu odd_names.onnx -o out | mask
ls out
cat out/index.json
