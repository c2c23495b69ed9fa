package io.posbias.cli;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A benchmark whose evidence is spread evenly: passages of random words, each asked once for three words of every fifth of
 * it. Whatever the passage, it is asked alike at every position.
 */
final class PlantedBenchmark {
    /** All words there are. */
    static final List<String> WORDS =
            IntStream.range(0, 1_500).mapToObj(i -> "w" + i).toList();

    /** Passages unless said otherwise: 750 queries. */
    static final int PASSAGES = 150;

    private static final int LENGTH = 100;
    private static final int PARTS = 5;

    private PlantedBenchmark() {}

    /** Writes the benchmark with {@value #PASSAGES} passages. */
    static Path write(Path folder, long seed) {
        return write(folder, seed, PASSAGES);
    }

    /**
     * Writes the benchmark.
     *
     * @param folder made if it is not there
     * @param seed of words and questions
     * @param passages how many; five queries each
     * @return the folder
     */
    static Path write(Path folder, long seed, int passages) {
        Random random = new Random(seed);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("dataset.yaml"), "name: planted\nlanguage: en\nbucketing: relative:5\n");
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", folder, refused), refused);
        }
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int p = 0; p < passages; p++) {
                List<String> words = words(LENGTH, random);
                out.passage(new Passage("p" + p, "", String.join(" ", words)));
                for (int part = 0; part < PARTS; part++) {
                    ask(out, p, part, words, random);
                }
            }
        }
        return folder;
    }

    /** Words drawn at random, any of them more than once. */
    static List<String> words(int count, Random random) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(WORDS.get(random.nextInt(WORDS.size())));
        }
        return words;
    }

    private static void ask(DatasetWriter out, int passage, int part, List<String> words, Random random) {
        int first = part * LENGTH / PARTS + random.nextInt(LENGTH / PARTS - 2);
        List<String> asked = words.subList(first, first + 3);
        int start = String.join(" ", words.subList(0, first)).length() + (first == 0 ? 0 : 1);
        String question = String.join(" ", asked);
        String id = "q" + passage + "-" + part;
        int length = String.join(" ", words).length();
        out.query(new Query(
                id,
                question,
                new Evidence(start, start + question.length(), length, Evidence.UNKNOWN, List.of(), null)));
        out.judgment(id, "p" + passage, 1);
    }
}
