package io.posbias.cli.common;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.store.ModelFinder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Device and overrides of recipes. */
@Command(optionListHeading = "Models:")
public final class ModelOptions {
    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            description = "Precision of the model: float32, float16 or int8 (default: the recipe's).")
    private @Nullable String precision;

    @Option(
            names = "--first-stage",
            paramLabel = "MODEL",
            description = "First stage of a reranker, or a run file with its candidates (default: its recipe's).")
    private @Nullable String firstStage;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Candidates of the first stage per query (default: the recipe's).")
    private @Nullable Integer depth;

    @Heading("Models:")
    @Least(1)
    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Processes per model, for example one per GPU (default: 1).")
    private @Nullable Integer workers;

    @Heading("Models:")
    @Option(
            names = "--instruction",
            paramLabel = "TEXT",
            description = "What queries ask for, in the template of a model that takes instructions.")
    private @Nullable String instruction;

    @Heading("Models:")
    @Option(
            names = "--trust-remote-code",
            description = "Run the Python code of a model's repository, as its worker asks for it.")
    private boolean trustRemoteCode;

    /**
     * Finds recipes and applies the overrides.
     *
     * @throws UsageException if two have the same name
     */
    public List<Recipe> recipes(List<String> names, Session session) {
        ModelFinder finder = new ModelFinder(session, false, instruction);
        List<Recipe> recipes = finder.all(names);
        BaseCommand.refuse(
                instruction != null && !finder.isInstructed(),
                "--instruction has no meaning for " + names(recipes)
                        + ": models take one that are named by their name on the Hub, and whose template MTEB knows");
        FileNames.requireDistinct("--model", "model", recipes.stream().map(Recipe::name));
        Map<String, Object> changes = new LinkedHashMap<>();
        Optional.ofNullable(precision).ifPresent(given -> changes.put("precision", given));
        Optional.ofNullable(firstStage).ifPresent(given -> changes.put("first-stage", finder.field(given)));
        Optional.ofNullable(depth).ifPresent(given -> changes.put("depth", given));
        Optional.ofNullable(workers).ifPresent(given -> changes.put("workers", given));
        if (trustRemoteCode) {
            changes.put("trust-remote-code", true);
        }
        return changed(recipes, changes);
    }

    /** Overrides fields; at least one recipe must have each field. */
    public static List<Recipe> changed(List<Recipe> recipes, Map<String, Object> changes) {
        for (String field : changes.keySet()) {
            BaseCommand.refuse(
                    recipes.stream().noneMatch(recipe -> RecipeBook.takes(recipe, field)),
                    "--" + field + " has no meaning for " + names(recipes));
        }
        return recipes.stream().map(recipe -> RecipeBook.with(recipe, changes)).toList();
    }

    private static String names(List<Recipe> recipes) {
        return recipes.stream().map(Recipe::name).collect(Collectors.joining(", "));
    }

    public DeviceOptions device() {
        return device;
    }
}
