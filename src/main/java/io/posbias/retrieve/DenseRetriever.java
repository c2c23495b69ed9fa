package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.api.ApiEncoder;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.VectorCache;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.check.EncoderCheck;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxRuntime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One vector a passage, the nearest to the query's first; the vectors come from a graph or from a vendor. */
final class DenseRetriever implements Retriever {
    private final Recipe recipe;
    private final VectorSettings settings;
    private final List<ModelFiles> files;
    private final Opener opener;
    private final Attribution attribution;

    /** Loads the encoder. */
    private interface Opener {
        TextEncoder open(Engine engine);
    }

    private DenseRetriever(Recipe recipe, List<ModelFiles> files, Opener opener, Attribution attribution) {
        this.recipe = recipe;
        this.attribution = attribution;
        this.files = files;
        this.settings = VectorSettings.of(recipe.settings());
        this.opener = opener;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        CachedEncoder encoder = encoder(engine);
        try {
            PassageTexts texts = new PassageTexts(dataset);
            Vectors passages = encodePassages(dataset, encoder, texts);
            OnnxRuntime runtime = OnnxRuntime.on(engine.device(), line -> {});
            ExactSearch exact = new ExactSearch(runtime, engine.threads(), encoder.dimension());
            HnswSearch hnsw = settings.hnsw()
                    ? HnswSearch.build(settings, passages, engine.progress(), "index " + dataset.name())
                    : null;
            return new DenseSearcher(recipe, dataset.passages().ids(), encoder, passages, texts, exact, hnsw, engine);
        } catch (RuntimeException | Error failure) {
            encoder.close();
            throw failure;
        }
    }

    private CachedEncoder encoder(Engine engine) {
        return new CachedEncoder(opener.open(engine), recipe.name(), engine, VectorCache.NumberFormat.FLOAT32);
    }

    @Override
    public Optional<Function<Engine, CachedEncoder>> vectors() {
        return Optional.of(this::encoder);
    }

    @Override
    public List<ModelFiles> files() {
        return files;
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        try (TextEncoder encoder = opener.open(engine)) {
            if (encoder instanceof DenseEncoder graph) {
                return Optional.of(EncoderCheck.of(graph, engine));
            }
            engine.say(recipe.name() + ": one call of its service, with two short texts");
            return Optional.of(EncoderCheck.ofService(encoder));
        }
    }

    @Override
    public Attribution attribution() {
        return attribution;
    }

    private static Vectors encodePassages(Dataset dataset, CachedEncoder encoder, PassageTexts texts) {
        int size = dataset.passages().size();
        try (CachedEncoder.Collector collector = encoder.collector(size, Role.PASSAGE, "encode " + dataset.name())) {
            dataset.passages().forEach((ordinal, passage) -> {
                texts.note(ordinal, passage);
                collector.add(ordinal, passage.content());
            });
            return collector.finish();
        }
    }

    /** Makes it from recipes of kind {@code dense}. */
    public static final class Provider implements RetrieverProvider {
        @Override
        public String kind() {
            return "dense";
        }

        @Override
        public List<String> options() {
            return List.of("precision");
        }

        @Override
        public Retriever create(Recipe recipe) {
            Fields fields = recipe.settings();
            recipe.refuseOthers(DenseEncoder.FIELDS, VectorSettings.FIELDS);
            return new DenseRetriever(
                    recipe,
                    DenseEncoder.check(recipe.name(), fields),
                    engine -> DenseEncoder.open(recipe.name(), fields, engine),
                    attribution(recipe.name(), fields));
        }

        private static Attribution attribution(String recipe, Fields fields) {
            Attribution.Exact exact = engine -> {
                DenseEncoder encoder = DenseEncoder.open(recipe, fields, engine);
                return new Attributor(encoder::tokens, encoder::query, Attributor::byProduct, encoder::close);
            };
            return DenseEncoder.notASum(recipe, fields)
                    .<Attribution>map(Attribution.None::new)
                    .orElse(exact);
        }
    }

    /** Makes it from recipes of kind {@code embedding-api}. */
    public static final class ApiProvider implements RetrieverProvider {
        @Override
        public String kind() {
            return "embedding-api";
        }

        @Override
        public Retriever create(Recipe recipe) {
            Fields fields = recipe.settings();
            recipe.refuseOthers(ApiEncoder.FIELDS, VectorSettings.FIELDS);
            ApiEncoder.check(fields);
            return new DenseRetriever(
                    recipe,
                    List.of(),
                    engine -> new ApiEncoder(fields, engine),
                    new Attribution.None("is a service that gives no vectors of tokens"));
        }
    }
}
