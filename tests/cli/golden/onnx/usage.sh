# shellcheck shell=sh
# Options of the subcommands that read models, each once right and once wrong.
models
for subcommand in list load run; do
  try "$subcommand"
  try "$subcommand" missing.onnx
  try "$subcommand" --json missing.onnx
  try "$subcommand" .
  try "$subcommand" text.onnx
  try "$subcommand" cut.onnx
  try "$subcommand" empty.onnx outputs.onnx
  try "$subcommand" outputs.onnx --strict --lenient
  try "$subcommand" outputs.onnx --shape x=1
  try "$subcommand" outputs.onnx --dtype float
  try "$subcommand" outputs.onnx -i
done
try list outputs.onnx --device cpu
try list outputs.onnx --verify
try list outputs.onnx -o out
try run outputs.onnx --verify
try run outputs.onnx --require-all
try run --device cpu -- outputs.onnx
try run outputs.onnx --device cpu
