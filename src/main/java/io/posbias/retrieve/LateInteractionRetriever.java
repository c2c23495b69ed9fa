package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.VectorCache;
import io.posbias.encode.check.TokenCheck;
import io.posbias.encode.model.TokenEncoder;
import io.posbias.encode.model.TokenVectors;
import io.posbias.encode.onnx.ModelFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One vector a token, compared by {@link MaxSim}: over the whole corpus, or over what a first stage finds. */
final class LateInteractionRetriever implements Retriever {
    private final Recipe recipe;
    private final ModelFiles files;
    private final boolean mean;
    private final @Nullable FirstStage firstStage;

    private LateInteractionRetriever(Recipe recipe, ModelFiles files, boolean mean, @Nullable FirstStage firstStage) {
        this.recipe = recipe;
        this.files = files;
        this.mean = mean;
        this.firstStage = firstStage;
    }

    @Override
    public List<ModelFiles> files() {
        List<ModelFiles> all = new ArrayList<>(List.of(files));
        if (firstStage != null) {
            all.addAll(firstStage.retriever().files());
        }
        return all;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return open(
                dataset,
                engine,
                firstStage,
                () -> firstStage == null ? null : firstStage.retriever().open(dataset, engine));
    }

    @Override
    public ScoredPool score(Dataset dataset, Run pool, Engine engine) {
        // Whatever its own first stage is, the pool stands in its place.
        FirstStage given = new FirstStage(recipe, dataset.passages().size());
        try (Searcher searcher = open(dataset, engine, given, () -> new Pool.Found(pool))) {
            return ScoredPool.of(searcher, Pool.queries(dataset, pool));
        }
    }

    private Searcher open(
            Dataset dataset, Engine engine, @Nullable FirstStage stage, Supplier<@Nullable Searcher> before) {
        Fields fields = recipe.settings();
        CachedEncoder encoder = new CachedEncoder(
                TokenEncoder.open(recipe.name(), fields, engine),
                recipe.name(),
                engine,
                TokenEncoder.format(recipe.name(), fields));
        try {
            return new LateInteractionSearcher(recipe, dataset, encoder, mean, stage, before.get(), engine);
        } catch (RuntimeException | Error failure) {
            encoder.close();
            throw failure;
        }
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        try (TokenEncoder encoder = TokenEncoder.open(recipe.name(), recipe.settings(), engine)) {
            return Optional.of(TokenCheck.of(encoder, engine));
        }
    }

    @Override
    public Attribution attribution() {
        boolean half = TokenEncoder.format(recipe.name(), recipe.settings()) == VectorCache.NumberFormat.FLOAT16;
        Attribution.Exact exact = engine -> {
            TokenEncoder encoder = TokenEncoder.open(recipe.name(), recipe.settings(), engine);
            return new Attributor(
                    passage -> encoder.tokens(passage).rounded(half),
                    query -> TokenVectors.rounded(encoder.query(query), half),
                    Attributor.byMaximum(mean),
                    encoder::close);
        };
        return exact;
    }

    /** Makes it from recipes of kind {@code late-interaction}. */
    public static final class Provider implements RetrieverProvider {
        @Override
        public String kind() {
            return "late-interaction";
        }

        @Override
        public List<String> options() {
            return List.of("precision", "first-stage", "depth");
        }

        @Override
        public Retriever create(Recipe recipe) {
            Fields fields = recipe.settings();
            recipe.refuseOthers(TokenEncoder.FIELDS, FirstStage.FIELDS, List.of("score"));
            String score = fields.text("score", "sum");
            if (!score.equals("sum") && !score.equals("mean")) {
                throw fields.bad("score", "is \"" + score + "\"", "it is sum or mean");
            }
            if (!fields.has("first-stage") && fields.has("depth")) {
                throw fields.bad("depth", "has no meaning without first-stage", "remove it, or name one");
            }
            return new LateInteractionRetriever(
                    recipe,
                    TokenEncoder.check(recipe.name(), fields),
                    score.equals("mean"),
                    fields.has("first-stage") ? FirstStage.of(recipe, "") : null);
        }
    }
}
