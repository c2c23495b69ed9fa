package io.posbias.cli;

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
    static final List<String> WORDS =
            IntStream.range(0, 1_500).mapToObj(i -> "w" + i).toList();

    private static final int PASSAGES = 150;
    private static final int LENGTH = 100;
    private static final int PARTS = 5;

    private PlantedBenchmark() {}

    static Path write(Path folder, long seed) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("dataset.yaml"), "name: planted\nlanguage: en\nbucketing: relative:5\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int p = 0; p < PASSAGES; p++) {
                List<String> words = new ArrayList<>();
                for (int i = 0; i < LENGTH; i++) {
                    words.add(WORDS.get(random.nextInt(WORDS.size())));
                }
                String text = String.join(" ", words);
                out.passage(new Passage("p" + p, "", text));
                for (int part = 0; part < PARTS; part++) {
                    ask(out, p, part, words, random);
                }
            }
        }
        return folder;
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
