#compdef posbias
# Completion of posbias in zsh: source <(posbias completion zsh)
_posbias_table() {
    cat <<'END_OF_TABLE'
@TABLE@
END_OF_TABLE
}

_posbias_candidates() {
    _posbias_table | POSBIAS_LINE=$1 awk '@AWK@'
}

_posbias() {
    local line="${(pj:\n:)${(@)words[2,CURRENT-1]}}" entry
    (( CURRENT > 2 )) && line+=$'\n'
    line+="$PREFIX"$'\n'
    local -a fields names folders paths
    for entry in "${(@f)$(_posbias_candidates "$line")}"; do
        fields=("${(@ps:\t:)entry}")
        if [[ -n $entry && -z $fields[1] ]]; then
            paths=("${(@)fields}")
        elif [[ $fields[1] == */ ]]; then
            folders+=("$fields[1]")
        elif [[ -n $fields[1] ]]; then
            names+=("$fields[1]")
        fi
    done
    compadd -Q -- "${names[@]}"
    compadd -Q -S '' -- "${folders[@]}"
    # Last, as what stays of the word is no part of a path: then names would not fit any more.
    if (( $#paths )); then
        compset -P "${(b)paths[2]}"
        if [[ $paths[4] == folders ]]; then _files -/; else _files; fi
    fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _posbias posbias
