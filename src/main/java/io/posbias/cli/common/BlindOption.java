package io.posbias.cli.common;

import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.run.CellRunner;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The position-blind model shown for comparison; its differences come from content. */
@Command(optionListHeading = "Output:")
public final class BlindOption implements Checked {
    private static final String NO_MODEL = "none";

    @Option(
            names = "--blind",
            paramLabel = "MODEL",
            description = "Position-blind model in an extra row; its differences come from content: bm25, "
                    + "bm25-lucene, a recipe of this kind, or " + NO_MODEL
                    + " (default: ${DEFAULT-VALUE}). Its result is "
                    + "read from DATASET/MODEL in --results, or computed and not stored.")
    private String model = "bm25";

    @Override
    public void check() {
        if (!model.equals(NO_MODEL)) {
            Recipe recipe = RecipeBook.find(model);
            BaseCommand.refuse(
                    !isBlind(recipe), "--blind " + model + " is of kind " + recipe.kind() + ": it may see positions");
        }
    }

    /** Evaluates the blind model, or reads its finished result; empty if disabled or failed. */
    public Optional<CellQueries> result(LazyDataset benchmark, Settings settings, Path results, Engine engine) {
        if (model.equals(NO_MODEL)) {
            return Optional.empty();
        }
        Recipe recipe = RecipeBook.find(model);
        String dataset = benchmark.card().name();
        try {
            recipe.prepareWords(benchmark.card(), engine.session());
            Engine quiet = Engine.quiet(engine.threads(), engine.session());
            return Optional.of(new CellRunner(settings, quiet, false, null)
                    .unwritten(recipe, benchmark, new ResultFolder(ResultFolder.of(results, dataset, recipe.name()))));
        } catch (PosbiasException failure) {
            engine.say("note: no row of " + model + " on " + dataset + ": " + failure.line());
            return Optional.empty();
        }
    }

    /** True for models that only count terms. */
    public static boolean isBlind(Recipe recipe) {
        return Result.isBlindKind(recipe.kind());
    }
}
