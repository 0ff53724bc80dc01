#!/usr/bin/env bash
# files.sh: prints the paths of files.txt for one build, sorted. The environment
# has its VERSION, its LIBDIR below the prefix, its CONFIG, which is the build
# type in lower case, and its PARTS.
set -euo pipefail
sed -n "s/^\(${PARTS// /\\|}\) //p" "$(dirname "$0")/files.txt" |
  sed "s|@LIBDIR@|$LIBDIR|; s|@CONFIG@|$CONFIG|; s|@VERSION@|$VERSION|
       s|@MAJOR@|${VERSION%%.*}|" | LC_ALL=C sort
