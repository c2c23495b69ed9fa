package io.posbias.cli;

import io.posbias.data.dataset.TinyBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Twelve questions of two words each. One passage of 32 words holds both, in the fifth of it that is the question's number
 * modulo 5; two short ones repeat one of them. The last question uses words that its passage does not.
 */
final class TwoWordBenchmark {
    static final int QUESTIONS = 12;

    static final Map<String, String> SYNONYMS = Map.of("s21", "x21", "t21", "y21");

    private static final int FILLERS = 30;
    private static final int PARTS = 5;

    private TwoWordBenchmark() {}

    static List<String> words() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < QUESTIONS; i++) {
            words.add("x" + (i + 10));
            words.add("y" + (i + 10));
        }
        words.add("s21");
        words.add("t21");
        IntStream.range(0, FILLERS).forEach(i -> words.add("f" + (i + 10)));
        return words;
    }

    static Path write(Path folder) {
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder judgments = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int i = 10; i < 10 + QUESTIONS; i++) {
            int place = 6 * ((i - 10) % PARTS) + 2;
            List<String> gold = new ArrayList<>(
                    IntStream.range(0, FILLERS).mapToObj(f -> "f" + (f + 10)).toList());
            gold.addAll(place, List.of("x" + i, "y" + i));
            boolean last = i == 9 + QUESTIONS;
            String left = last ? "s21" : "x" + i;
            String right = last ? "t21" : "y" + i;
            corpus.append(TinyBenchmark.row("a" + i, String.join(" ", left, left, left), ""))
                    .append(TinyBenchmark.row("b" + i, String.join(" ", right, right, right), ""))
                    .append(TinyBenchmark.row("gold" + i, String.join(" ", gold), ""));
            String span = ", \"pos_char_span\": [" + 4 * place + ", " + (4 * place + 7) + "]";
            queries.append(TinyBenchmark.row("q" + i, left + " " + right, span));
            judgments.append("q" + i + "\tgold" + i + "\t1\n");
        }
        return TinyBenchmark.inFifths(folder, "words", corpus, queries, judgments);
    }

    /** A BM25 that puts the short passages first: every gold passage is third. */
    static Path badFirstStage(Path folder) throws IOException {
        Files.createDirectories(folder);
        return Files.writeString(folder.resolve("bad.yaml"), "name: bad\nkind: bm25\nk1: 100\nb: 1\n");
    }
}
