# shellcheck shell=sh
# --device names devices by id; what is no device is a failure.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi
engine() {
  "$CLCONST" fill --json --dtype uint8 --shape 1 "$@" 2>.stderr |
    grep '"engine"'
  show .stderr '2> '
}
engine --device opencl
engine --device cpu
engine --device "$("$CLCONST" devices --json |
  sed -n 's/.*"id": "\(opencl:[^"]*\)".*/\1/p' | head -n 1)"
try fill --dtype uint8 --shape 1 --device opencl:99.0
try fill --dtype uint8 --shape 1 --device opencl:0.99
try fill --dtype uint8 --shape 1 --device opencl:x
try fill --dtype uint8 --shape 1 --device nothing-like-it
try fill --dtype uint8 --shape 1 --device nothing-like-it --json
