package io.posbias.model.retrieve;

import io.posbias.base.json.Fields;
import io.posbias.model.encode.model.Kind;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Built-in kinds of retrievers, found as those of other jars are. */
public abstract class RetrieverKind implements RetrieverProvider {
    private final String kind;
    private final Class<? extends Recipe> type;
    private final List<String> options;

    private RetrieverKind(String kind, Class<? extends Recipe> type, String... options) {
        this.kind = kind;
        this.type = type;
        this.options = List.of(options);
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public List<String> options() {
        return options;
    }

    @Override
    public Recipe bind(Fields recipe, RecipeReader recipes) {
        refuseSecond(recipe);
        return recipes.settings(recipe, type);
    }

    /** Refuses a first stage that names one or is the recipe itself, which could not be bound. */
    private static void refuseSecond(Fields second) {
        Object named = second.raw(FirstStage.FIELD);
        Fields first = named instanceof Map
                ? second.record(FirstStage.FIELD)
                : named instanceof String name && !Wrapping.isSpec(name) ? RecipeBook.written(name) : null;
        if (first != null && (first.has(FirstStage.FIELD) || Objects.equals(first.raw("name"), second.raw("name")))) {
            throw second.bad(FirstStage.FIELD, "is " + first.id("name"), FirstStage.NO_SECOND);
        }
    }

    public static final class Bm25 extends RetrieverKind {
        public Bm25() {
            super("bm25", Bm25Recipe.class);
        }
    }

    public static final class Dense extends RetrieverKind {
        public Dense() {
            super(Kind.DENSE.word(), DenseRecipe.class, "precision");
        }
    }

    public static final class EmbeddingApi extends RetrieverKind {
        public EmbeddingApi() {
            super(Kind.EMBEDDING_API.word(), EmbeddingApiRecipe.class);
        }
    }

    public static final class LateInteraction extends RetrieverKind {
        public LateInteraction() {
            super(Kind.LATE_INTERACTION.word(), LateInteractionRecipe.class, "precision", "first-stage", "depth");
        }
    }

    public static final class CrossEncoder extends RetrieverKind {
        public CrossEncoder() {
            super(
                    Kind.CROSS_ENCODER.word(),
                    RerankRetriever.CrossEncoderRecipe.class,
                    "precision",
                    "first-stage",
                    "depth");
        }
    }

    public static final class CausalReranker extends RetrieverKind {
        public CausalReranker() {
            super("causal-reranker", RerankRetriever.CausalRecipe.class, "precision", "first-stage", "depth");
        }
    }

    public static final class RerankApi extends RetrieverKind {
        public RerankApi() {
            super(Kind.RERANK_API.word(), RerankRetriever.ServiceRecipe.class, "first-stage", "depth");
        }
    }

    public static final class Worker extends RetrieverKind {
        public Worker() {
            super("worker", WorkerRecipe.class, "first-stage", "depth", "workers", "trust-remote-code");
        }
    }
}
