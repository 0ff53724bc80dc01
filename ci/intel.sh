#!/usr/bin/env bash
# intel.sh BUILD: runs the backend tests of this build folder on Intel's OpenCL
# runtime for CPUs, which comes from the Python package index. It allocates half
# of the memory at once, so that the kernels go past 4 GiB here.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

venv=$build/intel
# The second one has the mathematical functions that the first one links.
./ci/venv.sh "$venv" intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0
library=$(find "$venv" -name libintelocl.so | head -1)
if [ -z "$library" ]; then
  echo "intel: the package has no libintelocl.so" >&2
  exit 1
fi
# The library finds its own beside it; the folder holds an ICD loader too.
export OCL_ICD_VENDORS=$library
./ci/backend.sh "$build" opencl opencl_targets threads_opencl \
  auto kernel driver native \
  faults_choices faults_events faults_limits faults_quirks faults_keys \
  faults_allocations
CLCONST_TEST_PATH=kernel \
  ./ci/backend.sh "$build" large large_targets large_opencl
