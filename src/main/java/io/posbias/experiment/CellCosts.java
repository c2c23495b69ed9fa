package io.posbias.experiment;

import io.posbias.PosbiasException;
import io.posbias.dataset.convert.Catalog;
import io.posbias.encode.onnx.ModelSize;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** What cells cost by counts alone: every machine gets the same, and nothing is timed. */
final class CellCosts {
    /** Taken for a model whose recipe gives no size and whose graph may not be here: BERT-base's. */
    private static final ModelSize USUAL = new ModelSize(109e6, 24e6, 12, 768);

    /** Counting words costs about as much as a model of so many parameters. */
    private static final ModelSize WORDS = new ModelSize(10_000, 0, 0, 0);

    private final Catalog catalog;
    private final Path home;
    private final Map<String, BenchmarkSize> sizes = new HashMap<>();
    private final Map<String, ModelSize> models = new HashMap<>();
    private final IdentityHashMap<Recipe, Reading> readings = new IdentityHashMap<>();

    /** @param home posbias's folder */
    CellCosts(Catalog catalog, Path home) {
        this.catalog = catalog;
        this.home = home;
    }

    /**
     * A cost in floating-point operations.
     *
     * @param corpus what is encoded once for all cells of a model that have it in common; the benchmark's name where
     *     nothing is
     * @param shared what is spent once for all of them
     * @param own what is spent on this cell
     */
    record Cost(String corpus, double shared, double own) {}

    /** What a cell costs; nothing where it would fail, which its evaluation tells. */
    Cost of(Cell cell) {
        try {
            return checked(cell);
        } catch (PosbiasException wouldFail) {
            return new Cost(cell.source().name(), 0, 0);
        }
    }

    private Cost checked(Cell cell) {
        BenchmarkSize size =
                sizes.computeIfAbsent(cell.source().name(), name -> BenchmarkSize.of(cell.source(), catalog));
        Cost cost = of(cell.recipe(), size);
        return cost.shared > 0 ? cost : new Cost(cell.source().name(), 0, cost.own);
    }

    private Cost of(Recipe recipe, BenchmarkSize size) {
        Reading reading =
                readings.computeIfAbsent(recipe, each -> each.retriever().reading());
        double most = recipe.maxTokens() > 0 ? recipe.maxTokens() : Double.MAX_VALUE;
        Cost cost = switch (reading.unit()) {
            case WORDS -> new Cost(size.corpus(), 0, passages(WORDS, size, most) + queries(WORDS, size, most));
            case TEXTS -> {
                ModelSize model = model(recipe);
                yield new Cost(size.corpus(), passages(model, size, most), queries(model, size, most));
            }
            case PAIRS -> new Cost(size.corpus(), 0, pairs(model(recipe), reading.depth(), size, most));
        };
        if (reading.firstStage() == null) {
            return cost;
        }
        Cost first = of(reading.firstStage(), size);
        return new Cost(cost.corpus, cost.shared, cost.own + first.shared + first.own);
    }

    private static double passages(ModelSize model, BenchmarkSize size, double most) {
        return flops(model, size.passages(), Math.min(most, size.passageTokens()));
    }

    private static double queries(ModelSize model, BenchmarkSize size, double most) {
        return flops(model, size.queries(), Math.min(most, size.queryTokens()));
    }

    private static double pairs(ModelSize model, int depth, BenchmarkSize size, double most) {
        double tokens = Math.min(most, size.queryTokens() + size.passageTokens());
        return flops(model, size.queries() * Math.min(depth, size.passages()), tokens);
    }

    private static double flops(ModelSize model, double texts, double tokens) {
        return model.flops(texts * tokens, texts * tokens * tokens);
    }

    private ModelSize model(Recipe recipe) {
        return models.computeIfAbsent(
                recipe.name(),
                name -> recipe.size()
                        .or(() -> recipe.retriever().files().stream()
                                .findFirst()
                                .flatMap(files -> files.countedSize(home)))
                        .orElse(USUAL));
    }
}
