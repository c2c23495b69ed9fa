# Completion of posbias in fish: posbias completion fish | source
function __posbias_table
    echo '@TABLE@'
end

function __posbias_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -e words[1]
    __posbias_table | env POSBIAS_LINE=(string join \n -- $words | string collect --no-trim-newlines) awk '@AWK@'
end

function __posbias
    for candidate in (__posbias_candidates)
        set -l fields (string split \t -- $candidate)
        if test -n "$fields[1]"
            echo $candidate
        else if test "$fields[4]" = folders
            printf '%s\n' $fields[2](__fish_complete_directories $fields[3] '')
        else
            printf '%s\n' $fields[2](__fish_complete_path $fields[3])
        end
    end
end
complete -c posbias -f -a '(__posbias)'
