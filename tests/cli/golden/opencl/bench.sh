# shellcheck shell=sh
# What the benchmark prints of a device.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi
try bench --device opencl --size 240 | mask_rows
