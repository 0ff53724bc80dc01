#!/usr/bin/env bash
# venv.sh FOLDER PACKAGE..: a Python virtual environment with these packages.
# It is kept while the list of packages stays the same. Exit status 77: the
# packages cannot be had; FOLDER/reason.txt says why.
set -euo pipefail

folder=$1
shift
stamp=$folder/packages.txt
if [ "$(cat "$stamp" 2>/dev/null)" = "$*" ]; then
  exit 0
fi
rm -rf "$folder"
python3 -m venv "$folder"
if ! "$folder/bin/pip" install --quiet --disable-pip-version-check \
     --retries 2 "$@" 2>"$folder/pip.log"; then
  cat "$folder/pip.log" >&2
  echo "$* cannot be installed: $(tail -n 1 "$folder/pip.log")" \
    >"$folder/reason.txt"
  echo "SKIP: venv: $(cat "$folder/reason.txt")"
  exit 77
fi
echo "$*" >"$stamp"
