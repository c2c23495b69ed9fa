package io.posbias.dataset;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.IoErrors;
import io.posbias.Location;
import io.posbias.PosbiasException;
import io.posbias.Staging;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The files of a benchmark in BEIR's layout.
 *
 * @param corpus {@code corpus.jsonl}, {@code .jsonl.gz} or {@code .parquet}
 * @param queries with the same endings
 * @param qrels {@code qrels/SPLIT.tsv}, {@code .tsv.gz}, {@code .txt}, {@code .jsonl}, {@code .jsonl.gz} or {@code .parquet}
 * @param handling fields that replace those of the card
 */
public record DatasetFiles(
        Path folder, Path corpus, Path queries, Path qrels, Map<DatasetCard.Field, String> handling) {
    public static final String CARD = "dataset.yaml";

    private static final String CORPUS = "corpus";
    private static final String QUERIES = "queries";
    public static final String TEST = "test";

    private static final String FOLDER_OF_QRELS = "qrels/";
    private static final String QRELS = FOLDER_OF_QRELS + TEST;
    private static final List<String> ROWS = List.of(".jsonl", ".jsonl.gz", ".parquet");
    private static final List<String> JUDGMENTS = 
            List.of(".tsv", ".tsv.gz", ".txt", ".jsonl", ".jsonl.gz", ".parquet");

    public static DatasetFiles find(Path folder) {
        return find(folder, TEST);
    }

    /** Finds the files with the judgements of a split, for example {@code dev}. */
    public static DatasetFiles find(Path folder, String split) {
        Staging.restore(folder);
        if (!Files.isDirectory(folder)) {
            throw new PosbiasException("cannot read " + folder + ": folder not found");
        }
        return new DatasetFiles(
                folder, corpus(folder), queries(folder), only(folder, FOLDER_OF_QRELS + split, JUDGMENTS), Map.of());
    }

    public static boolean hasSplit(Path folder, String split) {
        return names(FOLDER_OF_QRELS + split, JUDGMENTS).stream()
                .map(folder::resolve)
                .anyMatch(Files::isRegularFile);
    }

    /** Returns the files with fields that replace those of the card. */
    public DatasetFiles with(Map<DatasetCard.Field, String> fields) {
        return new DatasetFiles(folder, corpus, queries, qrels, Map.copyOf(fields));
    }

    /** Reads the card; other splits than test are named NAME-SPLIT. */
    public DatasetCard card() {
        DatasetCard card = DatasetCard.read(folder);
        for (Map.Entry<DatasetCard.Field, String> field : handling.entrySet()) {
            card = card.with(field.getKey(), field.getValue());
        }
        String split = String.valueOf(qrels.getFileName()).replaceFirst("\\..*", "");
        return split.equals(TEST) ? card : card.ofSplit(split, slashed(folder.relativize(qrels)));
    }

    public static Path corpus(Path folder) {
        return only(folder, CORPUS, ROWS);
    }

    public static Path queries(Path folder) {
        return only(folder, QUERIES, ROWS);
    }

    public static Path qrels(Path folder) {
        return only(folder, QRELS, JUDGMENTS);
    }

    /** True if the folder contains a card or a corpus. */
    public static boolean isDataset(Path folder) {
        return Files.isRegularFile(folder.resolve(CARD))
                || names(CORPUS, ROWS).stream().map(folder::resolve).anyMatch(Files::isRegularFile);
    }

    /** Returns the first matching file below a folder in the order of paths, as a relative path. */
    public static Optional<Path> first(Path folder, Predicate<Path> fits) {
        return IoErrors.call("read", folder, () -> {
            try (Stream<Path> walked = Files.walk(folder)) {
                return walked.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                        .map(folder::relativize)
                        .filter(fits)
                        .min(Comparator.naturalOrder());
            }
        });
    }

    /** True for relative names of files that posbias reads or writes in a benchmark's folder. */
    public static boolean isPart(Path file) {
        String name = slashed(file);
        return name.equals(CARD)
                || names(CORPUS, ROWS).contains(name)
                || names(QUERIES, ROWS).contains(name)
                || names(QRELS, JUDGMENTS).contains(name);
    }

    private static List<String> names(String stem, List<String> endings) {
        return endings.stream().map(ending -> stem + ending).toList();
    }

    private static String slashed(Path relative) {
        return relative.toString().replace('\\', '/');
    }

    /** Returns SHA-256 digests by relative name with forward slashes. */
    public Map<String, String> checksums() {
        Map<String, String> sums = new LinkedHashMap<>();
        for (Path file : List.of(corpus, queries, qrels)) {
            sums.put(slashed(folder.relativize(file)), Checksums.sha256(file));
        }
        return sums;
    }

    private static Path only(Path folder, String stem, List<String> endings) {
        List<String> names = names(stem, endings);
        List<Path> found =
                names.stream().map(folder::resolve).filter(Files::isRegularFile).toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        String listed = String.join(", ", names);
        List<String> splits = stem.startsWith(FOLDER_OF_QRELS) ? splits(folder) : List.of();
        throw new BadInputException(
                Location.of(folder),
                (found.isEmpty() ? "holds no " : "holds more than one ") + stem + " file",
                !found.isEmpty()
                        ? "keep one of " + listed
                        : splits.isEmpty()
                                ? "one of " + listed + " must be there"
                                : "--split chooses one of those that are there: " + String.join(", ", splits));
    }

    /** Returns the names of the splits with judgements, in their order. */
    private static List<String> splits(Path folder) {
        Path qrels = folder.resolve(FOLDER_OF_QRELS);
        if (!Files.isDirectory(qrels)) {
            return List.of();
        }
        return IoErrors.call("read", qrels, () -> {
            try (Stream<Path> files = Files.list(qrels)) {
                return files.map(file -> String.valueOf(file.getFileName()))
                        .flatMap(name -> JUDGMENTS.stream()
                                .filter(name::endsWith)
                                .map(ending -> name.substring(0, name.length() - ending.length())))
                        .distinct()
                        .sorted()
                        .toList();
            }
        });
    }
}
