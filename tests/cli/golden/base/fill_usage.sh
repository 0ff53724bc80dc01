# shellcheck shell=sh
# Options: each once right and once wrong.
try fill
try fill --dtype float
try fill --shape 1
try fill --shape 1 --dtype
try fill --device cpu --shape=1 --dtype=uint8
try fill --device cpu --shape=1 --dty=uint8
try fill --device cpu --shape 1 --dtype uint8 --frob
try fill --device cpu --shape 1 --dtype uint8 -x
try fill --device cpu --shape 1 --dtype uint8 extra
try fill --device cpu --shape 1 --dtype uint8 -- --json
try fill --device cpu --shape 1 --dtype uint8 --
try fill --device cpu --shape 1 --dtype uint8 -i x=1
try fill --device cpu --shape 1 --dtype uint8 --strict
try fill --device cpu --shape 1 --dtype uint8 --verify
try fill --device cpu --shape 1 --dtype uint8 --version
try fill --device nothing-like-it --shape 1 --dtype uint8 --json=yes
try fill --device opencl:0.x --shape 1 --dtype foo

# An option with a value may be there once; a flag changes nothing twice.
try fill --device cpu --shape 1 --dtype uint8 --dtype uint16 --shape 2
try fill --device cpu --device cpu --shape 1 --dtype uint8
try fill --json --device cpu --shape 1 --dtype uint8 --json

# Words that are nearly right.
try fill --device cpu --shape 1 --dtype flaot
try fill --device cpu --shape 1 --dtype Float32
try fill --device cpu --shape 1 --dtpye uint8
try fill --device cpu --shapes=1 --dtype uint8
try fill --device cpu --d uint8 --shape 1
try fill --device gpu --shape 1 --dtype uint8 --verify

# --json holds also for faults before it.
try fill --frob --json
try fill --dtype foo --shape 1 --json
try fill --json --dtype uint8 --value 256 --shape 1
try fill --json --device cpu --dtype uint8 --value 255 --shape 1,2

# --help wins over faults.
try fill --frob --help --json
POSIXLY_CORRECT=1
export POSIXLY_CORRECT
try fill extra --json --help

# No device, where a variable is not set.
try fill --device '' --dtype uint8 --shape 1
