package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the Hub's own library, read only: {@code REPO/refs/REVISION} holds a commit, {@code
 * REPO/snapshots/COMMIT/PATH} is a link to {@code REPO/blobs/ETAG}.
 */
record HubCache(Path root) {
    private static final Pattern LINK = Pattern.compile("(?:\\.\\./)+blobs/([0-9a-f]{40,64})\\s*");
    private static final int MOST_LINK = 500;

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
            Path snapshot =
                    linked(FileNames.inside(repository.resolve("snapshots").resolve(commit), file.path()), repository);
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

    /** A copy that knows no links has the target's name as the content of a file. */
    private static Path linked(Path snapshot, Path repository) throws IOException {
        if (!Files.isRegularFile(snapshot) || Files.size(snapshot) > MOST_LINK) {
            return snapshot;
        }
        Matcher link = LINK.matcher(Files.readString(snapshot, StandardCharsets.ISO_8859_1));
        Path blob = link.matches() ? repository.resolve("blobs").resolve(link.group(1)) : snapshot;
        return Files.isRegularFile(blob) ? blob : snapshot;
    }

    /** The commit that a branch or tag stood at when the Hub's library last looked; a commit stands for itself. */
    Optional<String> commit(HubRepository repository) throws IOException {
        Path ref = FileNames.inside(root.resolve(repository.folder()).resolve("refs"), repository.revision());
        if (Files.isRegularFile(ref)) {
            return Optional.of(Files.readString(ref).strip());
        }
        if (HubRepository.isCommit(repository.revision())) {
            return Optional.of(repository.revision());
        }
        // A copy of the snapshots alone names the one commit that it has.
        Path folder = root.resolve(repository.folder());
        Path snapshots = folder.resolve("snapshots");
        if (!repository.revision().equals(HubRepository.MAIN)
                || Files.isDirectory(folder.resolve("refs"))
                || !Files.isDirectory(snapshots)) {
            return Optional.empty();
        }
        List<Path> commits = FileNames.in(snapshots);
        return commits.size() == 1
                ? Optional.of(String.valueOf(commits.getFirst().getFileName()))
                : Optional.empty();
    }

    /** All files of a repository that the cache has at the commit of its revision, in order; none if it has none. */
    List<String> list(HubRepository repository) throws IOException {
        Optional<String> commit = commit(repository).filter(HubRepository::isCommit);
        Path snapshot = root.resolve(repository.folder()).resolve("snapshots").resolve(commit.orElse(""));
        return commit.isEmpty() || !Files.isDirectory(snapshot)
                ? List.of()
                : FileNames.below(snapshot).stream()
                        .map(file -> FileNames.slashed(snapshot.relativize(file)))
                        .toList();
    }
}
