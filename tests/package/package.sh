#!/usr/bin/env bash
# package.sh KIND SOURCE PREFIX WORK: builds the outside program in one way
# against what is installed in PREFIX, and runs it; then takes away what that
# way needs and expects a failure. SOURCE is clconst's checkout, WORK a scratch
# folder. CC, CXX and CMAKE name the tools.
set -euo pipefail

kind=$1
source=$2
prefix=$3
work=$4
here=$(cd "$(dirname "$0")" && pwd)
consumer=$here/consumer/consumer.c
version=$(sed -nE \
  's/^#define CLCONST_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' \
  "$source/include/clconst/clconst.h" | paste -sd .)
warnings=(-Wall -Wextra -Wpedantic -Werror)

fail() {
  echo "FAIL: package $kind: $*" >&2
  exit 1
}

# libdir PREFIX: the folder of its libraries, whatever GNUInstallDirs calls it.
libdir() {
  dirname "$(find "$1" -name libclconst.a)"
}

# found PREFIX WANTED LIBRARY: builds with find_package.
found() {
  rm -rf build
  "$CMAKE" -S "$here/consumer" -B build -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_PREFIX_PATH="$1" -DWANTED="$2" -DLIBRARY="$3" \
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF &&
    "$CMAKE" --build build && mv build/consumer .
}

# subproject SOURCE: builds with add_subdirectory, in the least that there is.
subproject() {
  rm -rf build
  "$CMAKE" -S "$here/parent" -B build -DCMAKE_C_COMPILER="$CC" \
    -DCLCONST="$1" -DCLCONST_ONNX=OFF -DCLCONST_OPENCL=OFF &&
    "$CMAKE" --build build --parallel 2 && mv build/consumer .
}

# described PREFIX SOURCE [PACKAGE..]: builds with pkg-config.
described() {
  local flags
  flags=$(PKG_CONFIG_PATH="$(find "$1" -name pkgconfig)" \
          pkg-config --cflags --libs "clconst = $version" "${@:3}") &&
    read -ra flags <<<"$flags" &&
    "$CC" "${warnings[@]}" -o consumer "$2" "${flags[@]}"
}

# alone PREFIX: the static library by its name, with what clconst.pc says that
# it needs, and no shared library beside it.
alone() {
  local flags
  flags=$(PKG_CONFIG_PATH="$(find "$1" -name pkgconfig)" \
          pkg-config --static --libs clconst) &&
    read -ra flags <<<"${flags//-lclconst/}" &&
    "$CC" "${warnings[@]}" -I"$1/include" -o consumer "$consumer" \
      "$(find "$1" -name libclconst.a)" "${flags[@]}"
}

# cxx PREFIX: a C++ compiler that is told nothing but folders and a library.
cxx() {
  "$CXX" -x c++ -std=c++11 "${warnings[@]}" -I"$1/include" -o consumer \
    "$consumer" -L"$(libdir "$prefix")" -lclconst
}

# runs: the program that was built says what it should.
runs() {
  local said
  said=$(LD_LIBRARY_PATH=$(libdir "$prefix") ./consumer) ||
    fail "the program ended with $?"
  [ "$said" = "$version 7 " ] || fail "the program said \"$said\""
}

# refuses WHAT COMMAND..: fails, as it must.
refuses() {
  local what=$1
  shift
  rm -f consumer
  if "$@" >refused.txt 2>&1; then
    fail "builds also with $what"
  fi
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cp -a "$prefix" without

case $kind in
  find_package)
    found "$prefix" "$version" clconst
    runs
    found "$prefix" "" static
    runs
    refuses 'a version from the future' found "$prefix" 99 clconst
    rm -r without/lib*/cmake
    refuses 'no config file' found "$work/without" "" clconst ;;
  add_subdirectory)
    subproject "$source"
    runs
    "$CMAKE" --install build --prefix installed
    [ ! -e installed ] || fail 'clconst installs itself into its parent'
    mkdir source
    cp -r "$source"/{CMakeLists.txt,host,include,kernels} source
    sed -i '/clconst::clconst ALIAS/d' source/host/CMakeLists.txt
    refuses 'no clconst::clconst' subproject "$work/source" ;;
  pkg_config)
    described "$prefix" "$consumer"
    runs
    mv without moved
    described "$work/moved" "$consumer"
    runs
    find moved -name clconst.pc -delete
    refuses 'no clconst.pc' described "$work/moved" "$consumer" ;;
  static)
    alone "$prefix"
    if readelf -d consumer | grep -q 'NEEDED.*clconst'; then
      fail 'the program needs the shared library'
    fi
    runs
    find without -name libclconst.a -delete
    refuses 'no static library' alone "$work/without" ;;
  cxx)
    cxx "$prefix"
    runs
    sed -i 's/extern "C" {/namespace {/' without/include/clconst/*.h
    refuses 'no extern "C"' cxx "$work/without" ;;
  readme)
    # The pieces of C in the ten steps are a program.
    awk '/^## / { steps = /Put it into/ } /^```/ { c = steps && /^```c$/; next }
         c' "$source/README.md" >engine.c
    described "$prefix" engine.c OpenCL
    if ! "$prefix/bin/clconst" devices --json | grep -q '"opencl:'; then
      echo 'SKIP: package readme: there is no OpenCL device'
      exit 77
    fi
    said=$(LD_LIBRARY_PATH=$(libdir "$prefix") ./consumer) ||
      fail "the program of README.md ended with $?"
    [ "$said" = '2.5 ' ] || fail "the program of README.md said \"$said\"" ;;
  soname)
    library=$(libdir "$prefix")/libclconst.so
    [ "$(basename "$(realpath "$library")")" = "libclconst.so.$version" ] ||
      fail "$library is $(realpath "$library")"
    readelf -d "$library" |
      grep -q "SONAME.*\[libclconst.so.${version%%.*}\]" ||
      fail "the soname is not that of version $version" ;;
  *)
    fail 'is unknown' ;;
esac
