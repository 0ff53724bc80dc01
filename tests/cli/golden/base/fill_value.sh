# shellcheck shell=sh
# --value: the last number that a dtype has, and the first that it has not.

# value DTYPE V..: one run each; the bits are shown when there are some.
value() {
  dtype=$1
  shift
  for v in "$@"; do
    rm -f out.bin
    status=0
    "$CLCONST" fill --device cpu --dtype "$dtype" --value="$v" --shape 1 \
      -o out.bin >.stdout 2>.stderr || status=$?
    printf '%s %s -> %s' "$dtype" "$v" "$status"
    if [ "$status" -eq 0 ]; then
      od -An -v -tx1 out.bin
    else
      printf '\n'
    fi
    show .stderr '2> '
  done
}

value bool true false 1 0 0x01 2 -1 0x02 1.0 inf yes
value int8 127 128 -128 -129 -0 +5 0x80 0x7 0x080 -0x1 1.5 1e2 inf nan true ''
value uint8 255 256 -1 0xff ' 1' '1 '
value int4 7 8 -8 -9 0xf 0x0f
value uint4 15 16
value int2 1 2 -2 -3 0x3 0x4
value uint2 3 4
value int16 32767 32768 -32768 -32769
value uint16 65535 65536
value int32 2147483647 2147483648 -2147483648 -2147483649
value uint32 4294967295 4294967296
value int64 9223372036854775807 9223372036854775808 -9223372036854775808 \
  -9223372036854775809 99999999999999999999999999999999
value uint64 18446744073709551615 18446744073709551616 -1
value float 1.5 .5 5. 1e+1 1E-1 3.4028235e38 3.4028236e38 1e-46 -0 inf -inf \
  nan -nan 0x7fa00001 0x7fa0000 1e 1e+ . e1 0x1p3 Inf infinity 'nan(1)' 1,2 \
  1_000 1.5f true
value double 1.7976931348623157e308 1.8e308 5e-324 1e-400 0x7ff0000000000001
value float16 65504 65519.999 65520 6e-8 2e-8 inf nan
value bfloat16 3.38e38 3.4e38 nan
value float8e4m3fn 448 464 464.1 inf nan -nan
value float8e4m3fnuz 240 247.9 248 -0 nan -nan inf
value float8e5m2 57344 61439 61440 inf nan
value float8e5m2fnuz 57344 61440 -0 -1e-9 nan inf
value float8e8m0 1 1.5 3 1.7e38 5.9e-39 1e39 1e-39 0 -0 -1 nan -nan inf 0x00 \
  0xff
value float6e2m3 7.5 7.74 7.75 nan inf 0x3f 0x40 0xf
value float6e3m2 28 29.9 30 -28
value float4e2m1 6 6.9 7 -0 nan
value complex64 1,-2 inf,nan 0x3f80000040000000 0x3f800000,0x40000000 1 1,2,3 \
  1, ,1 1e39,0 0,1e39 0x3f800000
value complex128 1,-2 0x00000000000000010000000000000002 '1;2'
