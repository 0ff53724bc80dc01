# shellcheck shell=sh
# Three modes: --strict refuses more, --lenient less; both tell with notes.
models
for model in surplus.onnx early_dtype.onnx; do
  for mode in --json --strict --lenient; do
    try list "$model" "$mode"
    try load --device cpu "$model" "$mode" | mask
  done
done
