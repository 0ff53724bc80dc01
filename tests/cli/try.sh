# shellcheck shell=sh
# What the golden cases are written with; see golden.sh.

# try WORD..: runs the program and prints what came of it. A line that is not
# ended is marked, since it would else merge with the next.
try() {
  printf '$ clconst'
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./,:=@+-]* | '') printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  try_status=0
  "$CLCONST" "$@" >.stdout 2>.stderr || try_status=$?
  show .stdout ''
  show .stderr '2> '
  printf '[%s]\n\n' "$try_status"
}

# show FILE PREFIX: the file's lines, each after the prefix.
show() {
  sed "s|^|$2|" "$1"
  if [ -s "$1" ] && [ "$(tail -c 1 "$1" | od -An -tx1)" != " 0a" ]; then
    printf '\n(no end of line)\n'
  fi
}

# models: writes the models of models.py into the working folder.
models() {
  "$PYTHON" -B "$HERE/models.py" .
}

# mask: hides what differs from run to run.
mask() {
  sed -E 's/^(seconds|GB\/s)( +).*/\1\2N/
          s/"(seconds|gigabytes_per_second)": [-+.e0-9]+/"\1": N/'
}

# mask_page: hides what the page of check says of a device and its speed.
mask_page() {
  sed -E '/^(bytes, GB|  *[0-9]+  .*\.[0-9]{2})/{
            s/[0-9]+\.[0-9]{2}/N/g
            s/ +/ /g
          }
          s/^(device|platform|type|version|driver)( +).*/\1\2X/
          s/^( +\.[a-z_]+ = ).*/\1X,/'
}

# mask_devices: hides what devices says of a machine.
mask_devices() {
  sed -E 's/^opencl:[0-9]+\.[0-9]+ .*/opencl:P.D X/
          s/  [0-9]{6,}/  N/g
          s/"(global_memory|max_allocation)": [0-9]+/"\1": N/
          s/([^ ]) +/\1 /g'
}

# mask_rows: hides what bench measured, and of what device, and whether a median
# was refused. That there is no fill of the driver stays.
mask_rows() {
  sed -E 's/^(device)( +).*/\1\2X/
          s/ +/ /g
          s/ (remark|an error of the measurement: .*)$//
          / (no|yes) /{
            s/ [0-9][^ ]*$/ N/
            s/ (no|yes)( [^ ]+){7}( [-N])$/ \1 N N N N N N N\3/
          }'
}

# skip REASON: ends the case.
skip() {
  printf '%s\n' "$1"
  exit 77
}
