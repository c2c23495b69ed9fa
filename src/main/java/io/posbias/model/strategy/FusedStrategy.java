package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import java.util.List;
import java.util.stream.Stream;

/** Fusion of the rankings of several recipes. */
public final class FusedStrategy extends Strategy {
    private static final String WITH = "with";
    private static final String BM25 = "bm25";

    public FusedStrategy() {
        super("fused", "fused rankings of several recipes, by default of the model and BM25", Fused.class);
    }

    @Override
    public List<String> wrappedIn() {
        return List.of(MODEL, WITH);
    }

    /** None for BM25: fused with itself it is BM25. */
    @Override
    public List<String> usual(Recipe wrapped) {
        return wrapped.kind().equals(BM25) ? List.of() : List.of("");
    }

    /**
     * Recipe of a fusion.
     *
     * @param depth of each ranking; by default deep enough for measures at 100, as in hybrid search of vector databases
     */
    record Fused(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @Setting(usual = "[" + BM25 + "]") List<Recipe> with,
            @JsonUnwrapped Fusion fusion,
            @Setting(usual = "1000", least = 1) int depth)
            implements Wrapper {
        Fused {
            int rankings = 1 + with.size();
            if (rankings < 2) {
                throw new Setting.Wrong(WITH, "is empty", "fusion needs at least two recipes");
            }
            int weights = fusion.weights().size();
            if (weights > 0 && weights != rankings) {
                throw new Setting.Wrong("weights", "has " + weights + " numbers", "there are " + rankings + " recipes");
            }
        }

        /** Without the usual BM25, which needs nothing. */
        @Override
        public List<Recipe> wrapped() {
            return settings().has(WITH) ? all() : List.of(model);
        }

        private List<Recipe> all() {
            return Stream.concat(Stream.of(model), with.stream()).toList();
        }

        @Override
        public Retriever retriever() {
            return new FusedRetriever(this, all(), fusion, depth);
        }
    }
}
