# shellcheck shell=sh
# Standard output that takes nothing is a failure; closed streams harm no file.
fill() {
  "$CLCONST" fill --device cpu --dtype uint8 --value 7 --shape 3 "$@"
}

# ended STATUS: shows a run whose streams are not the usual ones.
ended() {
  echo "[$1]"
  show .stderr '2> '
}

fill >/dev/full 2>.stderr
ended $?
fill --json >/dev/full 2>.stderr
ended $?
fill --help >/dev/full 2>.stderr
ended $?
"$CLCONST" --version >/dev/full 2>.stderr
ended $?
fill -o out.bin >&- 2>.stderr
ended $?
od -An -v -tx1 out.bin
fill -o out.bin >&- 2>&- <&-
echo "[$?]"
od -An -v -tx1 out.bin
fill --dtype frob >/dev/full 2>.stderr
ended $?

# A reader that has gone.
mkfifo pipe
(exec 3<pipe; exec 3<&-; : >closed) &
(exec >pipe; until [ -e closed ]; do :; done; fill 2>.stderr; echo $? >status)
wait
ended "$(cat status)"
