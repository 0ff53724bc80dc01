#!/usr/bin/env bash
# debian.sh BUILD WORK: makes the Debian package of a build folder, installs it
# below WORK with dpkg's own database copied there, runs it, and removes it.
# Nothing outside WORK is touched. CPACK and what files.sh needs come from the
# environment.
set -euo pipefail

build=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
fail() {
  echo "FAIL: debian: $*" >&2
  exit 1
}
skip() {
  echo "SKIP: debian: $*"
  exit 77
}

command -v dpkg-deb >/dev/null || skip 'there is no dpkg'
command -v dpkg-shlibdeps >/dev/null || skip 'there is no dpkg-dev'
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$CPACK" --config "$build/CPackConfig.cmake" -G DEB -B . >cpack.txt 2>&1 || {
  cat cpack.txt
  fail 'cpack'
}
package=$(echo clconst_*.deb)

field() {
  dpkg-deb --field "$package" "$1"
}
[ "$(field Package)" = clconst ] || fail "Package is $(field Package)"
[ "$(field Version)" = "$VERSION" ] || fail "Version is $(field Version)"
[ "$(field Maintainer)" = 'clconst developers' ] ||
  fail "Maintainer is $(field Maintainer)"
field Depends | grep -q 'libc6 ' || fail "Depends is $(field Depends)"
"$here/files.sh" | sed 's|^|usr/|' >expected.txt
dpkg-deb --contents "$package" | grep -vE '^d' |
  awk '{ print $6 }' | sed 's|^\./||' | LC_ALL=C sort >files.txt
diff -u expected.txt files.txt || fail 'its files are not those of files.txt'

[ "$(id -u)" -eq 0 ] || skip 'dpkg installs for root only'
# dpkg sees what is installed here, so that it checks what ours depends on.
mkdir -p bin root/var/lib/dpkg/{info,updates,triggers}
cp /var/lib/dpkg/status root/var/lib/dpkg/status
cp -s /var/lib/dpkg/info/* root/var/lib/dpkg/info/
# The package's scripts call this one instead of the machine's.
printf '#!/bin/sh\necho called >>"%s/ldconfig.txt"\n' "$work" >bin/ldconfig
chmod +x bin/ldconfig
dpkg_there() {
  PATH=$work/bin:$PATH dpkg --root="$work/root" --log="$work/dpkg.log" \
    --force-script-chrootless --no-triggers "$@" >dpkg.txt 2>&1 || {
    cat dpkg.txt
    fail "dpkg $*"
  }
}
dpkg_there --install "$package"
while read -r file; do
  [ -e "root/$file" ] || fail "$file is not installed"
done <files.txt
[ -s ldconfig.txt ] || fail 'ldconfig does not learn of the library'
said=$(LD_LIBRARY_PATH=$work/root/usr/lib root/usr/bin/clconst --version)
[ "$said" = "clconst $VERSION" ] || fail "the program says \"$said\""
LD_LIBRARY_PATH=$work/root/usr/lib root/usr/bin/clconst fill --device cpu \
  --dtype uint8 --value 7 --shape 3 -o seven.bin >fill.txt
[ "$(od -An -v -tx1 seven.bin)" = ' 07 07 07' ] || fail 'the fill is wrong'
dpkg_there --purge clconst
left=$(find root -path root/var -prune -o \( -type f -o -type l \) -print)
[ -z "$left" ] || fail "left behind: $left"
