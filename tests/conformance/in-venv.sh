#!/usr/bin/env bash
# in-venv.sh FOLDER TEST.py ARGUMENT..: runs a test in a virtual environment
# that ci/venv.sh made; skips it, with the reason, where that could not.
set -euo pipefail

folder=$1
shift
if [ ! -e "$folder/packages.txt" ]; then
  reason=$(cat "$folder/reason.txt" 2>/dev/null || echo "$folder is missing")
  echo "SKIP: $(basename "$1"): $reason"
  exit 77
fi
# -B: no byte code beside the sources.
exec "$folder/bin/python" -B "$@"
