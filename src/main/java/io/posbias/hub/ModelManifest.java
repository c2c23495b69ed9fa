package io.posbias.hub;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.FileNames;
import io.posbias.Json;
import io.posbias.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a model's folder holds, written when all of it is there: a folder without a manifest was not pulled to its end, or
 * not by posbias.
 *
 * @param folder the model's folder
 * @param repository owner and name on the Hub
 * @param revision the branch, tag or commit that was asked for
 * @param commit what the revision stood at; empty when unknown
 * @param verified whether all files were compared with digests of the Hub; false for files that a person brought here
 *     and the Hub was not asked for
 */
public record ModelManifest(
        Path folder, String repository, String revision, String commit, boolean verified, List<Entry> files) {
    /** Its file name. */
    public static final String FILE = "posbias-model.json";

    private static final String SCHEMA = "posbias/model/1";

    /**
     * A file.
     *
     * @param path inside the folder, with forward slashes
     * @param size in bytes
     * @param modified when it was changed last, as the file system said then (ISO 8601)
     * @param sha256 of its content, in lower case
     */
    public record Entry(String path, long size, String modified, String sha256) {
        /** Describes a file as it is; its digest is computed unless it is known. */
        static Entry of(Path folder, String path, Optional<String> sha256) throws IOException {
            Path file = FileNames.inside(folder, path);
            return new Entry(
                    path,
                    Files.size(file),
                    Files.getLastModifiedTime(file).toString(),
                    sha256.orElseGet(() -> Checksums.sha256(file)));
        }

        private boolean hasItsSize(Path folder) {
            return is(folder, file -> Files.size(file) == size);
        }

        boolean isUntouched(Path folder) {
            return is(
                    folder,
                    file -> Files.size(file) == size
                            && Files.getLastModifiedTime(file).toString().equals(modified));
        }

        private boolean is(Path folder, Check check) {
            Path file = FileNames.inside(folder, path);
            try {
                return Files.isRegularFile(file) && check.passes(file);
            } catch (IOException unreadable) {
                return false;
            }
        }

        private interface Check {
            boolean passes(Path file) throws IOException;
        }
    }

    private record Card(
            String schema,
            String repository,
            String revision,
            String commit,
            @Nullable Boolean verified,
            List<Entry> files) {}

    /** Keeps its own copy of the list. */
    public ModelManifest {
        files = List.copyOf(files);
    }

    /** The manifest of a folder; empty when there is none that can be read. */
    public static Optional<ModelManifest> read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            Fields fields = Json.readJson(file);
            fields.refuseOtherSchema(SCHEMA, "pull the model again");
            Card card = Json.bind(fields, Card.class);
            boolean verified = Boolean.TRUE.equals(card.verified);
            return Optional.of(
                    new ModelManifest(folder, card.repository, card.revision, card.commit, verified, card.files));
        } catch (BadInputException notAManifest) {
            // It was written whole, so a person or another version changed it: as good as none.
            return Optional.empty();
        }
    }

    /** Whether these are the files of a model, of the revision it names. */
    boolean isOf(HubModel model) {
        HubRepository asked = model.repository();
        Set<String> paths = files.stream().map(Entry::path).collect(Collectors.toSet());
        return asked.name().equals(repository)
                && (asked.revision().equals(revision) || asked.revision().equals(commit))
                && paths.equals(new HashSet<>(model.files()));
    }

    boolean isWhole() {
        return files.stream().allMatch(entry -> entry.hasItsSize(folder));
    }

    boolean isUntouched() {
        return files.stream().allMatch(entry -> entry.isUntouched(folder));
    }

    /**
     * Reads every file anew.
     *
     * @return the same manifest with the files' present times; empty when a file has another content
     */
    Optional<ModelManifest> compared() throws IOException {
        List<Entry> now = new ArrayList<>();
        for (Entry entry : files) {
            Entry found = Entry.of(folder, entry.path(), Optional.empty());
            if (!found.sha256().equals(entry.sha256())) {
                return Optional.empty();
            }
            now.add(found);
        }
        return Optional.of(new ModelManifest(folder, repository, revision, commit, verified, now));
    }

    /** Writes it into its folder, whole or not at all. */
    void write() {
        Card card = new Card(SCHEMA, repository, revision, commit, verified, files);
        Staging.writeFile(folder.resolve(FILE), Json.toBytes(card));
    }
}
