#!/usr/bin/env bash
# coverage.sh: builds without OpenCL and with gcc's counters, runs the tests, and
# reports what of host/base, host/core and host/onnx they take:
# build/coverage/report.txt, and html/index.html with each line. The exit status
# is 1 below 95 % of the branches.
#
# Branches of an assertion that is broken do not count, since no input can take
# them. What else is not taken, and why:
#
# - sums of sizes that overflow behind checks of their parts (core/arena.c,
#   base/alloc.c, base/storage.c): the parts would have to fill memory;
# - loops and steps after an earlier failure, where the failures that tests make
#   come sooner or later (`status == CLCONST_OK` in onnx/);
# - limits of folding that a test would meet only after seconds or with
#   gigabytes (2^20 causes, 1,024 dims of each of many facts);
# - calls of the system that do not fail on a file that is open (strerror_r,
#   sysconf);
# - a hash that two names share (onnx/names.c);
# - switches over all members of an enumeration, which have no other.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/coverage
mkdir -p "$build"
if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=gcc \
         -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-g -O0 --coverage" \
         -DCLCONST_OPENCL=OFF &&
       cmake --build "$build"; } >"$build/build.log" 2>&1; then
  tail -n 40 "$build/build.log"
  exit 1
fi
find "$build" -name '*.gcda' -delete
# Without what only fills memory or tells the time: that is slow here, and no
# part of what is measured.
run_tests() {
  local failed=0
  ctest --test-dir "$build" -j "$(nproc)" --timeout 1500 --output-on-failure \
    -L '^(unit|backend|cli|faults|conformance)$' -E '^(core|cli_bench.*)$' ||
    failed=1
  for suite in base shape pattern op sparse plan batch duplicates region; do
    CK_RUN_SUITE=$suite CK_DEFAULT_TIMEOUT=300 "$build/tests/test_core" ||
      failed=1
  done
  return "$failed"
}
result=0
run_tests >"$build/tests.log" 2>&1 || result=$?
if [ "$result" -ne 0 ]; then
  tail -n 60 "$build/tests.log"
  exit 1
fi
mkdir -p "$build/html"
gcovr --root . --object-directory "$build" --gcov-executable gcov \
  --filter 'host/(base|core|onnx)/' --exclude-unreachable-branches \
  --exclude-branches-by-pattern '.*\bassert\(.*' \
  --txt "$build/report.txt" --html-details "$build/html/index.html" \
  --branches --fail-under-branch 95 --print-summary "$build" || result=$?
cat "$build/report.txt"
exit "$result"
