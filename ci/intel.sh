#!/usr/bin/env bash
# intel.sh BUILD: runs the backend tests of this build folder on Intel's OpenCL
# runtime for CPUs, which comes from the Python package index.
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
./ci/backend.sh "$build" auto kernel driver native opencl opencl_targets \
  threads_opencl
