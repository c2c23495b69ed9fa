package io.posbias.encode.onnx;

import io.posbias.Fields;
import io.posbias.FileNames;
import io.posbias.Printable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Where a recipe's files come from.
 *
 * @param kind which sort of place
 * @param name the repository, the folder as written, or the library
 * @param revision branch, tag or commit of a repository
 * @param filesOf the recipe whose copy of the repository's files is used; empty for a copy of its own
 */
public record ModelSource(Kind kind, String name, String revision, String filesOf) {
    private static final String FILES_OF = "files-of";
    private static final List<String> FIELDS = List.of("hub", "export", "folder", "library", "revision", FILES_OF);

    /** Sorts of places. */
    public enum Kind {
        /** A repository on the Hub that holds ONNX files; {@code posbias models pull} brings them. */
        HUB,
        /** A repository that holds weights only; scripts/export_onnx.py makes the ONNX files. */
        EXPORT,
        /** A folder, relative to the recipe's own. */
        FOLDER,
        /** A jar on the class path. */
        LIBRARY
    }

    /**
     * Reads {@code source} of a record.
     *
     * @throws io.posbias.BadInputException if it names no place or several
     */
    public static ModelSource of(Fields fields) {
        Fields source = fields.record("source");
        source.refuseOthers(FIELDS);
        List<String> given = Stream.of("hub", "export", "folder", "library")
                .filter(source::has)
                .toList();
        if (given.size() != 1) {
            throw fields.bad(
                    "source",
                    given.isEmpty() ? "names no place" : "names several places",
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
                Kind.valueOf(place.toUpperCase(Locale.ROOT)),
                name,
                source.text("revision", "main"),
                source.has(FILES_OF) ? source.id(FILES_OF) : "");
    }

    /** The repository itself, where a graph is exported from one; else the same. */
    ModelSource onHub() {
        return kind == Kind.EXPORT ? new ModelSource(Kind.HUB, name, revision, filesOf) : this;
    }

    /** The revision, and that it may change where it is no commit. */
    public String pin() {
        return revision.matches("[0-9a-f]{40}") ? revision : revision + ", which is not pinned to a commit";
    }

    /**
     * The folder of the files.
     *
     * @param recipe the recipe's name
     * @param recipeFile where the recipe is
     * @param home posbias's folder
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
