package io.posbias.build;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.IoErrors;
import io.posbias.Location;
import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.RowFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The documents that a pipeline begins with, read from front to back as often as they are needed: rows of JSON lines, Parquet
 * or tab-separated files, the corpus of a benchmark, or a folder of {@code .txt} and {@code .md} files, in the order of their
 * paths.
 *
 * @param files that hold them, in order: names and digests
 * @param paths of the same files
 * @param textField the field of rows that holds the text
 */
record RawDocuments(List<PipelineRecord.Input> files, List<Path> paths, String textField) {
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final List<String> TEXTS = List.of(".txt", ".md");

    /** Takes a document as it is found. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes one.
         *
         * @param source where it is, for errors
         * @param id that of the row or file; not checked to be the only one
         */
        void visit(Fields source, String id, String text);
    }

    /**
     * Finds the files of what {@code --input} names and takes their digests.
     *
     * @throws UsageException if there are none
     */
    static RawDocuments of(Construction construction) {
        List<Path> paths = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Path input : construction.inputs()) {
            if (!Files.exists(input)) {
                throw new UsageException("--input " + input + ": file or folder not found");
            }
            List<Path> found = Files.isDirectory(input) ? inside(input) : List.of(input);
            found.forEach(file -> {
                paths.add(file);
                names.add(file.equals(input) ? String.valueOf(input.getFileName()) : slashed(input.relativize(file)));
            });
        }
        List<PipelineRecord.Input> files = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            files.add(new PipelineRecord.Input(names.get(i), Checksums.sha256(paths.get(i))));
        }
        return new RawDocuments(files, paths, construction.textField());
    }

    private static List<Path> inside(Path folder) {
        if (DatasetFiles.isDataset(folder)) {
            return List.of(DatasetFiles.corpus(folder));
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> texts = walk.filter(RawDocuments::isText).sorted().toList();
            if (texts.isEmpty()) {
                throw new UsageException("--input " + folder + " holds neither a benchmark nor .txt or .md files");
            }
            return texts;
        } catch (IOException unreadable) {
            throw new PosbiasException(IoErrors.describe("read", folder, unreadable), unreadable);
        } catch (UncheckedIOException unreadable) {
            throw new PosbiasException(IoErrors.describe("read", folder, unreadable), unreadable);
        }
    }

    private static boolean isText(Path file) {
        return TEXTS.stream().anyMatch(ending -> file.toString().endsWith(ending)) && Files.isRegularFile(file);
    }

    private static String slashed(Path relative) {
        return relative.toString().replace('\\', '/');
    }

    /** Reads all documents. */
    void forEach(Visitor visitor) {
        for (int i = 0; i < paths.size(); i++) {
            Path file = paths.get(i);
            if (isText(file)) {
                visitor.visit(
                        new Fields(Location.of(file), Map.of()),
                        withoutEnding(files.get(i).file()),
                        read(file));
            } else {
                rows(file, visitor);
            }
        }
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

    /** An identifier has no white space: runs of TREC are split there. */
    private static String withoutEnding(String name) {
        return WHITE_SPACE.matcher(name.substring(0, name.lastIndexOf('.'))).replaceAll("_");
    }

    /** The identifier of a row is its {@code _id} or {@code id}, else its number in the file. */
    private void rows(Path file, Visitor visitor) {
        long[] number = {0};
        RowFile.open(file).forEach(row -> {
            number[0]++;
            String id = row.has("_id") ? row.id("_id") : row.has("id") ? row.id("id") : "row" + number[0];
            visitor.visit(row, id, row.text(textField));
        });
    }
}
