#!/usr/bin/env bash
# rusticl.sh BUILD: runs the backend tests of this build folder on Mesa's
# rusticl, with llvmpipe as the device. A launch takes 12 ms of processor time
# there, so that long loops try a part of their cases.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

vendor=/etc/OpenCL/vendors/rusticl.icd
if [ ! -e "$vendor" ]; then
  echo "SKIP: rusticl is not installed"
  exit 77
fi
export OCL_ICD_VENDORS=$vendor RUSTICL_ENABLE=llvmpipe \
  MESA_SHADER_CACHE_DISABLE=true
export CLCONST_TEST_CASE_STEP=13
./ci/backend.sh "$build" opencl opencl_targets threads_opencl \
  auto kernel driver faults_choices faults_events faults_quirks faults_keys
