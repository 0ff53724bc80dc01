# shellcheck shell=sh
# More than the machine has is refused before any byte is written.
"$CLCONST" fill --device cpu --dtype double --shape 1000000,1000000,1000 \
  >.stdout 2>.stderr
echo "[$?]"
show .stdout ''
show .stderr '2> ' | sed 's/machine has [0-9]*/machine has N/'
"$CLCONST" fill --json --device cpu --dtype double \
  --shape 1000000,1000000,1000 2>.stderr |
  sed 's/machine has [0-9]*/machine has N/'
