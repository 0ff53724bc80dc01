# shellcheck shell=sh
# Every kind of constant, with and without the input that one needs.
models
try list mixed.onnx
try list --json mixed.onnx
try list mixed.onnx -i n=3,4
try list symbols.onnx
try list empty.onnx
try list --json empty.onnx
try list invalid.onnx
try list huge.onnx
try list mixed.onnx --sort bytes
try list mixed.onnx --sort=name --json
for key in number scope op_type dtype storage; do
  try list mixed.onnx --sort "$key"
done
try list mixed.onnx --sort size
try list long.onnx
try list long.onnx --all --sort bytes
try list page.onnx
