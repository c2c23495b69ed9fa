package io.posbias.model.retrieve;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.Fields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Recipe of a run on disk, which finds what the run found: {@code {run: FILE}}. Reading adds its name, kind and SHA-256, by
 * which results recognise the run wherever its file is.
 */
public final class StoredRun {
    public static final String KIND = "stored-run";

    /** Field with the file, relative to the recipe's folder or the working folder. */
    public static final String RUN = "run";

    private static final String SHA256 = "sha256";

    /** Fields that say where a run is, not what it contains. */
    static final List<String> PLACE = List.of("name", RUN);

    private static final Pattern ENDINGS =
            Pattern.compile("(\\.(trec|run|txt|res|tsv|json|gz|zst|xz|bz2))+$", Pattern.CASE_INSENSITIVE);

    private StoredRun() {}

    /** Returns true if a text that names a model is a run's file instead. */
    public static boolean isFile(String text) {
        boolean isRecipe = text.endsWith(".yaml")
                || text.endsWith(".yml")
                || RecipeBook.builtIn().contains(text);
        return ENDINGS.matcher(text).find() || (!isRecipe && Pointers.isFile(FileNames.path(text)));
    }

    public static Map<String, Object> record(String file) {
        return Map.of(RUN, file);
    }

    static boolean is(Fields recipe) {
        return recipe.has(RUN) && recipe.text("kind", KIND).equals(KIND);
    }

    /** Returns a record with the missing fields of a run; other records as they are, with those of their first stage. */
    static Fields completed(Fields fields) {
        if (!is(fields)) {
            return fields.raw(FirstStage.FIELD) instanceof Map
                    ? fields.with(
                            FirstStage.FIELD,
                            completed(fields.record(FirstStage.FIELD)).toMap())
                    : fields;
        }
        Fields named = fields.has("name") ? fields : fields.with("name", name(fields));
        Fields known = named.with("kind", KIND);
        return known.has(SHA256) ? known : known.with(SHA256, Checksums.sha256(found(fields)));
    }

    private static String name(Fields fields) {
        String file = String.valueOf(FileNames.path(fields.text(RUN)).getFileName());
        String name = FileNames.ofModel(ENDINGS.matcher(file).replaceFirst(""));
        return FileNames.isModel(name) ? name : RUN;
    }

    /** Returns the file, whatever it contains. */
    private static Path found(Fields fields) {
        String given = fields.text(RUN);
        Path beside = fields.where().file().toAbsolutePath().resolveSibling(given);
        Path path = Pointers.isFile(beside) ? beside : FileNames.path(given);
        if (!Pointers.isFile(path)) {
            throw fields.bad(RUN, "is " + given, "the file does not exist");
        }
        return path;
    }

    /**
     * Returns the run's file.
     *
     * @throws io.posbias.base.json.BadInputException if it is missing or not the one that was read with the recipe
     */
    public static Path file(Fields fields) {
        Path path = found(fields);
        if (fields.has(SHA256) && !fields.text(SHA256).equals(Checksums.sha256(path))) {
            throw fields.bad(RUN, "is " + fields.text(RUN), "the file changed since its digest was recorded in sha256");
        }
        return path;
    }
}
