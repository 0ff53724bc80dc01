#!/usr/bin/env bash
# venv.sh FOLDER PACKAGE..: a Python virtual environment with these packages.
# It is kept while the list of packages stays the same.
set -euo pipefail

folder=$1
shift
stamp=$folder/packages.txt
if [ "$(cat "$stamp" 2>/dev/null)" = "$*" ]; then
  exit 0
fi
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
echo "$*" >"$stamp"
