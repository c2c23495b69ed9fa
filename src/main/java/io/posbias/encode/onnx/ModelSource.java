package io.posbias.encode.onnx;

import io.posbias.Fields;
import io.posbias.FileNames;
import io.posbias.MavenJar;
import io.posbias.Printable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Source of a recipe's files.
 *
 * @param name the repository, the folder as written, or the library
 * @param revision branch, tag or commit of a repository
 * @param filesOf recipe whose downloaded files are shared; empty for none
 * @param jar on Maven Central, downloaded if the library is not on the class path
 */
public record ModelSource(SourceKind kind, String name, String revision, String filesOf, Optional<MavenJar> jar) {
    private static final String FILES_OF = "files-of";
    private static final String LIBRARY = "library";
    private static final String VERSION = "version";
    private static final String SHA_256 = "sha256";
    private static final String BYTES = "bytes";

    /** Fields that identify the jar of a library. */
    private static final List<String> JAR = List.of(VERSION, SHA_256, BYTES);

    private static final List<String> PLACES = List.of("hub", "export", "folder", LIBRARY);
    private static final List<String> FIELDS = Stream.of(PLACES, List.of("revision", FILES_OF), JAR)
            .flatMap(List::stream)
            .toList();

    public enum SourceKind {
        /** A repository on the Hub with ONNX files, downloaded by {@code posbias models pull}. */
        HUB,
        /** A repository with weights only; scripts/export_onnx.py writes the ONNX files. */
        EXPORT,
        /** A folder, relative to the recipe's. */
        FOLDER,
        /** A jar, on the class path or on Maven Central. */
        LIBRARY
    }

    /**
     * Reads the field {@code source} of a record.
     *
     * @throws io.posbias.BadInputException if it does not name exactly one source
     */
    public static ModelSource of(Fields fields) {
        Fields source = fields.record("source");
        source.refuseOthers(FIELDS);
        List<String> given = PLACES.stream().filter(source::has).toList();
        if (given.size() != 1) {
            throw fields.bad(
                    "source",
                    given.isEmpty() ? "names no source" : "names several sources",
                    "give one of hub, export, folder, library");
        }
        String place = given.getFirst();
        String name = source.text(place);
        boolean repository = place.equals("hub") || place.equals("export");
        if (repository && !name.matches("\\w[\\w.-]*/\\w[\\w.-]*")) {
            throw source.bad(place, "is " + Printable.quoted(name), "it must be OWNER/NAME");
        }
        if (!repository && source.has(FILES_OF)) {
            throw source.bad(FILES_OF, "has no meaning with " + place, "remove it");
        }
        return new ModelSource(
                SourceKind.valueOf(place.toUpperCase(Locale.ROOT)),
                name,
                source.text("revision", "main"),
                source.has(FILES_OF) ? source.id(FILES_OF) : "",
                jar(source, place, name));
    }

    private static Optional<MavenJar> jar(Fields source, String place, String name) {
        List<String> given = JAR.stream().filter(source::has).toList();
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (!place.equals(LIBRARY)) {
            throw source.bad(given.getFirst(), "has no meaning with " + place, "remove it");
        }
        String[] coordinates = name.split(":", -1);
        if (coordinates.length != 2 || !Stream.of(coordinates).allMatch(MavenJar::isName)) {
            throw source.bad(LIBRARY, "is " + Printable.quoted(name), "it must be GROUP:ARTIFACT");
        }
        String version = source.text(VERSION);
        if (!MavenJar.isName(version)) {
            throw source.bad(VERSION, "is " + Printable.quoted(version), "it must be a version on Maven Central");
        }
        String sha256 = source.text(SHA_256);
        if (!MavenJar.isSha256(sha256)) {
            throw source.bad(SHA_256, "is " + Printable.quoted(sha256), "it must be 64 digits in lower case");
        }
        int bytes = source.has(BYTES) ? source.positive(BYTES) : -1;
        return Optional.of(new MavenJar(coordinates[0], coordinates[1], version, "", sha256, bytes));
    }

    /** Returns the repository that a graph is exported from; any other source unchanged. */
    ModelSource onHub() {
        return kind == SourceKind.EXPORT ? new ModelSource(SourceKind.HUB, name, revision, filesOf, jar) : this;
    }

    /** Returns the revision, with a note if it is not a commit. */
    public String pin() {
        return isPinned() ? revision : revision + ", which is not pinned to a commit";
    }

    /** Returns true if the revision is a commit. */
    boolean isPinned() {
        return revision.matches("[0-9a-f]{40}");
    }

    /**
     * Returns the folder of the files.
     *
     * @param recipe the recipe's name
     */
    Path folder(String recipe, Path recipeFile, Path home) {
        return switch (kind) {
            case HUB, EXPORT -> FileNames.directlyIn(home.resolve("models"), recipe);
            case FOLDER ->
                Objects.requireNonNullElse(recipeFile.toAbsolutePath().getParent(), Path.of("."))
                        .resolve(FileNames.path(name).normalize());
            case LIBRARY -> throw new IllegalStateException("a library has no folder");
        };
    }
}
