# shellcheck shell=sh
# External data: beside the model, missing, and behind links.
models
try list external.onnx
try load --device cpu external.onnx | mask
try load --device cpu --json external.onnx | sed -n "/\"error\"/,\$p"
printf abcd >data.bin
try list external.onnx
try load --device cpu external.onnx -o out | mask
ln data.bin second.bin
try list external.onnx
try list --follow-links external.onnx
rm data.bin
ln -s second.bin data.bin
try list external.onnx
try list --follow-links external.onnx
try load --device cpu --follow-links external.onnx -o out | mask
try run --device cpu --follow-links external.onnx
