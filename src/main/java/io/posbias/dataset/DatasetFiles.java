package io.posbias.dataset;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Location;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The files of a benchmark in BEIR's layout.
 *
 * @param folder the benchmark's folder
 * @param corpus {@code corpus.jsonl}, {@code corpus.jsonl.gz} or {@code corpus.parquet}
 * @param queries {@code queries.*}, likewise
 * @param qrels {@code qrels/test.tsv}, {@code qrels/test.tsv.gz} or {@code qrels/test.parquet}
 */
public record DatasetFiles(Path folder, Path corpus, Path queries, Path qrels) {
    /** The name of the card in a benchmark's folder. */
    public static final String CARD = "dataset.yaml";

    private static final String CORPUS = "corpus";
    private static final String QUERIES = "queries";
    private static final String QRELS = "qrels/test";
    private static final List<String> ROWS = List.of(".jsonl", ".jsonl.gz", ".parquet");
    private static final List<String> JUDGMENTS = List.of(".tsv", ".tsv.gz", ".parquet");

    /** Finds the files. */
    public static DatasetFiles find(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new PosbiasException("cannot read " + folder + ": no such folder");
        }
        return new DatasetFiles(folder, corpus(folder), queries(folder), qrels(folder));
    }

    /** The corpus in a folder. */
    public static Path corpus(Path folder) {
        return only(folder, CORPUS, ROWS);
    }

    /** The queries in a folder. */
    public static Path queries(Path folder) {
        return only(folder, QUERIES, ROWS);
    }

    /** The judgements in a folder. */
    public static Path qrels(Path folder) {
        return only(folder, QRELS, JUDGMENTS);
    }

    /** Whether a folder looks like a benchmark: it holds a card or a corpus. */
    public static boolean isDataset(Path folder) {
        return Files.isRegularFile(folder.resolve(CARD))
                || ROWS.stream().anyMatch(ending -> Files.isRegularFile(folder.resolve(CORPUS + ending)));
    }

    /** Some file in a folder or below it that fits, relative to the folder; looks no further than the first. */
    public static Optional<Path> first(Path folder, Predicate<Path> fits) {
        return Problems.got("read", folder, () -> {
            try (Stream<Path> walked = Files.walk(folder)) {
                return walked.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                        .map(folder::relativize)
                        .filter(fits)
                        .findFirst();
            }
        });
    }

    /** Whether a file, named relative to a benchmark's folder, is one that posbias reads or writes there. */
    public static boolean isPart(Path file) {
        String name = slashed(file);
        return name.equals(CARD)
                || isOneOf(name, CORPUS, ROWS)
                || isOneOf(name, QUERIES, ROWS)
                || isOneOf(name, QRELS, JUDGMENTS);
    }

    private static boolean isOneOf(String name, String stem, List<String> endings) {
        return endings.stream().anyMatch(ending -> name.equals(stem + ending));
    }

    private static String slashed(Path relative) {
        return relative.toString().replace('\\', '/');
    }

    /** SHA-256 of corpus, queries and judgements by their names inside the folder, with forward slashes. */
    public Map<String, String> checksums() {
        Map<String, String> sums = new LinkedHashMap<>();
        for (Path file : List.of(corpus, queries, qrels)) {
            sums.put(slashed(folder.relativize(file)), Checksums.sha256(file));
        }
        return sums;
    }

    private static Path only(Path folder, String stem, List<String> endings) {
        List<Path> found = endings.stream()
                .map(ending -> folder.resolve(stem + ending))
                .filter(Files::isRegularFile)
                .toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        String names =
                String.join(", ", endings.stream().map(ending -> stem + ending).toList());
        throw found.isEmpty()
                ? new BadInputException(
                        Location.of(folder), "holds no " + stem + " file", "one of " + names + " must be there")
                : new BadInputException(
                        Location.of(folder), "holds more than one " + stem + " file", "keep one of " + names);
    }
}
