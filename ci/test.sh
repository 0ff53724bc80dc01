#!/usr/bin/env bash
# test.sh [--all]: builds and tests everything, and prints one line of totals.
# --all adds what takes long: other OpenCL implementations, ThreadSanitizer,
# sizes of gigabytes, valgrind, coverage and longer fuzzing. All it makes lies
# under build/ in this folder.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  '') all=no ;;
  --all) all=yes ;;
  *) echo "usage: $0 [--all]" >&2; exit 2 ;;
esac
./ci/setup.sh "$@"

# The tests are for PoCL. Other drivers have scripts of their own, and not every
# one that is installed takes being loaded beside a sanitizer.
pocl=/etc/OpenCL/vendors/pocl.icd
if [ -e "$pocl" ]; then
  export OCL_ICD_VENDORS=$pocl
fi

root="build/test"
passed=0
failed=0
skipped=0

# count RESULT NAME: one check more, and its result.
count() {
  case $1 in
    0) passed=$((passed + 1)); echo "== $2: passed" ;;
    77) skipped=$((skipped + 1)); echo "== $2: skipped" ;;
    *) failed=$((failed + 1)); echo "== $2: FAILED" ;;
  esac
}

# check NAME COMMAND..: a check that is no ctest test. Exit status 77 is a skip,
# with the reason in the output; of another, each line with a reason is a case
# that is skipped.
check() {
  local name=$1 result=0 output=$root/$1.output
  shift
  "$@" 2>&1 | tee "$output" || result=$?
  count "$result" "$name"
  if [ "$result" -ne 77 ]; then
    skipped=$((skipped + $(grep -c '^SKIP' "$output" || true)))
  fi
}

# attribute NAME FILE: a number from the head of a JUnit file.
attribute() {
  grep -oE "\b$1=\"[0-9]+\"" "$2" | head -1 | tr -dc '0-9'
}

# run_tests BUILD CTEST-ARGUMENT..: tests of a build folder, counted one by one.
# A test may skip some of its cases: each prints a line.
run_tests() {
  local build=$1 result=0 total bad left_out skips lines
  shift
  ctest --test-dir "$build" --output-on-failure \
    --output-junit "$PWD/$build/junit.xml" "$@" || result=$?
  skips=$(grep -h '^SKIP' "$build/Testing/Temporary/LastTest.log" || true)
  [ -z "$skips" ] || echo "$skips"
  total=$(attribute tests "$build/junit.xml")
  bad=$(attribute failures "$build/junit.xml")
  left_out=$(($(attribute skipped "$build/junit.xml") +
              $(attribute disabled "$build/junit.xml")))
  if [ "$result" -ne 0 ] && [ "$bad" -eq 0 ]; then
    bad=1
  fi
  passed=$((passed + total - bad - left_out))
  failed=$((failed + bad))
  lines=$(grep -c . <<<"$skips" || true)
  skipped=$((skipped + (lines > left_out ? lines : left_out)))
}

# configuration NAME TESTS CMAKE-ARGUMENT..: builds in its own folder and runs
# ctest; TESTS is "all", or "most" to leave the comparison with ONNX's tools, but
# for what sanitizers are to see, the faults of drivers and benchmarks to another
# configuration; or "threads". Tests of gigabytes are left out.
configuration() {
  local name=$1 tests=$2 result=0
  local build=$root/$1
  shift 2
  echo "== $name"
  cmake -S . -B "$build" -G Ninja -DCLCONST_WERROR=ON "$@" >"$root/$name.log" &&
    cmake --build "$build" >>"$root/$name.log" || result=$?
  if [ "$result" -ne 0 ]; then
    tail -n 40 "$root/$name.log"
    count 1 "$name: build"
    return
  fi
  count 0 "$name: build"
  local choice=(-LE large)
  case $tests in
    most) choice=(-LE '^(conformance|faults|large)$' -E '^cli_bench_') ;;
    threads) choice=(-L threads) ;;
  esac
  run_tests "$build" -j "$(nproc)" "${choice[@]}"
}

mkdir -p "$root"
check format ./ci/check-format.sh
check layers ./ci/check-layers.sh
check kernels ./ci/check-kernels.sh
check assembly ./ci/check-assembly.sh
check docs ./ci/check-docs.sh "$root/docs"

configuration release all -DCMAKE_C_COMPILER=gcc
check tidy ./ci/check-tidy.sh "$root/release"
check exports ./ci/check-exports.sh "$root/release" --all
configuration sanitize most -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
  "-DCLCONST_SANITIZE=address;undefined" \
  "-DCLCONST_VENV_DIR=$PWD/$root/release/venv"
configuration no-opencl most -DCMAKE_C_COMPILER=gcc -DCLCONST_OPENCL=OFF
configuration no-onnx most -DCMAKE_C_COMPILER=clang -DCLCONST_ONNX=OFF
check fuzz ./ci/fuzz.sh 10
check oclgrind ./ci/oclgrind.sh "$root/release"

if [ "$all" = yes ]; then
  configuration threads threads -DCMAKE_C_COMPILER=clang \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCLCONST_SANITIZE=thread
  check rusticl ./ci/rusticl.sh "$root/release"
  check intel ./ci/intel.sh "$root/release"
  echo "== large"
  run_tests "$root/release" -L large
  check valgrind ./ci/valgrind.sh
  check coverage ./ci/coverage.sh
  check fuzz-longer ./ci/fuzz.sh 60
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
