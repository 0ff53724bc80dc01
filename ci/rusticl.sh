#!/usr/bin/env bash
# rusticl.sh BUILD: runs the backend tests of this build folder on Mesa's
# rusticl, with llvmpipe as the device.
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
./ci/backend.sh "$build" auto kernel driver
