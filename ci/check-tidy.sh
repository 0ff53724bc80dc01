#!/usr/bin/env bash
# check-tidy.sh BUILD: fails when clang-tidy has something to say about a
# source file that this build folder compiles.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

git ls-files -z 'host/*.c' |
  xargs -0 -n 4 -P "$(nproc)" clang-tidy --quiet -p "$build" \
  2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
