# shellcheck shell=sh
# The page for bug reports, of the CPU engine.
try check --device cpu | mask_page
