package io.posbias.data.dataset;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Markdown;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.input.DocumentText;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Documents without queries, streamed on each visit: rows of JSON lines, Parquet or tab-separated files with a column of texts,
 * the corpus of a benchmark, or {@code .txt}, {@code .md}, {@code .html}, {@code .pdf} and {@code .docx} files. A folder that is not a benchmark contains texts or files of
 * rows, which are read in the order of their paths; hidden files and folders are not read.
 *
 * <p>Identifiers are unique. A text has the name of its file, a row its {@code _id} or {@code id}, else its number; rows of
 * several files have the file's name and {@code #} before it.
 *
 * @param files by name: the path below the folder that contains all inputs, in order
 * @param textField column of rows with the text
 * @param isOneCorpus true if rows keep their own identifiers: those of one file, or of the corpus of a benchmark
 * @param unread description of the files in the folders that are not read; empty without
 */
public record PlainDocuments(SequencedMap<String, Path> files, String textField, boolean isOneCorpus, String unread) {
    private static final Pattern TEXT = Pattern.compile("(?is).*\\.(txt|md|html?|pdf|docx)");
    private static final Pattern ROWS =
            Pattern.compile("(?s).*\\.(jsonl|jsonlines|ndjson|tsv)" + RowFile.COMPRESSED + "|(?s).*\\.parquet");

    /** Rows of files that may also describe documents: they are read without other documents beside them. */
    private static final Pattern MORE_ROWS = Pattern.compile("(?s).*\\.(json|csv)" + RowFile.COMPRESSED);

    /** The kinds in words, for messages. */
    public static final String KINDS = ".txt, .md, .html, .pdf, .docx, .jsonl, .json, .csv, .tsv or .parquet files";

    /** Field of a text's source: the number of lines that are not part of the document, as they are no prose. */
    public static final String LEFT_OUT = "left_out";

    private static final int MOST_KINDS = 8;

    public PlainDocuments {
        files = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(files));
    }

    @FunctionalInterface
    public interface Visitor {
        /**
         * @param source location for errors
         * @param id unique
         */
        void visit(Fields source, String id, String text);
    }

    /**
     * Finds the files.
     *
     * @param option the option that names the inputs, for errors
     * @throws UsageException if an input is missing or contains no documents, both texts and rows, or files of another input
     */
    public static PlainDocuments of(List<Path> inputs, String textField, String option) {
        Path root = root(inputs, option);
        SequencedMap<String, Path> files = new LinkedHashMap<>();
        List<String> unread = new ArrayList<>();
        for (Path input : inputs) {
            if (!Files.exists(input)) {
                throw new UsageException(option + " " + input + ": file or folder not found");
            }
            Found found = Found.in(input);
            List<Path> documents = found.documents(option);
            found.unread().ifPresent(unread::add);
            for (Path file : documents) {
                if (files.put(FileNames.identifier(root, file), file) != null) {
                    throw new UsageException(option + " names " + file + " twice");
                }
            }
        }
        boolean isOneCorpus = files.size() == 1 || (inputs.size() == 1 && DatasetFiles.isBenchmark(inputs.getFirst()));
        return new PlainDocuments(files, textField, isOneCorpus, String.join("; ", unread));
    }

    /** Returns the folder of the only input, or the deepest one that contains all. */
    private static Path root(List<Path> inputs, String option) {
        Path root = inputs.getFirst().toAbsolutePath().normalize();
        for (Path input : inputs) {
            while (!Files.isDirectory(root)
                    || !input.toAbsolutePath().normalize().startsWith(root)) {
                Path parent = root.getParent();
                if (parent == null) {
                    throw new UsageException(option + " names files on several drives: copy them to one");
                }
                root = parent;
            }
        }
        return root;
    }

    /** Returns a note on the files in the folders that are not read; empty without. */
    public Optional<String> unreadNote() {
        return unread.isEmpty() ? Optional.empty() : Optional.of("note: " + unread);
    }

    /** True if a folder has documents. */
    public static boolean isIn(Path folder) {
        Found found = Found.in(folder);
        return !found.texts.isEmpty() || !found.rows.isEmpty() || !found.more.isEmpty();
    }

    /** Returns the files of rows in a folder and below it, in the order of their paths. */
    public static List<Path> rowFiles(Path folder) {
        return Found.in(folder).rows;
    }

    /**
     * Files of an input.
     *
     * @param more rows that may describe the other files
     * @param others numbers of other files by their kind
     */
    private record Found(Path input, List<Path> texts, List<Path> rows, List<Path> more, Map<String, Integer> others) {
        static Found in(Path input) {
            Found found = new Found(input, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
            if (DatasetFiles.isBenchmark(input)) {
                found.rows.addAll(DatasetFiles.corpora(input));
            } else {
                IoErrors.run("read", input, () -> {
                    try (Stream<Path> walked = Files.walk(input)) {
                        walked.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                                .sorted()
                                .forEach(found::add);
                    }
                });
            }
            return found;
        }

        private void add(Path file) {
            String name = String.valueOf(file.getFileName());
            if (FileNames.isHidden(input, file)) {
                others.merge("hidden", 1, Integer::sum);
            } else if (!Files.isRegularFile(file)) {
                others.merge(Files.isDirectory(file) ? "link to a folder" : "broken link", 1, Integer::sum);
            } else if (DatasetFiles.isJudgements(file)) {
                others.merge("judgements", 1, Integer::sum);
            } else if (TEXT.matcher(name).matches()) {
                texts.add(file);
            } else if (ROWS.matcher(name).matches()) {
                rows.add(file);
            } else if (MORE_ROWS.matcher(name).matches()) {
                more.add(file);
            } else {
                addOther(file);
            }
        }

        /** Counts a document without text, as a scan is, and a broken one among others. */
        private boolean isUnreadable(Path file, boolean isOnly) {
            try {
                if (!DocumentText.of(file).isEmpty()) {
                    return false;
                }
                others.merge("without text (scans?)", 1, Integer::sum);
            } catch (BadInputException broken) {
                if (isOnly) {
                    throw broken;
                }
                others.merge("broken", 1, Integer::sum);
            }
            return true;
        }

        private void addOther(Path file) {
            String name = String.valueOf(file.getFileName());
            others.merge(name.substring(Math.max(0, name.lastIndexOf('.'))), 1, Integer::sum);
        }

        List<Path> documents(String option) {
            if (texts.isEmpty() && rows.isEmpty() && more.isEmpty()) {
                throw new UsageException(option + " " + input + " contains neither a benchmark nor " + KINDS);
            }
            if (texts.isEmpty() && rows.isEmpty()) {
                return more;
            }
            more.forEach(this::addOther);
            int all = texts.size();
            texts.removeIf(
                    file -> DocumentText.KIND.matcher(file.toString()).matches() && isUnreadable(file, all == 1));
            if (texts.isEmpty() && rows.isEmpty()) {
                throw new UsageException(option + " " + input + " contains " + Plural.of(all, "document")
                        + " without text (scans?): recognise their text first, for example ocrmypdf IN.pdf OUT.pdf");
            }
            if (!texts.isEmpty() && !rows.isEmpty()) {
                throw new UsageException(option + " " + input + " contains texts (" + some(texts) + ") and rows ("
                        + some(rows) + "): give " + (rows.size() == 1 ? rows.getFirst() + ", or " : "")
                        + "a folder with only the documents");
            }
            return texts.isEmpty() ? rows : texts;
        }

        private String some(List<Path> files) {
            String first = Printable.cut(input.relativize(files.getFirst()).toString());
            return files.size() == 1 ? first : Plural.of(files.size(), "file") + ", first " + first;
        }

        Optional<String> unread() {
            String kinds = others.entrySet().stream()
                    .limit(MOST_KINDS)
                    .map(kind -> kind.getValue() + " " + Printable.cut(kind.getKey()))
                    .collect(Collectors.joining(", "));
            return others.isEmpty()
                    ? Optional.empty()
                    : Optional.of(input + ": not read: " + kinds + (others.size() > MOST_KINDS ? " and others" : ""));
        }
    }

    /** Returns true for rows with identifiers, of which the first is looked at. */
    public boolean haveIds() {
        Map.Entry<String, Path> first = files.firstEntry();
        return !TEXT.matcher(first.getKey()).matches()
                && RowFile.open(first.getValue()).first(1).stream().anyMatch(row -> row.has(row.named("_id", "id")));
    }

    /** Guesses the language of the first documents. */
    public LanguageGuess language() {
        List<String> texts = new ArrayList<>();
        try {
            forEach((source, id, text) -> {
                texts.add(text);
                RowFile.Enough.at(texts.size(), LanguageGuess.TEXTS);
            });
        } catch (RowFile.Enough read) {
            // The rest is not read.
        }
        return LanguageGuess.of(texts);
    }

    /** @throws BadInputException if an identifier repeats, naming both places */
    public void forEach(Visitor visitor) {
        files.forEach((name, file) -> {
            if (TEXT.matcher(name).matches()) {
                Markdown text = name.toLowerCase(Locale.ROOT).endsWith(".md")
                        ? Markdown.of(read(file))
                        : new Markdown(read(file), 0);
                visitor.visit(new Fields(Location.of(file), Map.of(LEFT_OUT, text.leftOut())), name, text.prose());
            } else if (!isOneCorpus) {
                rows(RowFile.open(file), name + "#", visitor);
            }
        });
        if (isOneCorpus && !TEXT.matcher(files.firstEntry().getKey()).matches()) {
            rows(RowFile.open(List.copyOf(files.values())), "", visitor);
        }
    }

    /** Returns the documents as a corpus. */
    public Passages passages() {
        List<String> ids = new ArrayList<>();
        forEach((source, id, text) -> ids.add(id));
        return Passages.streamed(
                consumer -> forEach((source, id, text) -> consumer.accept(new Passage(id, "", text))),
                new PassageIds(ids));
    }

    private static String read(Path file) {
        if (DocumentText.KIND.matcher(file.toString()).matches()) {
            return DocumentText.of(file);
        }
        Pointers.refuse(file);
        return IoErrors.call("read", file, () -> {
            try {
                return Files.readString(file, StandardCharsets.UTF_8);
            } catch (CharacterCodingException otherEncoding) {
                throw new BadInputException(
                        Location.of(file), "is not UTF-8 text", "convert it, for example with iconv", otherEncoding);
            }
        });
    }

    private void rows(RowFile rows, String prefix, Visitor visitor) {
        Set<Long> hashes = new HashSet<>();
        forEachId(rows, (row, id) -> {
            if (!hashes.add(CodePoints.hash(id.chars()))) {
                refuseRepeated(rows, row, id);
            }
            visitor.visit(row, prefix + id, row.text(textField));
        });
    }

    /** Visits the rows with their {@code _id} or {@code id}, else their number. */
    private static void forEachId(RowFile rows, BiConsumer<Fields, String> visitor) {
        long[] number = {0};
        rows.forEach(row -> {
            number[0]++;
            String name = row.named("_id", "id");
            visitor.accept(row, row.has(name) ? row.trecId(name) : "row" + number[0]);
        });
    }

    /** Refuses an identifier that another row has, too; two identifiers may have one hash. */
    private static void refuseRepeated(RowFile rows, Fields row, String id) {
        forEachId(rows, (other, same) -> {
            if (same.equals(id) && !other.where().equals(row.where())) {
                throw Passages.repeated(row, id, other.where());
            }
        });
    }
}
