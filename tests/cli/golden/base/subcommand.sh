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

# Nearly right.
for word in fil dev chekc BENCH; do
  try "$word"
done

# Options may come first, with their values.
fill_first() {
  try --device cpu --dtype uint8 "$@"
}
fill_first --shape 1 fill
fill_first fill --shape=1
fill_first --shape=1 -- fill
fill_first --shape 1 -- fill extra
fill_first --shape fill
fill_first
try --frob fill
try --help fill | head -n 2
try --json --device cpu

try devices extra
try devices --device cpu
try devices --help
try fill -h
