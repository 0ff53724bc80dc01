#!/usr/bin/env bash
# valgrind.sh: runs a chosen set of tests under valgrind's memcheck: all that
# reads files and all that writes on the CPU, and the program on both engines.
# Any invalid access, use of undefined bytes or lost block makes it fail.
# Suppressions are for drivers only: tests/valgrind.supp.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$PWD/build/valgrind
mkdir -p "$build/pocl-cache"
if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=gcc \
         -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-g -O1" &&
       cmake --build "$build"; } >"$build/build.log" 2>&1; then
  tail -n 40 "$build/build.log"
  exit 1
fi

# tests/valgrind.supp is for PoCL.
if [ -e /etc/OpenCL/vendors/pocl.icd ]; then
  export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
fi
# Each test of Check is a child, which valgrind follows and judges at its end.
export CK_DEFAULT_TIMEOUT=900
export POCL_CACHE_DIR=$build/pocl-cache XDG_CACHE_HOME=$build/pocl-cache
memcheck=(valgrind --quiet --error-exitcode=99 --leak-check=full
          "--show-leak-kinds=definite,indirect"
          "--errors-for-leak-kinds=definite,indirect"
          --suppressions="$PWD/tests/valgrind.supp")

failed=0
# check NAME COMMAND..
check() {
  local name=$1 log=$build/$1.log
  shift
  if "$@" >"$log" 2>&1; then
    echo "valgrind $name: passed"
  else
    tail -n 60 "$log"
    echo "valgrind $name: FAILED"
    failed=1
  fi
}

# Large fills are left out: what they do under valgrind they do when small.
for suite in base shape pattern op sparse plan batch duplicates region; do
  check "core_$suite" env CK_RUN_SUITE="$suite" "${memcheck[@]}" \
    "$build/tests/test_core"
done
for suite in tensor sparse node model file location external bindings \
             resolution write; do
  check "onnx_$suite" env CK_RUN_SUITE="onnx $suite" "${memcheck[@]}" \
    "$build/tests/test_onnx"
done
check onnx_copy "${memcheck[@]}" "$build/tests/test_onnx_copy"
check batch env CLCONST_TEST_DEVICE=cpu CK_RUN_SUITE=batch "${memcheck[@]}" \
  "$build/tests/test_backend"
mkdir -p "$build/models"
python3 -B tests/cli/models.py "$build/models"
clconst=("${memcheck[@]}" "$build/host/cli/clconst")
check list "${clconst[@]}" list "$build/models/mixed.onnx"
for device in cpu opencl; do
  check "load_$device" "${clconst[@]}" load --verify --device "$device" \
    "$build/models/outputs.onnx"
done
check unload "${memcheck[@]}" \
  "$build/tests/test_unload" "$build/host/libclconst.so"
# Ends with an engine, a tensor and a program that nobody has given back.
check exit "${memcheck[@]}" "$build/tests/test_exit"
exit "$failed"
