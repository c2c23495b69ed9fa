package io.posbias.run.experiment;

import io.posbias.model.encode.onnx.ModelSize;
import io.posbias.model.retrieve.FirstStage;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/** Counts what recipes take on benchmarks; loads and times nothing. */
final class CellCosts {
    private static final ModelSize USUAL = new ModelSize(109e6, 24e6, 12, 768);

    private static final ModelSize WORDS = new ModelSize(10_000, 0, 0, 0);

    private final Path home;
    private final Map<String, ModelSize> models = new HashMap<>();
    private final IdentityHashMap<Recipe, Retriever> retrievers = new IdentityHashMap<>();

    CellCosts(Path home) {
        this.home = home;
    }

    CellCost of(Recipe recipe, BenchmarkSize size) {
        Retriever retriever = retrievers.computeIfAbsent(recipe, Recipe::retriever);
        CellCost own = retriever
                .model()
                .map(model -> of(recipe, model, size, retriever.firstStage()))
                .orElseGet(() -> recipe.wrapped().stream()
                        .map(part -> of(part, size))
                        .reduce(CellCost::after)
                        .orElseGet(() -> words(size)));
        return retriever
                .firstStage()
                .map(stage -> own.after(of(stage.recipe(), size)))
                .orElse(own);
    }

    private static CellCost words(BenchmarkSize size) {
        double flops =
                flops(WORDS, size.passages(), size.passageTokens()) + flops(WORDS, size.queries(), size.queryTokens());
        double tokens = size.passages() * size.passageTokens() + size.queries() * size.queryTokens();
        return new CellCost(size.corpus(), 0, 0, tokens, 0, flops);
    }

    private CellCost of(Recipe recipe, Model model, BenchmarkSize size, Optional<FirstStage> stage) {
        double most = recipe.maxTokens() > 0 ? recipe.maxTokens() : Double.MAX_VALUE;
        ModelSize parameters = size(recipe);
        return switch (model) {
            case Model.Encoder encoder -> {
                double passage = Math.min(most, size.passageTokens());
                double query = Math.min(most, size.queryTokens());
                yield new CellCost(
                        size.corpus(),
                        size.passages() + size.queries(),
                        0,
                        size.passages() * passage + size.queries() * query,
                        flops(parameters, size.passages(), passage),
                        flops(parameters, size.queries(), query));
            }
            case Model.Reranker reranker -> {
                double depth = stage.map(FirstStage::depth).orElse(Integer.MAX_VALUE);
                double pairs = size.queries() * Math.min(depth, size.passages());
                double length = Math.min(most, size.queryTokens() + size.passageTokens());
                yield new CellCost(size.corpus(), 0, pairs, pairs * length, 0, flops(parameters, pairs, length));
            }
        };
    }

    private static double flops(ModelSize model, double texts, double tokens) {
        return model.flops(texts * tokens, texts * tokens * tokens);
    }

    private ModelSize size(Recipe recipe) {
        return models.computeIfAbsent(
                recipe.name(),
                name -> Optional.ofNullable(recipe.card().size())
                        .or(() -> recipe.files().stream().findFirst().flatMap(files -> files.countedSize(home)))
                        .orElse(USUAL));
    }
}
