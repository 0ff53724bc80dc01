#!/usr/bin/env bash
# run.sh SAYS PROGRAM ARGUMENT..: runs an example; its output, in one line, must
# be SAYS.
set -euo pipefail

result=0
said=$("${@:2}") || result=$?
if [ "$result" -eq 77 ]; then
  echo "$said"
  exit 77
fi
said=$(echo "$said" | paste -sd ' ')
if [ "$result" -ne 0 ] || [ "$said" != "$1" ]; then
  echo "FAIL: $2 said \"$said\" and ended with $result; it must say \"$1\"" >&2
  exit 1
fi
