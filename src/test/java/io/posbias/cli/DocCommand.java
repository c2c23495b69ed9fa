package io.posbias.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A call of posbias in a block of the documentation, as a shell would split it: quotes, {@code \} at the end of a line, comments.
 *
 * @param line of the block, from 0
 * @param words its arguments, up to a pipe
 * @param into the file that what it prints goes to, if it ends in {@code > FILE}
 */
record DocCommand(int line, List<String> words, Optional<String> into) {
    /** In a transcript, in YAML, with variables before it, by any path, in a loop. */
    private static final Pattern CALL =
            Pattern.compile("^\\s*(?:- (?:run: )?)?(?:\\$ )?(?:for .*; do )?(?:[A-Z_]+=\\S+ )*(?:/usr/bin/time -v )?"
                    + "(?:[\\w./-]*/)?posbias (?!\\S+:|\\d)(.*)$");

    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)|(\\s+)");

    static boolean calls(String line) {
        return CALL.matcher(line).matches();
    }

    static List<DocCommand> in(List<String> body) {
        List<DocCommand> commands = new ArrayList<>();
        for (int i = 0; i < body.size(); i++) {
            Matcher call = CALL.matcher(body.get(i));
            if (call.matches()) {
                int first = i;
                StringBuilder rest = new StringBuilder(call.group(1));
                while (rest.toString().endsWith("\\") && i + 1 < body.size()) {
                    // Without a space before it the word goes on, as in a shell, where the next line is not indented.
                    rest.setLength(rest.length() - 1);
                    rest.append(body.get(++i));
                }
                commands.add(parse(first, rest.toString()));
            }
        }
        return commands;
    }

    private static DocCommand parse(int line, String rest) {
        List<String> all = words(rest);
        int pipe = all.indexOf("|");
        List<String> words = pipe < 0 ? all : all.subList(0, pipe);
        int arrow = words.indexOf(">");
        return arrow < 0
                ? new DocCommand(line, words, Optional.empty())
                : new DocCommand(line, words.subList(0, arrow), Optional.of(words.get(arrow + 1)));
    }

    private static List<String> words(String rest) {
        List<String> words = new ArrayList<>();
        StringBuilder word = null;
        // Expressions of a workflow, and variables, stand for one value.
        Matcher part =
                WORD.matcher(rest.replaceAll("\\$\\{\\{.*?}}", "1").replaceAll("\"?\\$\\{?\\w+(#\\w+,)?}?\"?", "1"));
        while (part.find()) {
            if (part.group(4) != null) {
                if (word != null) {
                    words.add(word.toString());
                }
                word = null;
            } else if (word == null && part.group().startsWith("#")) {
                break;
            } else {
                word = word == null ? new StringBuilder() : word;
                word.append(Stream.of(part.group(1), part.group(2), part.group(3))
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining()));
            }
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    String text() {
        return "posbias " + String.join(" ", words);
    }
}
