#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET..]: builds the fuzz targets with clang and runs each,
# or those named, for so long, as many at once as there are processors. What
# they find out lies under build/fuzz/, where the next run goes on; an input
# that breaks a promise is kept as TARGET/crash-* and the exit status is 1.
set -euo pipefail
cd "$(dirname "$0")/.."

export seconds=$1 sources=$PWD/tests/fuzz build=$PWD/build/fuzz
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for file in "$sources"/fuzz_*.c; do
    target=${file##*/fuzz_}
    targets+=("${target%.c}")
  done
fi

mkdir -p "$build"
# Debug, so that assertions hold as well; optimized, so that much is tried.
if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER="${CC:-clang}" \
         -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-g -O1" \
         -DCLCONST_BUILD_CLI=OFF -DCLCONST_OPENCL=OFF -DCLCONST_WERROR=ON \
         "-DCLCONST_SANITIZE=fuzzer-no-link;address;undefined" &&
       cmake --build "$build" --target fuzz; } >"$build/build.log" 2>&1; then
  tail -n 40 "$build/build.log"
  exit 1
fi

# run TARGET: an input may take twenty seconds, and the process two gigabytes; the
# targets themselves hold the library to less.
run() {
  local folder=$build/$1 dictionary=onnx result=0
  case $1 in
    external) dictionary=paths ;;
    npy | value) dictionary=text ;;
  esac
  mkdir -p "$folder/corpus"
  "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
    -dict="$sources/$dictionary.dict" -artifact_prefix="$folder/" \
    "$folder/corpus" "$sources/corpus/$1" >"$folder/log" 2>&1 || result=$?
  if [ "$result" -ne 0 ]; then
    tail -n 60 "$folder/log"
    echo "fuzz $1: FAILED"
    return 1
  fi
  echo "fuzz $1:" "$(grep -oP '^stat::number_of_executed_units: *\K[0-9]+' \
                        "$folder/log") inputs"
}
export -f run

# "$1" is for the inner shell.
# shellcheck disable=SC2016
printf '%s\n' "${targets[@]}" |
  xargs -P "$(nproc)" -n 1 bash -c 'set -euo pipefail; run "$1"' run
