#!/usr/bin/env bash
# package.sh KIND SOURCE PREFIX WORK: builds the outside program in one way
# against what is installed in PREFIX, and runs it; then takes away what that
# way needs and expects a failure. SOURCE is clconst's checkout, WORK a scratch
# folder. CC, CXX and CMAKE name the tools; files.sh has more of the environment.
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

# subproject SOURCE [CMAKE-ARGUMENT..]: builds with add_subdirectory.
subproject() {
  rm -rf build
  "$CMAKE" -S "$here/parent" -B build -DCMAKE_C_COMPILER="$CC" \
    -DCLCONST="$1" "${@:2}" &&
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

# shown LANGUAGE: what README.md shows of a language in its ten steps.
shown() {
  awk -v fence="\`\`\`$1" '
    /^## / { steps = /Put it into/ }
    /^```/ { inside = steps && $0 == fence; next }
    inside' "$source/README.md"
}

# typed FILE: each line as a user types it, in a checkout. What is installed
# comes to lie below $work/root; nothing else of this machine changes.
typed() {
  local line
  while IFS= read -r line; do
    (cd checkout && PATH=$work/tools:$PATH DESTDIR=$work/root CFLAGS=-O0 \
       sh -c "$line" </dev/null) || fail "README.md: $line"
  done <"$1"
}

# says PREFIX PROGRAM EXPECTED: runs it with the library of a prefix.
says() {
  local said
  said=$(LD_LIBRARY_PATH=$(libdir "$1") "$2") || fail "$2 ended with $?"
  [ "$said" = "$3" ] || fail "$2 said \"$said\""
}

# runs: the program that was built says what it should.
runs() {
  says "$prefix" ./consumer "$version 7 "
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
    least=(-DCLCONST_ONNX=OFF -DCLCONST_OPENCL=OFF)
    subproject "$source" "${least[@]}" -DCORE_ONLY=ON
    runs
    subproject "$source"
    runs
    "$CMAKE" --install build --prefix installed
    [ ! -e installed ] || fail 'clconst installs itself into its parent'
    mkdir source
    cp -r "$source"/{CMakeLists.txt,host,include,kernels} source
    sed -i '/clconst::clconst ALIAS/d' source/host/CMakeLists.txt
    refuses 'no clconst::clconst' subproject "$work/source" "${least[@]}" ;;
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
  installed)
    "$here/files.sh" >expected.txt
    (cd "$prefix" && find . -type f -o -type l) | sed 's|^\./||' |
      LC_ALL=C sort >files.txt
    diff -u expected.txt files.txt || fail 'its files are not those of files.txt'
    while read -r file copy; do
      [ ! -e "$prefix/$copy" ] || cmp "$source/$file" "$prefix/$copy" ||
        fail "$copy is not $file"
    done <<'FILES'
host/cli/clconst.1 share/man/man1/clconst.1
host/cli/completion/clconst.bash share/bash-completion/completions/clconst
host/cli/completion/_clconst share/zsh/site-functions/_clconst
host/cli/completion/_clconst share/zsh/vendor-completions/_clconst
FILES
    ;;
  readme)
    # The ten steps as a new user takes them, in what they show.
    mkdir checkout tools
    cp -r "$source"/{CMakeLists.txt,README.md,ci,host,include,kernels,tests} \
      checkout
    for tool in apt-get ldconfig; do
      printf '#!/bin/sh\necho "%s" >>"%s/called.txt"\n' "$tool" "$work" \
        >"tools/$tool"
      chmod +x "tools/$tool"
    done
    shown sh | grep -v '^cc ' >install.txt
    shown sh | grep '^cc ' >compile.txt
    shown c >checkout/engine.c
    typed install.txt
    if grep -q apt-get called.txt; then
      echo 'SKIP: package readme: packages that ci/setup.sh names are missing'
      exit 77
    fi
    grep -q ldconfig called.txt || fail 'ldconfig does not learn of the library'
    root=$work/root/usr/local
    PKG_CONFIG_PATH=$(find "$root" -name pkgconfig) typed compile.txt
    {
      printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' \
        'project(engine LANGUAGES C)' 'add_executable(engine engine.c)'
      shown cmake
    } >checkout/CMakeLists.txt
    "$CMAKE" -S checkout -B build -DCMAKE_PREFIX_PATH="$root" \
      -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    "$CMAKE" --build build
    if ! "$root/bin/clconst" devices --json | grep -q '"opencl:'; then
      echo 'SKIP: package readme: there is no OpenCL device'
      exit 77
    fi
    says "$root" checkout/engine '2.5 '
    says "$root" build/engine '2.5 ' ;;
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
