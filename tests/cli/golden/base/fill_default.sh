# shellcheck shell=sh
# Without --value the element is zero, unless the dtype has none.
for dtype in float float16 int4 bool complex128 float4e2m1 float8e8m0 string; do
  try fill --device cpu --dtype "$dtype" --shape 3
done
