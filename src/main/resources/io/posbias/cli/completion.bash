# Completion of posbias in bash: source <(posbias completion bash)
_posbias_table() {
    cat <<'END_OF_TABLE'
@TABLE@
END_OF_TABLE
}

_posbias_candidates() {
    _posbias_table | POSBIAS_LINE=$1 awk '@AWK@'
}

_posbias() {
    local typed=${COMP_LINE:0:COMP_POINT} line='' kept rest what name word colons
    local -a words
    read -ra words <<<"$typed"
    [[ $typed == *[[:space:]] ]] && words+=('')
    for word in "${words[@]:1}"; do line+=$word$'\n'; done
    COMPREPLY=()
    compopt -o nospace 2>/dev/null
    while IFS= read -r name; do
        if [[ $name == $'\t'* ]]; then
            # bash joins tabs, so the fields are cut by hand.
            name=${name#$'\t'}; kept=${name%%$'\t'*}; name=${name#*$'\t'}; rest=${name%%$'\t'*}; what=${name#*$'\t'}
            while IFS= read -r word; do
                printf -v name %q "$word"
                if [[ -d $word ]]; then COMPREPLY+=("$kept$name/"); else COMPREPLY+=("$kept$name "); fi
            done < <(if [[ $what == folders ]]; then compgen -d -- "$rest"; else compgen -f -- "$rest"; fi)
        else
            name=${name%%$'\t'*}
            if [[ $name == */ ]]; then COMPREPLY+=("$name"); else COMPREPLY+=("$name "); fi
        fi
    done < <(_posbias_candidates "$line")
    # bash replaces only what comes after the last = or : of a word.
    word=${words[${#words[@]} - 1]}
    colons=${word%"${word##*[=:]}"}
    COMPREPLY=("${COMPREPLY[@]#"$colons"}")
}
complete -F _posbias posbias
