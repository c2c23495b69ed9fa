# Reads the table of CompletionTable, then prints what may come at the end of a command line, one candidate a line with what
# it is after a tab. A line that begins with a tab asks for paths: what stays, what is typed of the path, and whether only
# folders. The words after posbias are in POSBIAS_LINE, each on a line, the last one as far as it is typed.
BEGIN { FS = "\t" }
$1 == "C" { commands[$2] = commands[$2] $3 "\n"; isCommand[$2, $3] = 1; about[$2, $3] = $4 }
$1 == "O" { options[$2] = options[$2] $3 "\n"; kind[$2, $3] = $4; takes[$2, $3] = $4 != ""; about[$2, $3] = $5 }
$1 == "P" { positional[$2] = $3 }
$1 == "V" { values[$2] = values[$2] $3 "\n" }

function offer(word, typed, kept, what) {
    if (index(word, typed) != 1 || word == "") return
    # Of names such as posir/eng-Latn/book only the next part, as for paths.
    rest = substr(word, length(typed) + 1)
    if (kept != "-" && index(rest, "/") > 0) { word = typed substr(rest, 1, index(rest, "/")); what = "" }
    if (kept == "-") kept = ""
    if (!((kept word) in offered)) { offered[kept word] = 1; print kept word "\t" what }
}

# What a value may be: flags, a colon, the name of the list of its words.
function value(spec, typed, kept,    flags, words, n, i) {
    flags = substr(spec, 1, index(spec, ":") - 1)
    if (index(flags, "l") > 0 && match(typed, /.*,/)) {
        kept = kept substr(typed, 1, RLENGTH)
        typed = substr(typed, RLENGTH + 1)
    }
    n = split(values[substr(spec, index(spec, ":") + 1)], words, "\n")
    for (i = 1; i < n; i++) offer(words[i], typed, kept, "")
    if (index(flags, "f") > 0) print "\t" kept "\t" typed "\tfiles"
    if (index(flags, "d") > 0) print "\t" kept "\t" typed "\tfolders"
}

function all(list, typed, path,    words, n, i) {
    n = split(list, words, "\n")
    for (i = 1; i < n; i++) offer(words[i], typed, "-", about[path, words[i]])
}

END {
    line = ENVIRON["POSBIAS_LINE"]
    sub(/\n$/, "", line)
    n = split(line, word, "\n")
    path = ""
    pending = ""
    help = n > 1 && word[1] == "help"
    for (i = help + 1; i < n; i++) {
        if (pending != "" && word[i] !~ /^-/) { pending = ""; continue }
        pending = ""
        if (takes[path, word[i]]) pending = kind[path, word[i]]
        else if (isCommand[path, word[i]]) path = path == "" ? word[i] : path " " word[i]
    }
    typed = word[n]
    if (help) all(commands[path], typed, path)
    else if (pending != "" && typed !~ /^-/) value(pending, typed, "")
    else if (typed ~ /^--[a-z-]+=/) {
        equals = index(typed, "=")
        value(kind[path, substr(typed, 1, equals - 1)], substr(typed, equals + 1), substr(typed, 1, equals))
    }
    else if (typed ~ /^-/) all(options[path], typed, path)
    else {
        all(commands[path], typed, path)
        if (positional[path] != "") value(positional[path], typed, "")
    }
}
