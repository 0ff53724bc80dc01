# shellcheck shell=sh
# Without a device the CPU engine serves, which is noted; asking for one fails.
try fill --dtype uint8 --shape 1
try fill --device auto --json --dtype uint8 --shape 1
for device in opencl opencl:0.0 GeForce ''; do
  try fill --device "$device" --dtype uint8 --shape 1
done
try fill --device opencl --json --dtype uint8 --shape 1

# A failure is one line, with no note beside it.
try fill --dtype uint8 --shape 1 -o missing/out.bin
