#!/usr/bin/env bash
# check-exports.sh BUILD: fails on a symbol of the libraries in this build
# folder that is not this project's. The shared library exports exactly the
# functions that the headers mark with CLCONST_API.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

exported=$(nm -D --defined-only "$build/host/libclconst.so" |
           awk '{ print $3 }' | sort)
# The headers' functions, of the parts that this build has.
declared=$(grep -hA3 'CLCONST_API' include/clconst/*.h |
           grep -oE '\bclconst_[a-z0-9_]+\(' | tr -d '(' | sort -u)
foreign=$(comm -23 <(echo "$exported") <(echo "$declared"))
if [ -n "$foreign" ]; then
  printf 'check-exports: exported, but in no header:\n%s\n' "$foreign" >&2
  exit 1
fi
if [ "${2:-}" = --all ]; then
  missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
  if [ -n "$missing" ]; then
    printf 'check-exports: in a header, but not exported:\n%s\n' \
      "$missing" >&2
    exit 1
  fi
fi
foreign=$(nm -g --defined-only "$build/host/libclconst.a" |
          awk 'NF == 3 && $3 !~ /^clconst_/ { print $3 }')
if [ -n "$foreign" ]; then
  printf 'check-exports: global in the static library:\n%s\n' "$foreign" >&2
  exit 1
fi
