#!/usr/bin/env bash
# check-docs.sh FOLDER: makes the reference of the public headers in FOLDER/html
# with Doxygen. Fails on a warning, on a function, type or macro without a
# comment, on a member of a struct that neither its own comment nor the struct's
# names, and on a function whose comment leaves out what reference.py asks for.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

CLCONST_VERSION=$(sed -nE \
  's/^#define CLCONST_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' \
  include/clconst/clconst.h | paste -sd .)
export CLCONST_VERSION
export CLCONST_DOCS_DIR=$folder
doxygen ci/Doxyfile
python3 -B ci/reference.py "$folder/xml"
