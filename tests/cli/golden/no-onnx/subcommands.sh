# shellcheck shell=sh
# Without the reader of models there is what needs no model.
try --help
for subcommand in list load run test; do
  try "$subcommand" model.onnx
done
try fill --device cpu --dtype float --shape 1 -o out.pb
