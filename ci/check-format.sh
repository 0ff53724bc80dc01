#!/usr/bin/env bash
# Fails when clang-format would change a C or OpenCL C file, or when shellcheck
# has something to say about a script.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -z '*.c' '*.h' '*.cl' '*.clh' | xargs -0 clang-format --dry-run -Werror
git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck
