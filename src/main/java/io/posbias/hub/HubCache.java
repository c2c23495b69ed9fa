package io.posbias.hub;

import io.posbias.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the Hub's own library, read only: {@code REPO/refs/REVISION} holds a commit, {@code
 * REPO/snapshots/COMMIT/PATH} is a link to {@code REPO/blobs/ETAG}.
 */
record HubCache(Path root) {
    /**
     * A file that the cache holds.
     *
     * @param path its link among the snapshots, or its blob
     * @param tag the digest it was compared with, if that is of a kind that can be verified
     */
    record Held(Path path, ETag tag) {}

    /**
     * A file at a commit, if the cache has it and its content is what the Hub announced, or else what its name in the
     * cache says. Of another commit it is taken where the Hub announced the same content.
     *
     * @param announced what the Hub says now; null when it was not asked
     */
    Optional<Held> find(HubFile file, String commit, @Nullable ETag announced) throws IOException {
        Path repository = root.resolve(file.repository().folder());
        if (commit.matches("\\w+")) {
            Path snapshot = FileNames.inside(repository.resolve("snapshots").resolve(commit), file.path());
            if (Files.isRegularFile(snapshot)) {
                ETag named = new ETag(String.valueOf(snapshot.toRealPath().getFileName()));
                ETag tag = announced != null && announced.isVerifiable() ? announced : named;
                return !tag.isVerifiable() || tag.matches(snapshot)
                        ? Optional.of(new Held(snapshot, tag))
                        : Optional.empty();
            }
        }
        if (announced != null && announced.isVerifiable()) {
            Path blob = FileNames.directlyIn(repository.resolve("blobs"), announced.hex());
            if (Files.isRegularFile(blob) && announced.matches(blob)) {
                return Optional.of(new Held(blob, announced));
            }
        }
        return Optional.empty();
    }

    /** The commit that a branch or tag stood at when the Hub's library last looked; a commit stands for itself. */
    Optional<String> commit(HubRepository repository) throws IOException {
        Path ref = FileNames.inside(root.resolve(repository.folder()).resolve("refs"), repository.revision());
        if (Files.isRegularFile(ref)) {
            return Optional.of(Files.readString(ref).strip());
        }
        return HubRepository.isCommit(repository.revision()) ? Optional.of(repository.revision()) : Optional.empty();
    }
}
