# shellcheck shell=sh
# What stands in the place of a subcommand.
try
try --json
try --version
try --version --json
try --frob
try frob
try frob --dtype float
try frob --json
try -- fill
try Fill
try "$(printf 'a\033[31m\nb\377')"
try "$(printf 'a\033[31m\nb\377')" --json
try devices extra
try devices --device cpu
try devices --help
try fill -h
