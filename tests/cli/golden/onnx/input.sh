# shellcheck shell=sh
# -i NAME=VALUE: lists and files, each right and wrong.
models
for value in n=2,3 n= n=0 n=007,+1; do
  try run --device cpu from_input.onnx -i "$value"
done
try run --device cpu from_input.onnx --input=n=5
for value in n 'n=2,' n=x n=1.5 =2 '' n=@ n=@file n=@file.txt; do
  try run --device cpu from_input.onnx -i "$value" -i n=1
done
for value in n=9223372036854775808 n=-1 n=4611686018427387904,2 m=1 N=1 \
  n=@missing.npy n=@missing.pb; do
  try run --device cpu from_input.onnx -i "$value"
done
try run --device cpu from_input.onnx
try run --json --device cpu from_input.onnx -i n=-1

# Files that this program wrote; a float is no shape.
"$CLCONST" fill --device cpu --dtype int64 --value 3 --shape 2 -o n.npy
"$CLCONST" fill --device cpu --dtype int64 --value 3 --shape 2 -o n.pb
"$CLCONST" fill --device cpu --dtype float --value 3 --shape 2 -o f.npy
"$CLCONST" fill --device cpu --dtype int64 --value 3 --shape 1,2 -o r.npy
for value in n=@n.npy n=@n.pb n=@f.npy n=@r.npy; do
  try run --device cpu from_input.onnx -i "$value"
done
cp text.onnx text.pb
cp text.onnx text.npy
for value in n=@text.npy n=@text.pb; do
  try run --device cpu from_input.onnx -i "$value"
done
