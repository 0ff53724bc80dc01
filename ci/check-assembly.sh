#!/usr/bin/env bash
# Fails unless the code of each kernel for GPUs is what it should be: nothing is
# spilled or kept in private memory; the inner loop of a fill stores 16 bytes at
# a time and divides nothing; a kernel that is no fill divides nowhere. Functions
# of OpenCL C are calls in this code, for want of the drivers' own.
set -euo pipefail
cd "$(dirname "$0")/.."

# By target: a store of 16 bytes, a division by what is no constant, and a
# register or an array in memory.
declare -A store=(
  [nvptx64]='st[.]global[.](v4[.][us]32|v2[.][us]64)'
  [amdgcn-amd-amdhsa]='global_store_dwordx4'
)
declare -A division=(
  [nvptx64]='[[:space:]](div|rem)[.]'
  [amdgcn-amd-amdhsa]='v_rcp_'
)
declare -A spill=(
  [nvptx64]='[.]local'
  [amdgcn-amd-amdhsa]='spill_count: *[1-9]|(buffer|scratch)_store'
)

# The GPUs that clang takes for AMD's without one store in another way.
declare -A cpu=(
  [nvptx64]=sm_60
  [amdgcn-amd-amdhsa]=gfx900
)

# A loop is a block that branches to its own label; the inner loop is the one
# with the most stores, since what is left after it may have a loop too.
# shellcheck disable=SC2016
check_inner_loop='
  /^[.$]?L_*BB[0-9]+_[0-9]+:/ {
    label = $1
    sub(/:.*/, "", label)
    stores = divisions = 0
  }
  { stores += $0 ~ store; divisions += $0 ~ division }
  label != "" && /bra/ && $NF ~ /BB/ {
    goal = $NF
    sub(/;$/, "", goal)
    if (goal == label && stores > most) {
      most = stores
      inner_divisions = divisions
    }
  }
  END { exit !(most > 0 && inner_divisions == 0) }
'

result=0
for kernel in kernels/*.cl; do
  for target in "${!store[@]}"; do
    code=$(clang -x cl -cl-std=CL1.2 -target "$target" -O2 -nogpulib \
      -Xclang -target-cpu -Xclang "${cpu[$target]}" \
      -Xclang -finclude-default-header -S -o - "$kernel")
    case $kernel in
      kernels/fill_*)
        if ! awk -v store="${store[$target]}" \
          -v division="${division[$target]}" "$check_inner_loop" <<<"$code"
        then
          echo "$kernel for $target has no loop of 16-byte stores, or divides" \
            "in it"
          result=1
        fi ;;
      *)
        if grep -qE "${division[$target]}" <<<"$code"; then
          echo "$kernel for $target divides"
          result=1
        fi ;;
    esac
    if grep -qE "${spill[$target]}" <<<"$code"; then
      echo "$kernel for $target spills registers"
      result=1
    fi
  done
done
exit "$result"
