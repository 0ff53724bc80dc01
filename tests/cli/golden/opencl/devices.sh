# shellcheck shell=sh
# The devices of this machine, of which one line stands for all.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi
try devices | mask_devices | uniq
