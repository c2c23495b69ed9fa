package io.posbias.data.dataset;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.files.Staging;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a benchmark in BEIR's layout, or in that of the Hugging Face Hub: folders {@code corpus}, {@code queries} and
 * {@code qrels} (or {@code data}) with files {@code SPLIT-00000-of-00001.parquet}, or in that of MS
 * MARCO and Pyserini: {@code collection.tsv}, {@code queries.tsv} and {@code qrels.txt}.
 *
 * @param corpus {@code corpus.jsonl}, {@code .jsonl.gz} or {@code .parquet}, or the files of its folder in their order
 * @param queries with the same endings
 * @param qrels {@code qrels/SPLIT} with the ending {@code .tsv}, {@code .txt}, {@code .jsonl} or {@code .parquet}, or the files
 *     of the split
 * @param handling fields that replace those of the card
 */
public record DatasetFiles(
        Path folder,
        List<Path> corpus,
        List<Path> queries,
        List<Path> qrels,
        String split,
        Map<DatasetCard.Field, String> handling) {
    public static final String CARD = "dataset.yaml";

    /** Queries that are looked at for spans and answers. */
    private static final int SAMPLE = 1_000;

    private static final String CORPUS = "corpus";
    private static final String QUERIES = "queries";
    public static final String TEST = "test";
    private static final String TRAIN = "train";

    private static final String ROWS_END = "(?:\\.parquet|\\.jsonl" + RowFile.COMPRESSED + ")";

    /** File of a configuration of the Hub: split, part, ending. */
    private static final Pattern PART = Pattern.compile("(.+?)(?:-\\d+-of-\\d+)?" + ROWS_END);

    private static final Pattern ON_HUB = Pattern.compile("(?:corpus|queries)(?:/[^/]+)?" + ROWS_END
            + "|(?:qrels|data)/[^/]+(?:\\.parquet|\\.(?:jsonl|tsv)" + RowFile.COMPRESSED + ")");

    /** Files of MS MARCO's and Pyserini's layout, by the name of BEIR's. */
    private static final Map<String, Pattern> FLAT = Map.of(
            CORPUS,
            Pattern.compile("(?:corpus|collection)\\.tsv" + RowFile.COMPRESSED),
            QUERIES,
            Pattern.compile("(?:queries|topics)(?:\\..+)?\\.tsv" + RowFile.COMPRESSED),
            "qrels",
            Pattern.compile("qrels(?:\\..+)?\\.(?:txt|tsv|trec)" + RowFile.COMPRESSED));

    private static final String FOLDER_OF_QRELS = "qrels/";
    private static final String QRELS = FOLDER_OF_QRELS + TEST;
    private static final String GZIP = ".gz";
    private static final List<String> ROWS = List.of(".jsonl", ".jsonl.gz", ".parquet");
    private static final List<String> JUDGMENTS = List.of(".tsv", ".tsv.gz", ".txt", ".jsonl", ".jsonl.gz", ".parquet");

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
                folder,
                rows(folder, CORPUS, split),
                rows(folder, QUERIES, split),
                judgements(folder, split),
                split,
                Map.of());
    }

    /** Returns the split of a benchmark that a model is trained with: {@code train}, or {@link #TEST} without one. */
    public static String trainingSplit(Path folder) {
        return hasSplit(folder, TRAIN) ? TRAIN : TEST;
    }

    private static boolean hasSplit(Path folder, String split) {
        return names(FOLDER_OF_QRELS + split, JUDGMENTS).stream()
                .map(folder::resolve)
                .anyMatch(Pointers::isFile);
    }

    /** Returns the files with fields that replace those of the card. */
    public DatasetFiles with(Map<DatasetCard.Field, String> fields) {
        return new DatasetFiles(folder, corpus, queries, qrels, split, Map.copyOf(fields));
    }

    /**
     * Reads the card; other splits than test are named NAME-SPLIT. A language that it lacks is that of the passages if
     * {@link LanguageGuess} is sure; without buckets, queries with a span or an answer's text are in fifths.
     */
    public DatasetCard card() {
        DatasetCard card = written();
        if (card.language().isEmpty()) {
            LanguageGuess guess = language();
            card = card.with(DatasetCard.Field.LANGUAGE, guess.isSure() ? guess.code() : "");
        }
        return card.bucketing().isEmpty() && hasPlaces() ? card.bucketed() : card;
    }

    /** Returns the card without what follows from the texts. */
    DatasetCard written() {
        DatasetCard card = DatasetCard.read(folder);
        for (Map.Entry<DatasetCard.Field, String> field : handling.entrySet()) {
            card = card.with(field.getKey(), field.getValue());
        }
        return split.equals(TEST) ? card : card.ofSplit(split, FileNames.slashed(folder.relativize(qrels.getFirst())));
    }

    LanguageGuess language() {
        return LanguageGuess.of(RowFile.open(corpus).first(LanguageGuess.TEXTS).stream()
                .map(row -> row.text("text", ""))
                .toList());
    }

    private boolean hasPlaces() {
        return RowFile.open(queries).first(SAMPLE).stream()
                .anyMatch(row ->
                        row.has(EvidenceFields.SPAN) || !Answers.read(row).isEmpty());
    }

    public static List<Path> corpora(Path folder) {
        return rows(folder, CORPUS, TEST);
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
        return Pointers.isFile(folder.resolve(CARD))
                || (!parts(folder.resolve(CORPUS)).isEmpty()
                        && !parts(folder.resolve(QUERIES)).isEmpty())
                || names(CORPUS, ROWS).stream().map(folder::resolve).anyMatch(Pointers::isFile)
                || (!flat(folder, CORPUS).isEmpty() && !flat(folder, QUERIES).isEmpty());
    }

    /** True if the folder contains a card, or a corpus and queries. */
    public static boolean isBenchmark(Path folder) {
        return isDataset(folder) && (Pointers.isFile(folder.resolve(CARD)) || hasQueries(folder));
    }

    /** True if the folder contains queries. */
    public static boolean hasQueries(Path folder) {
        return !parts(folder.resolve(QUERIES)).isEmpty()
                || names(QUERIES, ROWS).stream().map(folder::resolve).anyMatch(Pointers::isFile)
                || !flat(folder, QUERIES).isEmpty();
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

    /**
     * Returns true for a path of a data set on the Hub that belongs to a benchmark: {@code corpus.jsonl}, {@code
     * qrels/test.tsv} or {@code corpus/test-00000-of-00001.parquet}.
     */
    public static boolean isPublished(String path) {
        return ON_HUB.matcher(path).matches();
    }

    /** True for relative names of files that posbias reads or writes in a benchmark's folder. */
    public static boolean isPart(Path file) {
        String name = FileNames.slashed(file);
        return name.equals(CARD)
                || names(CORPUS, ROWS).contains(name)
                || names(QUERIES, ROWS).contains(name)
                || names(QRELS, JUDGMENTS).contains(name);
    }

    /** Returns the endings, those of all compressions for that of gzip. */
    private static Stream<String> all(List<String> endings) {
        return endings.stream()
                .flatMap(ending -> ending.endsWith(GZIP)
                        ? Stream.of(GZIP, ".zst", ".xz", ".bz2").map(other -> ending.replace(GZIP, other))
                        : Stream.of(ending));
    }

    private static List<String> names(String stem, List<String> endings) {
        return all(endings).map(ending -> stem + ending).toList();
    }

    /** Returns SHA-256 digests by relative name with forward slashes. */
    public Map<String, String> checksums() {
        Map<String, String> sums = new LinkedHashMap<>();
        for (List<Path> files : List.of(corpus, queries, qrels)) {
            files.forEach(file -> sums.put(FileNames.slashed(folder.relativize(file)), Checksums.sha256(file)));
        }
        return sums;
    }

    /** Returns the files of a configuration of the Hub, by split; empty without its folder. */
    private static SequencedMap<String, List<Path>> parts(Path configuration) {
        SequencedMap<String, List<Path>> parts = new LinkedHashMap<>();
        if (!Files.isDirectory(configuration)) {
            return parts;
        }
        for (Path file : IoErrors.call("read", configuration, () -> FileNames.in(configuration))) {
            Matcher part = PART.matcher(String.valueOf(file.getFileName()));
            if (part.matches() && Pointers.isFile(file) && !FileNames.isHidden(configuration, file)) {
                parts.computeIfAbsent(part.group(1), split -> new ArrayList<>()).add(file);
            }
        }
        return parts;
    }

    private static List<Path> rows(Path folder, String stem, String split) {
        SequencedMap<String, List<Path>> parts = parts(folder.resolve(stem));
        boolean isPlain = names(stem, ROWS).stream().map(folder::resolve).anyMatch(Pointers::isFile);
        if (isPlain || parts.isEmpty()) {
            return List.of(only(folder, stem, ROWS));
        }
        List<Path> own =
                parts.getOrDefault(split, parts.size() == 1 ? parts.firstEntry().getValue() : List.of());
        if (own.isEmpty()) {
            throw new BadInputException(
                    Location.of(folder.resolve(stem)),
                    "holds the splits " + String.join(", ", parts.keySet()),
                    "--split chooses one");
        }
        return own;
    }

    private static List<Path> judgements(Path folder, String split) {
        if (!hasSplit(folder, split)) {
            for (String configuration : List.of(FOLDER_OF_QRELS, "data")) {
                List<Path> own = parts(folder.resolve(configuration)).get(split);
                if (own != null) {
                    return own;
                }
            }
        }
        return List.of(only(folder, FOLDER_OF_QRELS + split, JUDGMENTS));
    }

    /** Returns true for a file with the name of judgements, which is not a document. */
    static boolean isJudgements(Path file) {
        return Objects.requireNonNull(FLAT.get("qrels"))
                .matcher(String.valueOf(file.getFileName()))
                .matches();
    }

    private static List<Path> flat(Path folder, String stem) {
        Pattern name = Objects.requireNonNull(FLAT.get(stem.replaceFirst("/.*", "")));
        return !Files.isDirectory(folder)
                ? List.of()
                : IoErrors.call("read", folder, () -> FileNames.in(folder)).stream()
                        .filter(file ->
                                name.matcher(String.valueOf(file.getFileName())).matches())
                        .filter(Pointers::isFile)
                        .toList();
    }

    private static Path only(Path folder, String stem, List<String> endings) {
        List<String> names = names(stem, endings);
        List<Path> usual =
                names.stream().map(folder::resolve).filter(Pointers::isFile).toList();
        List<Path> found = usual.isEmpty() ? flat(folder, stem) : usual;
        if (found.size() == 1) {
            return found.getFirst();
        }
        String listed = endings.stream().map(ending -> stem + ending).collect(Collectors.joining(", "));
        List<String> splits = stem.startsWith(FOLDER_OF_QRELS) ? splits(folder) : List.of();
        throw new BadInputException(
                Location.of(folder),
                (found.isEmpty() ? "holds no " : "holds more than one ") + stem + " file",
                !found.isEmpty()
                        ? "keep one of "
                                + found.stream()
                                        .map(file -> FileNames.slashed(folder.relativize(file)))
                                        .collect(Collectors.joining(", "))
                        : splits.isEmpty()
                                ? "one of " + listed + " must be there"
                                : "--split chooses another: " + String.join(", ", splits));
    }

    private static List<String> splits(Path folder) {
        Path qrels = folder.resolve(FOLDER_OF_QRELS);
        if (!Files.isDirectory(qrels)) {
            return List.of();
        }
        return IoErrors.call("read", qrels, () -> FileNames.in(qrels)).stream()
                .filter(file -> !FileNames.isHidden(qrels, file))
                .map(file -> String.valueOf(file.getFileName()))
                .flatMap(name -> all(JUDGMENTS)
                        .filter(name::endsWith)
                        .map(ending -> name.substring(0, name.length() - ending.length())))
                .distinct()
                .sorted()
                .toList();
    }
}
