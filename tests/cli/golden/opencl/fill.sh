# shellcheck shell=sh
# The same bits on a device as on the host.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi

# hashes WORD..: what fill prints of the tensor.
hashes() {
  "$CLCONST" fill "$@" 2>&1 | tail -n 1
}

for line in 'float 1.5 2,3' 'int4 -1 3' 'bool true 100001' 'uint8 171 0' \
  'complex128 1,2 5,7' 'float6e2m3 7.5 11' 'double -0 3000000'; do
  # shellcheck disable=SC2086 # three words
  set -- $line
  host=$(hashes --device cpu --dtype "$1" --value="$2" --shape "$3")
  device=$(hashes --device opencl --dtype "$1" --value="$2" --shape "$3")
  printf '%s: %s\n' "$line" "$([ "$host" = "$device" ] && echo equal)"
  for extension in bin npy; do
    "$CLCONST" fill --device cpu --dtype "$1" --value="$2" --shape "$3" \
      -o "host.$extension" >.stdout 2>.stderr
    "$CLCONST" fill --device opencl --dtype "$1" --value="$2" --shape "$3" \
      -o "device.$extension" >.stdout 2>.stderr
    if [ -e "host.$extension" ]; then
      cmp "host.$extension" "device.$extension" && echo "$extension: equal"
    fi
  done
  rm -f host.* device.*
done
