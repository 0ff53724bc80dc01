# shellcheck shell=sh
# --dim and --shape: what they tell of inputs, and what is refused.
models
try list symbols.onnx --dim rank=2
try list symbols.onnx --dim rank=0
try list symbols.onnx --shape n=3
try list mixed.onnx --dim rows=4
try run --device cpu symbols.onnx --dim=rank=0
try load --device cpu --json symbols.onnx --shape n=0 --require-all | mask
try run --device cpu symbols.onnx --dim rank=2 -i n=3,4
for value in rank rank= =2 rank=x rank=1,2 rank=1.5; do
  try list symbols.onnx --dim "$value"
done
for value in rank=-1 rank=9223372036854775808 rows=1; do
  try list symbols.onnx --dim "$value"
done
try list symbols.onnx --dim rank=2 --dim rank=2
for value in n =2 n=x 'n=1,'; do
  try list symbols.onnx --shape "$value"
done
for value in n=-1 n=2,2 n= m=2; do
  try list symbols.onnx --shape "$value"
done
try list symbols.onnx --shape n=2 --shape n=2
try list symbols.onnx --shape n=2 --dim rank=3
try list symbols.onnx --dim rank=3 -i n=2,2
try list symbols.onnx --shape n=3 -i n=2,2
try fill --dtype uint8 --shape n=2
try fill --dtype uint8 --dim n=2
