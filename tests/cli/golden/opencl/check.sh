# shellcheck shell=sh
# The page for bug reports, of a device.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi
try check --device opencl | mask_page
