# shellcheck shell=sh
# Compiled programs have a folder below XDG's.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi

# where WORD..: the folders that a fill leaves in here, with these variables.
where() {
  env "$@" "$CLCONST" fill --device opencl --dtype uint8 --shape 1 >.stdout
  find . -mindepth 1 -type d -printf '%M %P\n' | sort
  rm -rf xdg .cache
}
where XDG_CACHE_HOME="$PWD/xdg"
where -u XDG_CACHE_HOME HOME="$PWD"
where -u XDG_CACHE_HOME -u HOME
