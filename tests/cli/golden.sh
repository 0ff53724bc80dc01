#!/usr/bin/env bash
# golden.sh [--bless] PROGRAM FOLDER..: runs the cases of these folders.
#
# A case is NAME.sh, in which `try WORD..` runs the program; NAME.txt is what
# all its runs print: the words, standard output, standard error after "2> ",
# and the exit status. --bless writes NAME.txt instead; read the difference
# before you commit it. Each case has a fresh working folder. A case that calls
# `skip REASON` is skipped. Exit status: 0 passed, 1 failed, 77 all skipped.
set -uo pipefail

bless=0
if [ "${1:-}" = --bless ]; then
  bless=1
  shift
fi
program=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

export CLCONST=$program
export HERE=$here
export PYTHON=${PYTHON:-python3}
export LC_ALL=C

passed=0
failed=0
skipped=0

run_case() {
  local case=$1 expected=${1%.sh}.txt name result=0
  name=$(basename "$(dirname "$case")")/$(basename "$case" .sh)
  rm -rf "$scratch/work"
  mkdir "$scratch/work"
  (cd "$scratch/work" &&
    sh -c '. "$0"; . "$1"' "$here/try.sh" "$case") \
    >"$scratch/actual" 2>"$scratch/problem" </dev/null || result=$?
  if [ "$result" -eq 77 ]; then
    skipped=$((skipped + 1))
    echo "SKIP: $name: $(tail -n 1 "$scratch/actual")"
  elif [ "$result" -ne 0 ] || [ -s "$scratch/problem" ]; then
    failed=$((failed + 1))
    echo "FAIL: $name: the case itself ended with $result"
    cat "$scratch/problem"
  elif [ "$bless" -eq 1 ]; then
    cp "$scratch/actual" "$expected"
    passed=$((passed + 1))
  elif diff -u --label expected --label actual "$expected" "$scratch/actual"
  then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL: $name"
  fi
}

for folder in "$@"; do
  for case in "$(realpath "$folder")"/*.sh; do
    run_case "$case"
  done
done

echo "$passed passed, $failed failed, $skipped skipped"
if [ "$failed" -gt 0 ]; then
  exit 1
elif [ "$passed" -eq 0 ] && [ "$skipped" -gt 0 ]; then
  exit 77
fi
