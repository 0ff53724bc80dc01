# shellcheck shell=sh
# Rank 0 and empty tensors are ordinary; dims are integers in decimal.
for shape in '' 0 1 2,3 0,5 +2 007 9223372036854775807,0; do
  try fill --device cpu --dtype int16 --shape "$shape"
done
for shape in -1 0,-1 2,-9223372036854775808 9223372036854775807,2; do
  try fill --device cpu --dtype int16 --shape "$shape"
done
for shape in 9223372036854775808 2,-9223372036854775809; do
  try fill --device cpu --dtype int16 --shape "$shape"
done
for shape in ',' '2,' ',2' '2,,3' ' 2' '2 ' 2x3 0x10 1.0 - a '[2]'; do
  try fill --device cpu --dtype int16 --shape "$shape"
done
