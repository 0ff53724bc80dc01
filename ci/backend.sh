#!/usr/bin/env bash
# backend.sh BUILD PATH..: runs the backend tests of this build folder on the
# OpenCL device that the environment shows, by these fill paths. Exit status
# 77: there is no device.
set -euo pipefail
build=$(cd "$1" && pwd)
shift

export CLCONST_TEST_DEVICE=opencl
export CK_DEFAULT_TIMEOUT=300
status=0
# try NAME PROGRAM: runs it and keeps the worst status.
try() {
  local result=0
  "$build/tests/$2" || result=$?
  echo "$1: exit status $result"
  if [ "$result" -ne 0 ] && [ "$status" -ne 1 ]; then
    status=$result
  fi
}

for path in "$@"; do
  CLCONST_TEST_PATH=$path try "backend, $path" test_backend
done
try opencl test_opencl
exit "$status"
