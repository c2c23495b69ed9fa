package io.posbias.fetch.hub;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.Staging;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
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
 * Contents of a model's folder, written last; posbias did not make a folder without one.
 *
 * @param repository owner and name on the Hub
 * @param revision the branch, tag or commit that was asked for
 * @param commit the revision's commit; empty when unknown
 * @param listed all files of the repository; null unless they were listed
 */
@JsonIgnoreProperties("verified") // of earlier versions
record ModelManifest(
        String schema,
        String repository,
        String revision,
        String commit,
        List<Entry> files,
        @Nullable List<String> listed) {
    static final String FILE = "posbias-model.json";

    private static final String SCHEMA = "posbias/model/1";

    /**
     * A file.
     *
     * @param path inside the folder, with forward slashes
     * @param size in bytes
     * @param modified when it was changed last, as the file system said then (ISO 8601)
     * @param sha256 of its content, in lower case
     */
    record Entry(String path, long size, String modified, String sha256) {
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
            Path file = FileNames.inside(folder, path);
            try {
                return Files.isRegularFile(file) && Files.size(file) == size;
            } catch (IOException unreadable) {
                return false;
            }
        }

        boolean isUntouched(Path folder) {
            try {
                return hasItsSize(folder)
                        && Files.getLastModifiedTime(FileNames.inside(folder, path))
                                .toString()
                                .equals(modified);
            } catch (IOException unreadable) {
                return false;
            }
        }
    }

    ModelManifest {
        files = List.copyOf(files);
        listed = listed == null ? null : List.copyOf(listed);
    }

    ModelManifest(HubModel model, String commit, List<Entry> files, @Nullable List<String> listed) {
        this(SCHEMA, model.repository().name(), model.repository().revision(), commit, files, listed);
    }

    /** The manifest of a folder; empty when there is none that can be read. */
    static Optional<ModelManifest> read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            Fields fields = Json.readJson(file);
            fields.refuseOtherSchema(SCHEMA, "pull the model again");
            return Optional.of(Json.bind(fields, ModelManifest.class));
        } catch (BadInputException notAManifest) {
            // It was written whole, so a person or another version changed it: as good as none.
            return Optional.empty();
        }
    }

    boolean isOf(HubModel model) {
        Set<String> paths = files.stream().map(Entry::path).collect(Collectors.toSet());
        return isOf(model.repository()) && paths.equals(new HashSet<>(model.files()));
    }

    boolean isOf(HubRepository asked) {
        return asked.name().equals(repository)
                && (asked.revision().equals(revision) || asked.revision().equals(commit));
    }

    boolean isWhole(Path folder) {
        return files.stream().allMatch(entry -> entry.hasItsSize(folder));
    }

    boolean isUntouched(Path folder) {
        return files.stream().allMatch(entry -> entry.isUntouched(folder));
    }

    /**
     * Reads every file anew.
     *
     * @return the same manifest with the files' present times; empty when a file has another content
     */
    Optional<ModelManifest> compared(Path folder) throws IOException {
        List<Entry> now = new ArrayList<>();
        for (Entry entry : files) {
            Entry found = Entry.of(folder, entry.path(), Optional.empty());
            if (!found.sha256().equals(entry.sha256())) {
                return Optional.empty();
            }
            now.add(found);
        }
        return Optional.of(new ModelManifest(schema, repository, revision, commit, now, listed));
    }

    void write(Path folder) {
        Staging.writeFile(folder.resolve(FILE), Json.toBytes(this));
    }
}
