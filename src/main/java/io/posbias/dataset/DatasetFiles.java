package io.posbias.dataset;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Location;
import io.posbias.PosbiasException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    private static final List<String> ROWS = List.of(".jsonl", ".jsonl.gz", ".parquet");

    /** Finds the files. */
    public static DatasetFiles find(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new PosbiasException("cannot read " + folder + ": no such folder");
        }
        return new DatasetFiles(folder, corpus(folder), queries(folder), qrels(folder));
    }

    /** The corpus in a folder. */
    public static Path corpus(Path folder) {
        return only(folder, "corpus", ROWS);
    }

    /** The queries in a folder. */
    public static Path queries(Path folder) {
        return only(folder, "queries", ROWS);
    }

    /** The judgements in a folder. */
    public static Path qrels(Path folder) {
        return only(folder, "qrels/test", List.of(".tsv", ".tsv.gz", ".parquet"));
    }

    /** Whether a folder looks like a benchmark: it holds a card or a corpus. */
    public static boolean isDataset(Path folder) {
        return Files.isRegularFile(folder.resolve(CARD))
                || ROWS.stream().anyMatch(ending -> Files.isRegularFile(folder.resolve("corpus" + ending)));
    }

    /** SHA-256 of corpus, queries and judgements by their names inside the folder, with forward slashes. */
    public Map<String, String> checksums() {
        Map<String, String> sums = new LinkedHashMap<>();
        for (Path file : List.of(corpus, queries, qrels)) {
            sums.put(folder.relativize(file).toString().replace('\\', '/'), Checksums.sha256(file));
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
