# shellcheck shell=sh
# NumPy's names are taken beside ONNX's; there are no others.
for dtype in float32 float64 float double uint8 Float FLOAT half float128 '' 1
do
  try fill --device cpu --dtype "$dtype" --shape 1
done
