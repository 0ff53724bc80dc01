#!/usr/bin/env bash
# backend.sh BUILD TEST..: runs tests of this build folder on the OpenCL device
# that the environment shows, side by side. A TEST is a fill path, by which
# test_backend fills, faults_ and a suite of test_faults, or another program's
# name without test_. Exit status 77: there is no device, or none of the tests
# can run on it.
set -euo pipefail
build=$(cd "$1" && pwd)
shift

export CLCONST_TEST_DEVICE=opencl
export CK_DEFAULT_TIMEOUT=300
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT

# run NAME: runs the test, keeps what it says, and writes its exit status.
run() {
  local result=0
  case $1 in
    auto | kernel | driver | native)
      CLCONST_TEST_PATH=$1 "$build/tests/test_backend" ;;
    faults_*)
      CK_FORK=no CK_RUN_SUITE=${1#faults_} \
        OPENCL_LAYERS=$build/tests/libclconst_layer.so \
        "$build/tests/test_faults" ;;
    *) "$build/tests/test_$1" ;;
  esac >"$output/$1.log" || result=$?
  echo "$result" >"$output/$1.status"
}

for test in "$@"; do
  while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do
    wait -n
  done
  run "$test" &
done
wait

status=77
for test in "$@"; do
  result=$(cat "$output/$test.status")
  cat "$output/$test.log"
  echo "$test: exit status $result"
  case $result in
    0) [ "$status" -ne 77 ] || status=0 ;;
    77) ;;
    *) status=1 ;;
  esac
done
exit "$status"
