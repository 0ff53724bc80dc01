# shellcheck shell=sh
# The self-test and the benchmark, before they measure anything.
try check --help
try bench --help
try check extra
try check --quick
try bench --svg
try bench --svg missing/chart.svg
try bench --size 16,
try bench --size 4Ki
try bench --size 16,15
try bench --size 1073741825
try bench --size ''
try bench --idle 1s
try bench --idle ''
try bench --idle 86401
