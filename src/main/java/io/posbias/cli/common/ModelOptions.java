package io.posbias.cli.common;

import io.posbias.UsageException;
import io.posbias.evaluate.CellRunner;
import io.posbias.retrieve.Recipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What of recipes may be set for one run, and on what it runs. */
@Command(optionListHeading = "Models:")
public final class ModelOptions {
    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            description = "Precision of a model's graph, if its recipe names one: float32, float16 or int8.")
    private @Nullable String precision;

    @Option(
            names = "--first-stage",
            paramLabel = "MODEL",
            description = "First stage of a reranker (default: its recipe's).")
    private @Nullable String firstStage;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Candidates of the first stage per query (default: the recipe's).")
    private @Nullable Integer depth;

    /**
     * Recipes by name or file, with what was set for this run.
     *
     * @throws UsageException if two are of one name, under which the results of one would hide those of the other
     */
    public List<Recipe> recipes(List<String> names) {
        List<Recipe> recipes = names.stream().map(Recipe::find).toList();
        CellRunner.refuseTwins("--model", recipes, "--dataset", List.of());
        Map<String, Object> changes = new LinkedHashMap<>();
        Optional.ofNullable(precision).ifPresent(given -> changes.put("precision", given));
        Optional.ofNullable(firstStage).ifPresent(given -> changes.put("first-stage", given));
        Optional.ofNullable(depth).ifPresent(given -> changes.put("depth", given));
        return changed(recipes, changes);
    }

    /** Recipes with some fields set anew, each of which one recipe at least must take. */
    public static List<Recipe> changed(List<Recipe> recipes, Map<String, Object> changes) {
        for (String field : changes.keySet()) {
            BaseCommand.refuse(
                    recipes.stream().noneMatch(recipe -> recipe.takes(field)),
                    "--" + field + " has no meaning for "
                            + recipes.stream().map(Recipe::name).collect(Collectors.joining(", ")));
        }
        return recipes.stream().map(recipe -> recipe.with(changes)).toList();
    }

    /** On what they run. */
    public DeviceOptions device() {
        return device;
    }
}
