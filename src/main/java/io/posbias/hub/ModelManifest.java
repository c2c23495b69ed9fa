package io.posbias.hub;

import io.posbias.BadInputException;
import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
        /** Describes a file as it stands; its digest is computed unless it is known. */
        static Entry of(Path folder, String path, Optional<String> sha256) throws IOException {
            Path file = folder.resolve(path);
            return new Entry(
                    path,
                    Files.size(file),
                    Files.getLastModifiedTime(file).toString(),
                    sha256.orElseGet(() -> Checksums.sha256(file)));
        }

        private boolean hasItsSize(Path folder) {
            Path file = folder.resolve(path);
            try {
                return Files.isRegularFile(file) && Files.size(file) == size;
            } catch (IOException unreadable) {
                return false;
            }
        }

        private boolean isUntouched(Path folder) {
            try {
                return hasItsSize(folder)
                        && Files.getLastModifiedTime(folder.resolve(path))
                                .toString()
                                .equals(modified);
            } catch (IOException unreadable) {
                return false;
            }
        }
    }

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
            return Optional.of(new ModelManifest(
                    folder,
                    fields.text("repository"),
                    fields.text("revision"),
                    fields.text("commit"),
                    Boolean.TRUE.equals(fields.raw("verified")),
                    fields.records("files").stream().map(ModelManifest::entry).toList()));
        } catch (BadInputException notAManifest) {
            // It was written whole, so a person or another version changed it: as good as none.
            return Optional.empty();
        }
    }

    private static Entry entry(Fields fields) {
        return new Entry(
                fields.text("path"), (long) fields.number("size"), fields.text("modified"), fields.text("sha256"));
    }

    /**
     * The digest of a file, without reading the file.
     *
     * @param path inside the folder, with forward slashes
     * @return empty when the file is not in the manifest, or its size or time is not what the manifest says
     */
    public Optional<String> sha256(String path) {
        return files.stream()
                .filter(entry -> entry.path().equals(path) && entry.isUntouched(folder))
                .map(Entry::sha256)
                .findFirst();
    }

    /** Whether these are the files of a model, of the revision it names. */
    boolean isOf(HubModel model) {
        HubRepository asked = model.repository();
        Set<String> paths = files.stream().map(Entry::path).collect(Collectors.toSet());
        return asked.name().equals(repository)
                && (asked.revision().equals(revision) || asked.revision().equals(commit))
                && paths.equals(new HashSet<>(model.files()));
    }

    /** Whether every file is there with its size. */
    boolean isWhole() {
        return files.stream().allMatch(entry -> entry.hasItsSize(folder));
    }

    /** Whether every file has its size and time. */
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
        Path file = folder.resolve(FILE);
        Path part = folder.resolve(FILE + ".part");
        try {
            Files.write(part, Json.toBytes(toMap()));
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }

    private Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("schema", SCHEMA);
        map.put("repository", repository);
        map.put("revision", revision);
        map.put("commit", commit);
        map.put("verified", verified);
        map.put("files", files.stream().map(ModelManifest::toMap).toList());
        return map;
    }

    private static Map<String, Object> toMap(Entry entry) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("path", entry.path());
        map.put("size", entry.size());
        map.put("modified", entry.modified());
        map.put("sha256", entry.sha256());
        return map;
    }
}
