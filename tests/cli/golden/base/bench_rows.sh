# shellcheck shell=sh
# What the benchmark prints.
try bench --device cpu --size 4096,16 | mask_rows
