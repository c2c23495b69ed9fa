package io.posbias.model.retrieve;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.LastModel;
import io.posbias.model.encode.Portion;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.Workers;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.VectorSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Encoder on the workers; this process divides texts into blocks and collects vectors. */
final class SpreadEncoder implements TextEncoder {
    private final Recipe recipe;
    private final Engine engine;
    private final PortableRecipe portable;
    private final Space space;

    /**
     * Returns what opens cached vectors of a recipe's own model, encoded by workers if there are any. A service stays in
     * this process, which keeps its limits.
     */
    static Function<Engine, VectorSource> cached(Recipe recipe, Model.Encoder encoder, VectorCache.Shape shape) {
        return engine -> {
            TextEncoder texts = engine.workers().any() && !encoder.isHere()
                    ? new SpreadEncoder(recipe, engine)
                    : encoder.opener().apply(engine);
            return new CachedEncoder(texts, recipe.name(), engine, shape);
        };
    }

    private record Space(String name, int dimension) implements Serializable {}

    /** Requests the model's properties from one worker. */
    SpreadEncoder(Recipe recipe, Engine engine) {
        this.recipe = recipe;
        this.engine = engine;
        this.portable = PortableRecipe.of(recipe);
        AtomicReference<Space> answer = new AtomicReference<>();
        engine.workers().run("load " + recipe.name(), List.of(new ModelQuery(recipe.name(), portable)), answer::set);
        this.space = answer.get();
    }

    private record ModelQuery(String name, PortableRecipe recipe) implements Workers.Block<Space> {
        @Override
        public Space run(Engine worker, LastModel last) {
            return OpenModel.with(
                    TextEncoder.class, recipe, worker, last, model -> new Space(model.space(), model.dimension()));
        }
    }

    /**
     * Texts of a window; the result is their vectors, in no particular order.
     *
     * @param space required of the worker's model: another build or model file has other vectors
     */
    private record TextBlock(PortableRecipe recipe, String space, Role role, Portion<String> portion)
            implements Workers.Block<ArrayList<Encoded>> {
        @Override
        public String name() {
            return portion.name("texts", text -> "the text that begins " + Printable.cut(text));
        }

        @Override
        public ArrayList<Encoded> run(Engine worker, LastModel last) {
            return OpenModel.with(TextEncoder.class, recipe, worker, last, model -> {
                refuseOther(space, model.space());
                List<Encoded> vectors = Collections.synchronizedList(new ArrayList<>());
                model.prepare(portion.items(), role)
                        .run(batch -> batch.forEach(
                                one -> vectors.add(one.at(portion.places().get(one.text())))));
                return new ArrayList<>(vectors);
            });
        }

        @Override
        public List<TextBlock> pieces() {
            return portion.single().stream()
                    .map(one -> new TextBlock(recipe, space, role, one))
                    .toList();
        }
    }

    /** Refuses a model whose numbers are not comparable. */
    static void refuseOther(String wanted, String own) {
        if (!own.equals(wanted)) {
            throw new PosbiasException(
                    "the worker has another model file, build or kind of device than the first worker: its numbers"
                            + " would differ");
        }
    }

    @Override
    public int dimension() {
        return space.dimension;
    }

    @Override
    public String space() {
        return space.name;
    }

    @Override
    public int windows() {
        return Math.max(2, engine.workers().slots() / Portion.PER_SLOT);
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        List<TextBlock> blocks = Portion.deal(
                        texts, Portion.sharing(engine.workers().slots()))
                .stream()
                .map(portion -> new TextBlock(portable, space.name, role, portion))
                .toList();
        String what = role == Role.QUERY ? "queries" : "passages";
        String label = String.format(Locale.ROOT, "encode %,d %s with %s", texts.size(), what, recipe.name());
        return sink -> engine.workers().run(label, blocks, sink::accept);
    }

    @Override
    public void close() {
        // Workers keep the model they used last.
    }
}
