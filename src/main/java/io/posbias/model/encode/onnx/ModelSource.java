package io.posbias.model.encode.onnx;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.fetch.jars.MavenJar;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Source of a recipe's files: exactly one of {@code hub}, {@code export}, {@code folder} and {@code library}.
 *
 * @param hub a repository
 * @param export a repository
 * @param folder as written
 * @param library {@code GROUP:ARTIFACT} of Maven Central if a version is given
 * @param revision branch, tag or commit of a repository
 * @param filesOf recipe whose downloaded files are shared
 * @param version of a library, downloaded if it is not on the class path
 * @param sha256 of its jar
 * @param bytes of its jar
 */
public record ModelSource(
        @Nullable String hub,
        @Nullable String export,
        @Nullable String folder,
        @Nullable String library,
        @Setting(usual = "main") String revision,
        @Setting(identifier = true) @Nullable String filesOf,
        @Nullable String version,
        @Nullable String sha256,
        @Setting(least = 1) @Nullable Integer bytes) {
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

    /** @throws Setting.Wrong for no source, several sources, or fields of another one */
    public ModelSource {
        Map<SourceKind, String> given = given(hub, export, folder, library);
        if (given.size() != 1) {
            throw new Setting.Wrong(
                    "",
                    given.isEmpty() ? "names no source" : "names several sources",
                    "give one of hub, export, folder, library");
        }
        boolean repository = hub != null || export != null;
        given.forEach((kind, name) -> {
            String field = Suggestions.word(kind);
            if (repository && !name.matches("\\w[\\w.-]*/\\w[\\w.-]*")) {
                throw new Setting.Wrong(field, "is " + Printable.quoted(name), "it must be OWNER/NAME");
            }
            refuseUnless(repository, filesOf, "files-of", field);
            refuseUnless(library != null, version, "version", field);
            refuseUnless(library != null, sha256, "sha256", field);
            refuseUnless(library != null, bytes, "bytes", field);
        });
        if (version != null || sha256 != null || bytes != null) {
            jar(library, version, sha256, bytes);
        }
    }

    private static Map<SourceKind, String> given(
            @Nullable String hub, @Nullable String export, @Nullable String folder, @Nullable String library) {
        Map<SourceKind, String> given = new EnumMap<>(SourceKind.class);
        put(SourceKind.HUB, hub, given);
        put(SourceKind.EXPORT, export, given);
        put(SourceKind.FOLDER, folder, given);
        put(SourceKind.LIBRARY, library, given);
        return given;
    }

    private static void put(SourceKind kind, @Nullable String name, Map<SourceKind, String> to) {
        if (name != null) {
            to.put(kind, name);
        }
    }

    private static void refuseUnless(boolean fits, @Nullable Object value, String field, String place) {
        if (!fits && value != null) {
            throw new Setting.Wrong(field, "has no meaning with " + place, "remove it");
        }
    }

    private static MavenJar jar(
            @Nullable String library, @Nullable String version, @Nullable String sha256, @Nullable Integer bytes) {
        String[] coordinates = String.valueOf(library).split(":", -1);
        if (coordinates.length != 2 || !MavenJar.isName(coordinates[0]) || !MavenJar.isName(coordinates[1])) {
            throw new Setting.Wrong(
                    "library", "is " + Printable.quoted(String.valueOf(library)), "it must be GROUP:ARTIFACT");
        }
        if (version == null || !MavenJar.isName(version)) {
            throw new Setting.Wrong("version", is(version), "it must be a version on Maven Central");
        }
        if (sha256 == null || !MavenJar.isSha256(sha256)) {
            throw new Setting.Wrong("sha256", is(sha256), "it must be 64 digits in lower case");
        }
        return new MavenJar(coordinates[0], coordinates[1], version, "", sha256, bytes == null ? -1 : bytes);
    }

    private static String is(@Nullable String value) {
        return value == null ? "is missing" : "is " + Printable.quoted(value);
    }

    public SourceKind kind() {
        return given(hub, export, folder, library).keySet().iterator().next();
    }

    /** Returns the repository, the folder as written, or the library. */
    public String name() {
        return given(hub, export, folder, library).values().iterator().next();
    }

    /** Returns the jar on Maven Central, which is downloaded if the library is not on the class path. */
    public Optional<MavenJar> jar() {
        return version == null ? Optional.empty() : Optional.of(jar(library, version, sha256, bytes));
    }

    /** Returns the repository that a graph is exported from; any other source unchanged. */
    ModelSource onHub() {
        return export == null ? this : new ModelSource(export, null, null, null, revision, filesOf, null, null, null);
    }

    /** Returns the revision, with a note if it is not a commit. */
    public String pin() {
        return isPinned() ? revision : revision + ", which is not pinned to a commit";
    }

    boolean isPinned() {
        return revision.matches("[0-9a-f]{40}");
    }

    /**
     * Returns the folder of the files.
     *
     * @param recipe the recipe's name
     */
    Path folder(String recipe, Path recipeFile, Path home) {
        return switch (kind()) {
            case HUB, EXPORT -> FileNames.directlyIn(home.resolve("models"), recipe);
            case FOLDER ->
                Objects.requireNonNullElse(recipeFile.toAbsolutePath().getParent(), Path.of("."))
                        .resolve(FileNames.path(name()).normalize());
            case LIBRARY -> throw new IllegalStateException("a library has no folder");
        };
    }
}
