package io.posbias.experiment;

import io.posbias.encode.Engine;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.retrieve.Outline;
import io.posbias.retrieve.Recipe;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The models of one recipe, opened when they are first needed. */
final class PlannedModels implements AutoCloseable {
    private final Engine engine;
    private final boolean looksIntoCache;
    private final Map<String, PlannedModel> models = new HashMap<>();
    private final Map<String, CachedEncoder> encoders = new HashMap<>();

    /** @param looksIntoCache whether vectors that are here are left out, for which models are loaded */
    PlannedModels(Engine engine, boolean looksIntoCache) {
        this.engine = engine;
        this.looksIntoCache = looksIntoCache;
    }

    PlannedModel of(Recipe recipe) {
        return models.computeIfAbsent(recipe.fingerprint(), model -> new PlannedModel(recipe, engine));
    }

    /** What knows which vectors are here; null where that is not looked at. */
    @Nullable
    CachedEncoder encoder(Outline.Encoding encoding) {
        return looksIntoCache && of(encoding.inner()).isHere()
                ? encoders.computeIfAbsent(
                        encoding.recipe().fingerprint(),
                        recipe -> encoding.opener().apply(engine))
                : null;
    }

    @Override
    public void close() {
        encoders.values().forEach(CachedEncoder::close);
        models.values().forEach(PlannedModel::close);
    }
}
