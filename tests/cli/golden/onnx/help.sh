# shellcheck shell=sh
# What the program tells of itself.
try --help
for subcommand in list load run test; do
  try "$subcommand" --help
done
