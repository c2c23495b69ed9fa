package io.posbias.retrieve.strategy;

import io.posbias.Fields;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Fusion of the rankings of several recipes. */
public final class FusedStrategy implements Strategy {
    private static final String WITH = "with";
    private static final String DEPTH = "depth";
    private static final String BM25 = "bm25";

    /** Deep enough for measures at 100, as in hybrid search of vector databases. */
    private static final int DEEP = 1_000;

    @Override
    public String kind() {
        return "fused";
    }

    @Override
    public String meaning() {
        return "fused rankings of several recipes, by default of the model and BM25";
    }

    @Override
    public List<String> fields() {
        return Stream.of(Fusion.FIELDS, List.of(DEPTH)).flatMap(List::stream).toList();
    }

    @Override
    public List<String> wrappedIn() {
        return List.of(MODEL, WITH);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return Optional.empty();
    }

    /** None for BM25: fused with itself it is BM25. */
    @Override
    public List<String> usual(Recipe wrapped) {
        return wrapped.kind().equals(BM25) ? List.of() : List.of("");
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        Fields fields = recipe.settings();
        List<Recipe> all = new ArrayList<>(recipe.wrapped());
        if (!fields.has(WITH)) {
            all.add(Recipe.find(BM25));
        }
        if (all.size() < 2) {
            throw fields.bad(WITH, "is empty", "fusion needs at least two recipes");
        }
        return new FusedRetriever(
                recipe, Collections.unmodifiableList(all), Fusion.of(fields, all.size()), fields.positive(DEPTH, DEEP));
    }
}
