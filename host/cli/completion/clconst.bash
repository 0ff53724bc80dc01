# shellcheck shell=bash
# bash completion for clconst. Subcommands, options and dtypes are those that
# the program's own --help names.

# _clconst_words SECTION [SUBCOMMAND]: the first words of the lines below
# "SECTION:" in --help; of options the long names.
_clconst_words() {
  "${COMP_WORDS[0]}" "${@:2}" --help 2>/dev/null |
    sed -n "/^$1:/,/^\$/p" | sed -nE 's/^ +(-., )?([-a-z0-9]+) .*/\2/p'
}

_clconst() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local subcommand='' candidate
  COMPREPLY=()
  for candidate in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $candidate in
      -*) ;;
      *) subcommand=$candidate; break ;;
    esac
  done
  case $previous in
    --dtype)
      mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" fill --help |
        sed -n '/^Dtypes:/,/^$/s/^Dtypes: *//p; /^        /p')" -- "$word")
      return ;;
    --device)
      mapfile -t COMPREPLY < <(compgen -W 'auto cpu opencl' -- "$word")
      return ;;
    --value|--shape|--size|--idle|--input|-i|--dim)
      return ;;
    --sort)
      mapfile -t COMPREPLY < <(compgen -W \
        'number name scope op_type dtype bytes storage' -- "$word")
      return ;;
    --output|-o|--svg)
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return ;;
  esac
  case $word in
    -*)
      mapfile -t COMPREPLY < <(compgen \
        -W "$(_clconst_words Options ${subcommand:+"$subcommand"})" \
        -- "$word") ;;
    *)
      if [ -z "$subcommand" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_clconst_words Subcommands)" \
          -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
  esac
}

complete -o filenames -F _clconst clconst
