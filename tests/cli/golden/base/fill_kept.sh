# shellcheck shell=sh
# A write that fails leaves what was at the path, and nothing beside it.
try fill --device cpu --dtype uint8 --value 1 --shape 4 -o k.bin
(
  trap '' XFSZ
  ulimit -f 200
  try fill --device cpu --dtype uint8 --value 2 --shape 1000000 -o k.bin
)
ls ./*.bin*
od -An -tx1 k.bin
try fill --device cpu --dtype uint8 --value 3 --shape 2 -o k.bin
ls ./*.bin*
od -An -tx1 k.bin
