package io.posbias.data.dataset;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Documents without queries, streamed on each visit: rows of JSON lines, Parquet or tab-separated files with a column of texts,
 * the corpus of a benchmark, or {@code .txt} and {@code .md} files. A folder that is not a benchmark is searched for texts, and
 * without any for files of rows, in the order of their paths.
 *
 * @param files by name, in order
 * @param textField column of rows with the text
 */
public record PlainDocuments(SequencedMap<String, Path> files, String textField) {
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final Pattern TEXT = Pattern.compile(".*\\.(txt|md)");
    private static final Pattern ROWS =
            Pattern.compile(".*\\.(jsonl|jsonlines|tsv)" + RowFile.COMPRESSED + "|.*\\.parquet");

    public PlainDocuments {
        files = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(files));
    }

    @FunctionalInterface
    public interface Visitor {
        /**
         * @param source location for errors
         * @param id of the row or file; may repeat
         */
        void visit(Fields source, String id, String text);
    }

    /**
     * Finds the files.
     *
     * @param option the option that names the inputs, for errors
     * @throws UsageException if an input is missing or contains no documents
     */
    public static PlainDocuments of(List<Path> inputs, String textField, String option) {
        SequencedMap<String, Path> files = new LinkedHashMap<>();
        for (Path input : inputs) {
            if (!Files.exists(input)) {
                throw new UsageException(option + " " + input + ": file or folder not found");
            }
            List<Path> found = Files.isDirectory(input) ? inside(input) : List.of(input);
            if (found.isEmpty()) {
                throw new UsageException(option + " " + input
                        + " contains neither a benchmark nor .txt, .md, .jsonl, .parquet or .tsv files");
            }
            for (Path file : found) {
                String name = file.equals(input)
                        ? String.valueOf(input.getFileName())
                        : FileNames.slashed(input.relativize(file));
                if (files.putIfAbsent(name, file) != null) {
                    files.put(FileNames.slashed(file), file);
                }
            }
        }
        return new PlainDocuments(files, textField);
    }

    /** True if a folder has documents. */
    public static boolean isIn(Path folder) {
        return !inside(folder).isEmpty();
    }

    private static List<Path> inside(Path folder) {
        if (DatasetFiles.isDataset(folder)) {
            return DatasetFiles.corpora(folder);
        }
        List<Path> texts = matching(folder, TEXT);
        return texts.isEmpty() ? rowFiles(folder) : texts;
    }

    /** Returns the files of rows in a folder and below it, in the order of their paths. */
    public static List<Path> rowFiles(Path folder) {
        return matching(folder, ROWS);
    }

    private static List<Path> matching(Path folder, Pattern name) {
        return IoErrors.call("read", folder, () -> {
            try (Stream<Path> walk = Files.walk(folder)) {
                return walk.filter(file -> matches(file, name) && Files.isRegularFile(file))
                        .sorted()
                        .toList();
            }
        });
    }

    private static boolean matches(Path file, Pattern name) {
        return name.matcher(String.valueOf(file.getFileName())).matches();
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

    public void forEach(Visitor visitor) {
        files.forEach((name, file) -> {
            if (matches(file, TEXT)) {
                visitor.visit(new Fields(Location.of(file), Map.of()), withoutEnding(name), read(file));
            } else {
                rows(file, visitor);
            }
        });
    }

    /** Returns the documents as a corpus; an identifier that repeats gets the document's number in the input. */
    public Passages passages() {
        List<String> ids = new ArrayList<>();
        Map<String, Integer> first = new LinkedHashMap<>();
        forEach((source, id, text) ->
                ids.add(first.putIfAbsent(id, ids.size()) == null ? id : id + "#" + (ids.size() + 1)));
        return Passages.streamed(
                consumer -> {
                    int[] next = {0};
                    forEach((source, id, text) -> consumer.accept(new Passage(ids.get(next[0]++), "", text)));
                },
                new PassageIds(ids));
    }

    private static String read(Path file) {
        return IoErrors.call("read", file, () -> {
            try {
                return Files.readString(file, StandardCharsets.UTF_8);
            } catch (CharacterCodingException otherEncoding) {
                throw new BadInputException(
                        Location.of(file), "is not UTF-8 text", "convert it, for example with iconv", otherEncoding);
            }
        });
    }

    /** Identifiers must not contain white space: run files are split there. */
    private static String withoutEnding(String name) {
        return WHITE_SPACE.matcher(name.substring(0, name.lastIndexOf('.'))).replaceAll("_");
    }

    /** The identifier of a row is its {@code _id} or {@code id}, else its row number. */
    private void rows(Path file, Visitor visitor) {
        long[] number = {0};
        RowFile.open(file).forEach(row -> {
            number[0]++;
            String name = row.named("_id", "id");
            String id = row.has(name) ? row.id(name) : "row" + number[0];
            visitor.visit(row, id, row.text(textField));
        });
    }
}
