package io.posbias.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation and its fenced blocks: commands, and what they print.
 *
 * <p>A block whose first line calls posbias is one of commands. It is run, unless the line before it is an HTML comment that
 * says what it needs: {@code <!-- needs: data -->}. The block after it, if it has neither a language nor commands, is what they
 * print; in it, a line of three dots stands for lines that are left out. {@code <!-- exit: 3 -->} says how the last command ends.
 */
record DocPage(Path file, List<String> lines, List<Block> blocks) {
    @Override
    public String toString() {
        return file.toString();
    }

    private static final Pattern MARK = Pattern.compile("<!-- (needs|exit): ([\\w, ]+) -->");
    private static final Pattern FENCE = Pattern.compile("```([\\w-]*)");

    /** Why a block is not run by the test: a closed list. */
    enum Need {
        /** Files or benchmarks that posbias does not ship. */
        DATA,
        /** A download. */
        NETWORK,
        /** More than some seconds; {@code -Dposbias.docs=minutes} runs these too. */
        MINUTES,
        /** An NVIDIA GPU. */
        GPU,
        /** A language model, an embedding service or a cluster. */
        SERVICE,
        /** A build with a Maven profile. */
        BUILD,
        /** A shell, because not all of its lines call posbias. */
        SHELL
    }

    /**
     * A fenced block.
     *
     * @param from index of its first line in the page, after the fence
     * @param language what the fence names, empty if nothing
     * @param exit exit code of its last command
     */
    record Block(int from, String language, List<String> body, Set<Need> needs, int exit) {
        List<DocCommand> commands() {
            return DocCommand.in(body);
        }

        boolean calls() {
            return body.stream()
                    .filter(line -> !line.isBlank())
                    .findFirst()
                    .filter(line -> DocCommand.calls(line) || !needs.isEmpty())
                    .isPresent();
        }

        /** Also of a block with a line that begins with posbias: commands print what to run next. */
        boolean isOutput() {
            return language.isEmpty() && !calls();
        }

        int line() {
            return from + 1;
        }
    }

    static DocPage read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return new DocPage(file, lines, blocks(file, lines));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** README.md, and all pages of docs/ but the records of decisions. */
    static List<DocPage> all() {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md")), docs)
                    .filter(file -> file.toString().endsWith(".md") && !file.startsWith(Path.of("docs", "adr")))
                    .sorted()
                    .map(DocPage::read)
                    .toList();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static List<Block> blocks(Path file, List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        for (int at = 0; at < lines.size(); at++) {
            Matcher fence = FENCE.matcher(lines.get(at));
            if (fence.matches()) {
                int end = at + 1;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                blocks.add(block(file, lines, at, end, fence.group(1)));
                at = end;
            }
        }
        return blocks;
    }

    private static Block block(Path file, List<String> lines, int fence, int end, String language) {
        Set<Need> needs = EnumSet.noneOf(Need.class);
        int exit = 0;
        for (int above = fence - 1; above >= 0 && lines.get(above).startsWith("<!-- "); above--) {
            Matcher mark = MARK.matcher(lines.get(above));
            if (!mark.matches()) {
                throw new AssertionError(file + ":" + (above + 1) + ": no mark of a block: " + lines.get(above));
            }
            if (mark.group(1).equals("exit")) {
                exit = Integer.parseInt(mark.group(2));
            } else {
                Stream.of(mark.group(2).toUpperCase(Locale.ROOT).split(", "))
                        .map(Need::valueOf)
                        .forEach(needs::add);
            }
        }
        return new Block(fence + 1, language, List.copyOf(lines.subList(fence + 1, end)), needs, exit);
    }

    Optional<Block> output(Block commands) {
        int next = blocks.indexOf(commands) + 1;
        return next < blocks.size() && blocks.get(next).isOutput() ? Optional.of(blocks.get(next)) : Optional.empty();
    }

    /** Replaces what blocks show; from the last to the first, because lines move. */
    void write(List<Block> shown, List<List<String>> printed) {
        List<String> changed = new ArrayList<>(lines);
        for (int i = shown.size() - 1; i >= 0; i--) {
            Block block = shown.get(i);
            List<String> there =
                    changed.subList(block.from(), block.from() + block.body().size());
            there.clear();
            there.addAll(printed.get(i));
        }
        try {
            Files.write(file, changed);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }
}
