# shellcheck shell=sh
# Models on a device: the same files as on the host.
if ! "$CLCONST" devices --json | grep -q '"opencl:'; then
  skip 'there is no OpenCL device'
fi
models
for model in mixed odd_names outputs empty; do
  for device in cpu opencl; do
    "$CLCONST" load "$model.onnx" --json --verify --device "$device" \
      -o "$model.$device" >.stdout 2>.stderr
    printf '%s on %s [%s]\n' "$model" "$device" "$?"
    grep -E '"(engine|tensors|host_tensors|bytes|verified)"' .stdout
    show .stderr '2> '
  done
  diff -r "$model.cpu" "$model.opencl" && echo 'files: equal'
done

"$CLCONST" run outputs.onnx --device cpu -o run.cpu >.stdout
"$CLCONST" run outputs.onnx --device opencl -o run.opencl | diff .stdout - &&
  diff -r run.cpu run.opencl && echo 'run: equal'

try test --device opencl tests/passing
try test --device opencl tests/failing/bits
