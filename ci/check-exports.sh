#!/usr/bin/env bash
# check-exports.sh BUILD [--all]: fails on a symbol of the libraries in this
# build folder that is not this project's. The shared library exports functions
# that the headers mark with CLCONST_API and the export map lists, no others;
# with --all, of a build with all parts, every one of them. Nothing runs when the
# library is loaded, unloaded or the process ends.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

status=0
# forbid WHAT LINES: the lines must be empty.
forbid() {
  if [ -n "$2" ]; then
    printf 'check-exports: %s:\n%s\n' "$1" "$2" >&2
    status=1
  fi
}

exported=$(nm -D --defined-only "$build/host/libclconst.so" |
           awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u)
declared=$(grep -hA3 'CLCONST_API' include/clconst/*.h |
           grep -oE '\bclconst_[a-z0-9_]+\(' | tr -d '(' | sort -u)
mapped=$(grep -oE '^ +clconst_[a-z0-9_]+;' host/package/clconst.map |
         tr -d ' ;' | sort -u)

forbid 'exported, but in no header' \
  "$(comm -23 <(echo "$exported") <(echo "$declared"))"
forbid 'exported, but not clconst_' "$(grep -v '^clconst_' <<<"$exported")"
forbid 'in a header, but not in the export map' \
  "$(comm -23 <(echo "$declared") <(echo "$mapped"))"
forbid 'in the export map, but in no header' \
  "$(comm -13 <(echo "$declared") <(echo "$mapped"))"
if [ "${2:-}" = --all ]; then
  forbid 'in a header, but not exported' \
    "$(comm -13 <(echo "$exported") <(echo "$declared"))"
fi
forbid 'global in the static library' \
  "$(nm -g --defined-only "$build/host/libclconst.a" |
     awk 'NF == 3 && $3 !~ /^clconst_/ { print $3 }')"
# An OpenCL driver may be gone before the library is.
forbid 'a constructor or destructor in the static library' \
  "$(objdump -h "$build/host/libclconst.a" |
     grep -E '[.]((pre)?init|fini)(_array)?\b|[.][cd]tors\b')"
forbid 'called at the end of a process or thread, or at a fork' \
  "$(nm -u "$build/host/libclconst.a" |
     grep -E '\b(_*cxa_)?(thread_)?atexit|\bon_exit|_atfork|_key_create')"
exit "$status"
