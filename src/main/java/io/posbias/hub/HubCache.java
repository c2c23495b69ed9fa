package io.posbias.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The cache of the Hub's own library, read only: {@code REPO/refs/REVISION} holds a commit, {@code
 * REPO/snapshots/COMMIT/PATH} is a link to {@code REPO/blobs/ETAG}.
 */
record HubCache(Path root) {
    /** A file at a commit, if the cache has it and its content is what its name says. */
    Optional<Path> find(HubFile file, String commit) throws IOException {
        if (!commit.matches("\\w+")) {
            return Optional.empty();
        }
        Path snapshot = root.resolve(file.folder())
                .resolve("snapshots")
                .resolve(commit)
                .resolve(file.path())
                .normalize();
        if (!Files.isRegularFile(snapshot)) {
            return Optional.empty();
        }
        ETag tag = new ETag(String.valueOf(snapshot.toRealPath().getFileName()));
        return !tag.isVerifiable() || tag.matches(snapshot) ? Optional.of(snapshot) : Optional.empty();
    }

    /** The commit that a branch or tag stood at when the Hub's library last looked; a commit stands for itself. */
    Optional<String> commit(HubFile file) throws IOException {
        Path ref = root.resolve(file.folder()).resolve("refs").resolve(file.revision());
        if (Files.isRegularFile(ref)) {
            return Optional.of(Files.readString(ref).strip());
        }
        return file.revision().matches("[0-9a-f]{40}") ? Optional.of(file.revision()) : Optional.empty();
    }
}
