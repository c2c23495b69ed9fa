package io.posbias.cli;

import io.posbias.dataset.TinyBenchmark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Fifteen passages of five sentences of eight words, whose third one is the answer, and twenty of three words, of which five
 * are there twice. Fourteen questions, of which two have one text.
 */
final class LongBenchmark {
    static final int LONG = 15;
    static final int SHORT = 20;
    static final int DISTINCT_QUERIES = 13;

    private LongBenchmark() {}

    static List<String> words() {
        return IntStream.range(0, 40)
                .boxed()
                .flatMap(i -> IntStream.of(10, 50).mapToObj(from -> "W" + (from + i)))
                .toList();
    }

    private static String word(int number) {
        return "W" + (10 + Math.floorMod(number, 80));
    }

    static Path write(Path folder) {
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder judgments = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int passage = 0; passage < LONG; passage++) {
            List<String> sentences = new ArrayList<>();
            for (int sentence = 0; sentence < 5; sentence++) {
                int first = 7 * passage + 11 * sentence;
                sentences.add(String.join(
                                " ",
                                IntStream.range(first, first + 8)
                                        .mapToObj(LongBenchmark::word)
                                        .toList())
                        + ".");
            }
            corpus.append(TinyBenchmark.row("l" + passage, String.join(" ", sentences), ""));
            if (passage > 0) {
                // A sentence has 32 characters, with the space behind it.
                int asked = Math.max(2, passage);
                queries.append(TinyBenchmark.row(
                        "q" + passage,
                        word(7 * asked + 22) + " " + word(7 * asked + 23),
                        ", \"pos_char_span\": [64, 71]"));
                judgments.append("q" + passage + "\tl" + passage + "\t1\n");
            }
        }
        for (int passage = 0; passage < SHORT; passage++) {
            int first = 3 * (passage % 15);
            corpus.append(
                    TinyBenchmark.row("s" + passage, word(first) + " " + word(first + 1) + " " + word(first + 3), ""));
        }
        return TinyBenchmark.inFifths(folder, "long", corpus, queries, judgments);
    }
}
