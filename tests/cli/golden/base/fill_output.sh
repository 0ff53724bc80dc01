# shellcheck shell=sh
# -o chooses the format by the extension.
try fill --device cpu --dtype int16 --value -2 --shape 2,2 -o out.bin
od -An -v -tx1 out.bin
try fill --device cpu --dtype bool --value true --shape 2 -o out.npy
od -An -v -c out.npy
try fill --device cpu --dtype float --shape '' --output=scalar.npy
od -An -v -c scalar.npy
try fill --device cpu --dtype complex128 --shape 0,3 -o empty.npy
od -An -v -c empty.npy
try fill --device cpu --dtype float8e5m2 --value 1 --shape 3 -o narrow.bin
od -An -v -tx1 narrow.bin

# Formats that lack a dtype, or are none.
try fill --device cpu --dtype bfloat16 --shape 2 -o out.npy
try fill --device cpu --dtype int4 --shape 2 -o out.npy
for path in out.txt out .npy out.NPY npy; do
  try fill --json --device cpu --dtype float --shape 2 -o "$path" 2>&1 |
    sed 's/must be \.[^"]*/must be X/'
done

# Files that cannot be written.
try fill --device cpu --dtype float --shape 2 -o missing/out.bin
mkdir folder.bin
try fill --device cpu --dtype float --shape 2 -o folder.bin
ln -s /dev/full full.bin
ln -s /dev/full full.npy
try fill --device cpu --dtype float --shape 2 -o full.bin
try fill --device cpu --dtype float --shape 2 -o full.npy
try fill --json --device cpu --dtype float --shape 2 -o full.bin
