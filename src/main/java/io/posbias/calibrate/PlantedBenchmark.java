package io.posbias.calibrate;

import io.posbias.IoErrors;
import io.posbias.PosbiasException;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A benchmark whose evidence is spread evenly: passages of random words, each asked once for three words of every fifth of
 * it. Whatever the passage, it is asked alike at every position.
 */
public final class PlantedBenchmark {
    /** All words there are. */
    public static final List<String> WORDS =
            IntStream.range(0, 1_500).mapToObj(i -> "w" + i).toList();

    /**
     * Ends a sentence like any white space, as full stops do not: a token at the end of every sentence would put the words
     * of the last nearer to the middle than those of the first.
     */
    static final String SENTENCE_END = "\u2029";

    private static final int PARTS = 5;
    /** Words of a part. */
    private static final int PART = 20;

    private PlantedBenchmark() {}

    /** Both names of every concept, w7 and v7; passages use the first. */
    static List<String> names() {
        return Stream.concat(WORDS.stream(), WORDS.stream().map(word -> "v" + concept(word)))
                .toList();
    }

    /** The concept that a word names. */
    static String concept(String word) {
        return word.substring(1);
    }

    /**
     * Writes the benchmark.
     *
     * @param folder made if it is not there
     * @param seed of words and questions
     * @param passages how many; five queries each
     * @param sentences whether every fifth of a passage is a sentence, so that their order can be reversed
     * @return the folder
     */
    public static Path write(Path folder, long seed, int passages, boolean sentences) {
        Random random = new Random(seed);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("dataset.yaml"), "name: planted\nlanguage: en\nbucketing: relative:5\n");
        } catch (IOException refused) {
            throw new PosbiasException(IoErrors.describe("write", folder, refused), refused);
        }
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

    /** Words drawn at random, any of them more than once. */
    static List<String> words(int count, Random random) {
        return IntStream.range(0, count)
                .mapToObj(i -> WORDS.get(random.nextInt(WORDS.size())))
                .toList();
    }

    /** Asks for three words of a passage. */
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
