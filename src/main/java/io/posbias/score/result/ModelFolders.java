package io.posbias.score.result;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Folders of findings by model: {@code MODEL/result.json} and {@code MODEL/scores.csv}.
 *
 * @param root null to write nothing
 */
public record ModelFolders(@Nullable Path root, boolean overwrite) {
    public static final String SCORES = "scores.csv";

    /** Returns folders below a part of the findings. */
    public ModelFolders within(String part) {
        return new ModelFolders(root == null ? null : FileNames.directlyIn(root, part), overwrite);
    }

    public Path of(String model) {
        return root == null ? FileNames.path(model) : FileNames.directlyIn(root, model);
    }

    /** Returns the folder of a model with a result to be reused. */
    public Optional<Path> earlier(String model) {
        return root == null || overwrite || !Files.exists(of(model).resolve(ResultFile.NAME))
                ? Optional.empty()
                : Optional.of(of(model));
    }

    /**
     * Writes both files of a model, completely or not at all, and reports the folder; nothing without a root.
     *
     * @throws PosbiasException if the folder holds another result and {@code overwrite} is false
     */
    public void write(String model, Supplier<?> document, Supplier<Table> scores, Session session) {
        if (root == null) {
            return;
        }
        Path folder = of(model);
        byte[] bytes = Json.toBytes(document.get());
        IoErrors.run("write", folder, () -> {
            try (Staging staging = Staging.within(folder, session)) {
                if (!overwrite && !isFree(folder, bytes)) {
                    throw other(folder, "is another one than this run's");
                }
                Files.write(staging.folder().resolve(ResultFile.NAME), bytes);
                Files.writeString(staging.folder().resolve(SCORES), TableFormat.CSV.render(scores.get()));
                staging.commitFiles(ResultFile.NAME);
            }
        });
        session.say("files in " + folder);
    }

    private static boolean isFree(Path folder, byte[] result) {
        Path file = folder.resolve(ResultFile.NAME);
        return !Files.exists(file)
                || Arrays.equals(IoErrors.call("read", file, () -> Files.readAllBytes(file)), result);
    }

    /**
     * Refuses a result of another model or of other items.
     *
     * @param items SHA-256 of the scored items
     */
    public static void refuseOther(Path folder, EvaluatedModel model, String items) {
        Fields result = Json.readJson(folder.resolve(ResultFile.NAME));
        if (!model.sha256().equals(result.raw("recipe_sha256")) || !items.equals(result.raw("items_sha256"))) {
            throw other(folder, "is of another model or of other texts");
        }
    }

    /** Returns the error about a result that must not be replaced. */
    public static PosbiasException other(Path folder, String reason) {
        return new PosbiasException("the result in " + folder + " " + reason
                + ": use --overwrite to replace it, or another --out to keep both");
    }
}
