#!/usr/bin/env bash
# setup.sh [--all]: installs the Debian packages that building and testing need;
# with --all those too that ./ci/test.sh --all needs. Packages that are there
# already are left alone; with nothing missing it needs no root.
set -euo pipefail

packages=(
  binutils
  ca-certificates
  check
  clang
  clang-format
  clang-tidy
  cmake
  doxygen
  dpkg-dev
  file
  g++
  gcc
  gcovr
  git
  libc6-dev
  libclang-rt-14-dev
  libjansson-dev
  libnanopb-dev
  libsubunit-dev
  mandoc
  nanopb
  nettle-dev
  ninja-build
  ocl-icd-opencl-dev
  oclgrind
  opencl-headers
  pkg-config
  pocl-opencl-icd
  protobuf-compiler
  python3
  python3-venv
  shellcheck
  strace
  zsh
  valgrind
)

# Mesa's rusticl, which ./ci/rusticl.sh uses.
if [ "${1:-}" = --all ]; then
  packages+=(mesa-opencl-icd)
fi

missing=()
for package in "${packages[@]}"; do
  if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" \
       != installed ]; then
    missing+=("$package")
  fi
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
echo "setup: installing ${missing[*]}"
if [ "$(id -u)" -ne 0 ]; then
  echo "setup: run as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
