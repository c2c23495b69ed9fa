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
    /** The judgements that are used unless others are asked for. */
    public static final String TEST = "test";

    private static final String FOLDER_OF_QRELS = "qrels/";
    private static final String QRELS = FOLDER_OF_QRELS + TEST;
    private static final List<String> ROWS = List.of(".jsonl", ".jsonl.gz", ".parquet");
    private static final List<String> JUDGMENTS = List.of(".tsv", ".tsv.gz", ".parquet");

    /** Finds the files. */
    public static DatasetFiles find(Path folder) {
        return find(folder, TEST);
    }

    /**
     * Finds the files, with the judgements of a split.
     *
     * @param split the name of a file in {@code qrels} without its ending, such as {@code dev}
     */
    public static DatasetFiles find(Path folder, String split) {
        Staging.restore(folder);
        if (!Files.isDirectory(folder)) {
            throw new PosbiasException("cannot read " + folder + ": no such folder");
        }
        return new DatasetFiles(
                folder, corpus(folder), queries(folder), only(folder, FOLDER_OF_QRELS + split, JUDGMENTS));
    }

    /** Whether a folder has the judgements of a split. */
    public static boolean hasSplit(Path folder, String split) {
        return names(FOLDER_OF_QRELS + split, JUDGMENTS).stream()
                .map(folder::resolve)
                .anyMatch(Files::isRegularFile);
    }

    /** What dataset.yaml says of them; with other judgements than those of the test split it is another benchmark. */
    public DatasetCard card() {
        DatasetCard card = DatasetCard.read(folder);
        String split = String.valueOf(qrels.getFileName()).replaceFirst("\\..*", "");
        return split.equals(TEST) ? card : card.ofSplit(split, slashed(folder.relativize(qrels)));
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
                || names(CORPUS, ROWS).stream().map(folder::resolve).anyMatch(Files::isRegularFile);
    }

    /** Some file in a folder or below it that fits, relative to the folder; looks no further than the first. */
    public static Optional<Path> first(Path folder, Predicate<Path> fits) {
        return IoErrors.call("read", folder, () -> {
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

    /** SHA-256 of corpus, queries and judgements by their names inside the folder, with forward slashes. */
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
        throw new BadInputException(
                Location.of(folder),
                (found.isEmpty() ? "holds no " : "holds more than one ") + stem + " file",
                found.isEmpty() ? "one of " + listed + " must be there" : "keep one of " + listed);
    }
}
