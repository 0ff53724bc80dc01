#!/usr/bin/env bash
# Fails on an include that runs against the order of the layers:
# base <- core <- {onnx, backend}; cli includes public headers only; OpenCL's
# headers are for backend/opencl, clconst_opencl.h and two subcommands alone.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
# forbid PATTERN FOLDER..: no #include line in these folders may match.
forbid() {
  local pattern=$1
  shift
  if grep -rnE "#include [<\"]($pattern)" "$@"; then
    echo "check-layers: an include above must not be in $*" >&2
    status=1
  fi
}

forbid '(core|onnx|backend|cli)/' host/base
forbid '(onnx|backend|cli)/' host/core
forbid '(backend|cli)/' host/onnx
forbid '(onnx|cli)/' host/backend
forbid '(base|core|onnx|backend)/' host/cli
forbid 'opencl/|CL/|clconst/clconst_opencl' \
  host/base host/core host/onnx host/backend/cpu \
  host/backend/*.c host/backend/*.h
# The program's self-test and benchmark fill buffers of their own.
mapfile -t without_opencl < <(find host/cli -name '*.[ch]' \
  ! -name 'bench_opencl*' ! -name 'check_opencl*')
forbid 'opencl/|CL/|clconst/clconst_opencl' "${without_opencl[@]}"
forbid 'CL/' include/clconst/clconst.h include/clconst/clconst_model.h
if git grep -nE '#[[:space:]]*(if|ifdef|elif).*CLCONST_WITH_OPENCL' -- host |
   grep -v '^host/backend/engine.c:'; then
  echo "check-layers: only backend/engine.c may ask for OpenCL" >&2
  status=1
fi
exit "$status"
