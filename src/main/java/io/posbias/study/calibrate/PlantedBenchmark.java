package io.posbias.study.calibrate;

import io.posbias.base.files.IoErrors;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Benchmark with uniform evidence: passages of random words, each with one query of three words per fifth. */
public final class PlantedBenchmark {
    /** The vocabulary of passages. */
    public static final List<String> WORDS =
            IntStream.range(0, 1_500).mapToObj(i -> "w" + i).toList();

    /**
     * Sentence end that is white space: a token at every sentence end would shift the last sentence's words towards the middle.
     */
    static final String SENTENCE_END = "\u2029";

    private static final int PARTS = 5;
    private static final int PART = 20;

    private PlantedBenchmark() {}

    /** Both names of every concept, w7 and v7; passages use the first. */
    static List<String> names() {
        return Stream.concat(WORDS.stream(), WORDS.stream().map(word -> "v" + concept(word)))
                .toList();
    }

    static String concept(String word) {
        return word.substring(1);
    }

    /**
     * Writes the benchmark and returns its folder.
     *
     * @param sentences true to end a sentence after every fifth
     */
    public static Path write(Path folder, long seed, int passages, boolean sentences) {
        Random random = new Random(seed);
        IoErrors.run("write", folder, () -> {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("dataset.yaml"), "name: planted\nlanguage: en\nbucketing: relative:5\n");
        });
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int p = 0; p < passages; p++) {
                String id = "p" + p;
                List<String> words = words(PARTS * PART, random);
                List<String> parts = IntStream.range(0, PARTS)
                        .mapToObj(part -> String.join(" ", words.subList(part * PART, (part + 1) * PART)))
                        .toList();
                out.passage(new Passage(id, "", String.join(sentences ? SENTENCE_END : " ", parts)));
                for (int part = 0; part < PARTS; part++) {
                    ask(out, "q" + p + "-" + part, id, words, part * PART + random.nextInt(PART - 2));
                }
            }
        }
        return folder;
    }

    /** Draws words with replacement. */
    static List<String> words(int count, Random random) {
        return IntStream.range(0, count)
                .mapToObj(i -> WORDS.get(random.nextInt(WORDS.size())))
                .toList();
    }

    private static void ask(DatasetWriter out, String id, String passage, List<String> words, int first) {
        String question = String.join(" ", words.subList(first, first + 3));
        int start = words.subList(0, first).stream()
                .mapToInt(word -> word.length() + 1)
                .sum();
        int length = String.join(" ", words).length();
        out.query(new Query(
                id,
                question,
                new Evidence(start, start + question.length(), length, Evidence.UNKNOWN, List.of(), null)));
        out.judgment(id, passage, 1);
    }
}
