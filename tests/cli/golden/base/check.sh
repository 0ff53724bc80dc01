# shellcheck shell=sh
# The page for bug reports, of the CPU engine.
try check --device cpu | mask_page
try check --device cpu --json | grep -vE '"(gbps|device)"' | grep -A9 -m1 classes
