#!/usr/bin/env bash
# Fails unless each kernel file compiles alone as OpenCL C 1.2 without a
# warning, for each target that clang has.
set -euo pipefail
cd "$(dirname "$0")/.."

for kernel in kernels/*.cl; do
  for target in spir64 spir nvptx64 amdgcn x86_64; do
    clang -x cl -cl-std=CL1.2 -target "$target" -Wall -Wextra -Werror \
      -Xclang -finclude-default-header -fsyntax-only "$kernel"
  done
done
