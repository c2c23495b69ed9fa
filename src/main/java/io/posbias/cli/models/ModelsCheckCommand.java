package io.posbias.cli.models;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.Verb;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Recipe;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias models check}: does a model do what its recipe says? */
@Command(
        name = "check",
        description = {
            "Load models and look whether they do what their recipes say: inputs, outputs, dimension, speed, and",
            "that vectors stay the same (1 - cosine below 0.0001) in a batch and padded, and change when the",
            "first or last token does; of late interaction, also those of the other tokens. Rerankers' scores may",
            "differ by a thousandth of their range. The exit code is 1 when a model fails, with a warning that",
            "says what. A model that a service runs is asked once, with two short texts."
        },
        footer = {
            "",
            "Examples:",
            "  posbias models check all-minilm-l6-v2",
            "  posbias models check my-model.yaml --device cuda --precision float16",
        })
final class ModelsCheckCommand extends Verb {
    /** Of the facts' names, so that models of most kinds line up with each other. */
    private static final int LEAST_WIDTH = 14;

    @Parameters(
            paramLabel = "MODEL",
            arity = "1..*",
            description = "Names from 'posbias models list' or .yaml recipes.")
    private List<String> names = List.of();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "Where models run: cpu, cuda, cuda:N, or auto (default: ${DEFAULT-VALUE}).")
    private String device = "cpu";

    @Option(
            names = "--precision",
            paramLabel = "PRECISION",
            description = "Which graph of a model: float32, float16 or int8, where its recipe has it.")
    private @Nullable String precision;

    @Override
    public Integer call() {
        Engine engine =
                new Engine(Device.parse(device), Runtime.getRuntime().availableProcessors(), 0, false, session());
        List<Recipe> recipes = ModelOptions.changed(
                names.stream().map(Recipe::find).toList(),
                precision == null ? Map.of() : Map.of("precision", precision));
        boolean sound = true;
        for (Recipe recipe : recipes) {
            sound &= check(recipe, engine, recipes.size() == 1);
        }
        return sound ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** One that fails does not keep the others from being looked at. */
    private boolean check(Recipe recipe, Engine engine, boolean single) {
        try {
            new ModelStore(session()).requireOwn(recipe);
            Optional<ModelCheck> check = recipe.retriever().check(engine);
            if (check.isEmpty()) {
                say(recipe.name() + ": not checked, there is nothing to check of kind " + recipe.kind());
                return true;
            }
            print(recipe, check.get());
            return check.get().isSound();
        } catch (PosbiasException failure) {
            if (single) {
                throw failure;
            }
            say("posbias: " + recipe.name() + ": " + failure.line());
            return false;
        }
    }

    private void print(Recipe recipe, ModelCheck check) {
        int count = check.warnings().size();
        printLine(recipe.name() + ": " + (check.isSound() ? "sound" : count + (count == 1 ? " warning" : " warnings")));
        int width =
                check.facts().stream().mapToInt(fact -> fact.name().length()).reduce(LEAST_WIDTH, Math::max);
        for (ModelCheck.Fact fact : check.facts()) {
            printLine(String.format(Locale.ROOT, "  %-" + width + "s %s", fact.name(), fact.value()));
        }
        check.warnings().forEach(warning -> printLine("  warning: " + warning));
    }
}
