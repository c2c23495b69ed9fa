package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

final class DocOutput {
    private static final String LEFT_OUT = "...";

    private DocOutput() {}

    /** What a block of commands printed on stdout; of a command that printed nothing there, what it said on stderr. */
    static List<String> of(List<Cli.Ended> ended) {
        boolean silent = ended.stream().allMatch(one -> one.out().isEmpty());
        return ended.stream()
                .flatMap(one -> (silent ? one.err() : one.out()).lines())
                .toList();
    }

    /** Fails unless all shown lines are printed, in this order, with nothing between them but where lines are left out. */
    static void compare(String where, List<String> shown, List<String> printed) {
        if (!shows(parts(same(shown)), same(printed))) {
            assertThat(same(printed))
                    .as("%s shows something else than what is printed; -Dposbias.golden=write writes that", where)
                    .isEqualTo(same(shown));
            fail(where);
        }
    }

    private static boolean shows(List<List<String>> parts, List<String> printed) {
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            List<String> part = parts.get(i);
            boolean last = i == parts.size() - 1;
            int found = last
                    ? printed.size() - part.size()
                    : Collections.indexOfSubList(printed.subList(at, printed.size()), part) + at;
            if (found < at
                    || (i == 0 && found != 0)
                    || !printed.subList(found, found + part.size()).equals(part)) {
                return false;
            }
            at = found + part.size();
        }
        return true;
    }

    /** What to write into a page: what is printed where nothing is left out, else what is there. */
    static List<List<String>> written(List<DocPage.Block> shown, List<List<String>> printed) {
        List<List<String>> written = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            List<String> body = shown.get(i).body();
            boolean keep = body.contains(LEFT_OUT) || shows(parts(same(body)), same(printed.get(i)));
            written.add(keep ? body : printed.get(i));
        }
        return written;
    }

    private static List<List<String>> parts(List<String> shown) {
        List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        for (String line : shown) {
            if (line.equals(LEFT_OUT)) {
                parts.add(new ArrayList<>());
            } else {
                parts.getLast().add(line);
            }
        }
        return parts;
    }

    static List<String> same(List<String> lines) {
        return lines.stream()
                .map(line -> line.stripTrailing()
                        .replaceAll("\\b\\d+(\\.\\d+)? (s|ms|minutes?)\\b", "N s")
                        .replaceAll("\\b20\\d\\d-\\d\\d-\\d\\d(T[\\d:.]+Z?)?", "DATE"))
                .toList();
    }
}
