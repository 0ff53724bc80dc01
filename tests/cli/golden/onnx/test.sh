# shellcheck shell=sh
# ONNX's backend tests, that pass, fail in one way each, and are skipped.
models
try test
try test --device cpu tests/passing
try test --device cpu tests/passing --json
try test --device cpu tests/passing/b_zeros tests/passing/deep/er/
try test --device cpu tests/skipped
try test --device cpu tests/failing
try test --device cpu tests/failing/bits tests/skipped --json
(cd tests/passing/a_outputs && try test --device cpu .)
for folder in tests/none tests/none/empty tests/none/model_only missing \
  text.onnx; do
  try test --device cpu "$folder"
done
try test --device cpu tests/passing tests/none
try test --device cpu tests/none --json
try test --device cpu tests/passing -i n=1
# A link below the folder is not followed.
ln -s .. tests/passing/loop
try test --device cpu tests/passing
