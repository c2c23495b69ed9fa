package io.posbias.experiment;

import io.posbias.encode.onnx.ModelSize;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** Counts what recipes take on benchmarks; loads and times nothing. */
final class CellCosts {
    /** Taken for a model whose recipe gives no size and whose graph may not be here: BERT-base's. */
    private static final ModelSize USUAL = new ModelSize(109e6, 24e6, 12, 768);

    /** Counting words costs about as much as a model of so many parameters. */
    private static final ModelSize WORDS = new ModelSize(10_000, 0, 0, 0);

    private final Path home;
    private final Map<String, ModelSize> models = new HashMap<>();
    private final IdentityHashMap<Recipe, Reading> readings = new IdentityHashMap<>();

    /** @param home posbias's folder */
    CellCosts(Path home) {
        this.home = home;
    }

    /** What a recipe takes on a benchmark of a size, its first stage included. */
    CellCost of(Recipe recipe, BenchmarkSize size) {
        Reading reading =
                readings.computeIfAbsent(recipe, each -> each.retriever().reading());
        double most = recipe.maxTokens() > 0 ? recipe.maxTokens() : Double.MAX_VALUE;
        double passage = Math.min(most, size.passageTokens());
        double query = Math.min(most, size.queryTokens());
        double tokens = size.passages() * passage + size.queries() * query;
        CellCost cost = switch (reading.unit()) {
            case WORDS ->
                new CellCost(
                        size.corpus(),
                        0,
                        0,
                        tokens,
                        0,
                        flops(WORDS, size.passages(), passage) + flops(WORDS, size.queries(), query));
            case TEXTS -> {
                ModelSize model = model(recipe);
                yield new CellCost(
                        size.corpus(),
                        size.passages() + size.queries(),
                        0,
                        tokens,
                        flops(model, size.passages(), passage),
                        flops(model, size.queries(), query));
            }
            case PAIRS -> {
                double pairs = size.queries() * Math.min(reading.depth(), size.passages());
                double length = Math.min(most, size.queryTokens() + size.passageTokens());
                yield new CellCost(size.corpus(), 0, pairs, pairs * length, 0, flops(model(recipe), pairs, length));
            }
        };
        return reading.firstStage() == null ? cost : cost.after(of(reading.firstStage(), size));
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
