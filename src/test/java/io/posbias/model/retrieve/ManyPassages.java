package io.posbias.model.retrieve;

import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes a benchmark of any size and a small model of 384 dimensions, for figures of scale in docs/adr/0035-measured-speed.md: passages of 20
 * words drawn from 2,000, queries that are five neighbouring words of a passage.
 */
public final class ManyPassages {
    private static final int WORDS = 2_000;
    private static final int LENGTH = 20;
    private static final int QUERY = 5;
    private static final int DIMENSION = 384;

    private ManyPassages() {}

    /** @param arguments folder, number of passages, number of queries */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        int passages = Integer.parseInt(arguments[1]);
        int queries = Integer.parseInt(arguments[2]);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            words.add("w" + i);
        }
        new ReferenceEncoder("bag", ReferenceEncoder.Shape.FLAT, 0, DIMENSION, 1, 64)
                .write(folder.resolve("model"), WordTokenizer.words(String.join(" ", words)));
        Path set = folder.resolve("set-" + passages);
        Files.createDirectories(set.resolve("qrels"));
        Files.writeString(
                set.resolve("dataset.yaml"), "name: made-" + passages + "\nlanguage: en\nbucketing: relative:5\n");
        write(set, words, passages, queries);
    }

    private static void write(Path set, List<String> words, int passages, int queries) throws IOException {
        Random random = new Random(42);
        int every = Math.max(1, passages / queries);
        try (BufferedWriter corpus = Files.newBufferedWriter(set.resolve("corpus.jsonl"));
                BufferedWriter asked = Files.newBufferedWriter(set.resolve("queries.jsonl"));
                BufferedWriter qrels = Files.newBufferedWriter(set.resolve("qrels/test.tsv"))) {
            qrels.write("query-id\tcorpus-id\tscore\n");
            for (int p = 0; p < passages; p++) {
                List<String> text = new ArrayList<>();
                for (int i = 0; i < LENGTH; i++) {
                    text.add(words.get(random.nextInt(WORDS)));
                }
                corpus.write("{\"_id\": \"p" + p + "\", \"text\": \"" + String.join(" ", text) + "\"}\n");
                if (p % every == 0 && p / every < queries) {
                    int from = random.nextInt(LENGTH - QUERY + 1);
                    String query = String.join(" ", text.subList(from, from + QUERY));
                    int start = String.join(" ", text.subList(0, from)).length() + (from == 0 ? 0 : 1);
                    asked.write("{\"_id\": \"q" + p + "\", \"text\": \"" + query + "\", \"pos_char_span\": [" + start
                            + ", " + (start + query.length()) + "]}\n");
                    qrels.write("q" + p + "\tp" + p + "\t1\n");
                }
            }
        }
    }
}
