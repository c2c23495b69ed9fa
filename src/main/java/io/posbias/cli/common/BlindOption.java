package io.posbias.cli.common;

import io.posbias.PosbiasException;
import io.posbias.encode.Engine;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.LazyDataset;
import io.posbias.evaluate.Scoring;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The model that cannot see positions and stands beside others: what it differs by is content. */
@Command(optionListHeading = "Output:")
public final class BlindOption implements Checked {
    private static final String NO_MODEL = "none";

    @Option(
            names = "--blind",
            paramLabel = "MODEL",
            description =
                    "Also print the row of a model that cannot see positions, whose differences are content: bm25, "
                            + "bm25-lucene or a recipe of this kind, or " + NO_MODEL
                            + " (default: ${DEFAULT-VALUE}). Its result is "
                            + "taken from DATASET/MODEL in --results if it is there, else computed and not kept.")
    private String model = "bm25";

    /** Refuses a model that may see positions. */
    @Override
    public void check() {
        if (!model.equals(NO_MODEL)) {
            Recipe recipe = Recipe.find(model);
            BaseCommand.refuse(
                    !isBlind(recipe), "--blind " + model + " is of kind " + recipe.kind() + ": it may see positions");
        }
    }

    /**
     * Its result on a benchmark; empty where it is not asked for, or fails.
     *
     * @param k the depth of rankings
     * @param results the folder of all results, where it may be finished
     */
    public Optional<Result> result(LazyDataset benchmark, Scoring scoring, int k, Path results, Engine engine) {
        if (model.equals(NO_MODEL)) {
            return Optional.empty();
        }
        Recipe recipe = Recipe.find(model);
        String dataset = benchmark.card().name();
        try {
            return Optional.of(new CellRunner(scoring, k, engine, false, null)
                    .unwritten(recipe, benchmark, new ResultFolder(ResultFolder.of(results, dataset, recipe.name()))));
        } catch (PosbiasException failure) {
            engine.say("no row of " + model + " on " + dataset + ": " + failure.line());
            return Optional.empty();
        }
    }

    /** Whether a model counts words and nothing else. */
    public static boolean isBlind(Recipe recipe) {
        return recipe.kind().equals("bm25");
    }
}
