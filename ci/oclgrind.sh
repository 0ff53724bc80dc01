#!/usr/bin/env bash
# oclgrind.sh BUILD: runs the backend tests of this build folder in Oclgrind,
# which must find no invalid access, no race, no use of uninitialized values and
# no misuse of the API. It runs kernels in an interpreter, so that sizes are
# small and long loops try a part of their cases.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

library=/usr/lib/oclgrind/liboclgrind-rt-icd.so
if [ ! -e "$library" ]; then
  echo "SKIP: Oclgrind is not installed"
  exit 77
fi
log=$build/oclgrind.log
export OCL_ICD_VENDORS=$library OCLGRIND_CHECK_API=1 \
  OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1
# Without it each of the host's writes leads to false reports.
export OPENCL_LAYERS=$build/tests/libclconst_oclgrind_layer.so
export CLCONST_TEST_SIZE_MAX=8192 CLCONST_TEST_CASE_STEP=7

# The checks see a byte that nobody wrote, and pass one that the host wrote.
"$build/tests/oclgrind_control" 8 2>"$log"
if [ -s "$log" ]; then
  cat "$log"
  echo "oclgrind: its layer is not there" >&2
  exit 1
fi
for byte in 7 12; do
  "$build/tests/oclgrind_control" "$byte" 2>"$log"
  if ! grep -q 'depends on uninitialized value' "$log"; then
    echo "oclgrind: uninitialized values are not seen" >&2
    exit 1
  fi
done

# Its own exit status does not tell of errors; what it prints does. OCLGRIND_LOG
# would not serve: each process, and so each test, begins that file anew.
# Tests of failing events skip where they ask for the platform; no test calls
# OpenCL 2.0 or later.
status=0
echo "SKIP: tests of threads: Oclgrind is not safe for threads"
./ci/backend.sh "$build" kernel opencl opencl_targets \
  2>"$log" || status=$?
if [ -s "$log" ]; then
  cat "$log"
  echo "oclgrind: the log is not empty" >&2
  exit 1
fi
exit "$status"
