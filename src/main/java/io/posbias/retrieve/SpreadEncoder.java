package io.posbias.retrieve;

import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.Workers;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** An encoder that is loaded where workers are; this process cuts texts into blocks and collects vectors. */
final class SpreadEncoder implements TextEncoder {
    /** Texts of a block at most: what is lost with a worker. */
    static final int MOST = 4_096;

    /** Blocks for each that is done at once: the last ones to end then keep few workers waiting. */
    static final int BLOCKS_EACH = 4;

    private final Recipe recipe;
    private final Engine engine;
    private final PortableRecipe portable;
    private final Space space;

    /** What a worker's model says of itself. */
    private record Space(String name, int dimension) implements Serializable {}

    /** Asks one worker what the model is like. */
    SpreadEncoder(Recipe recipe, Engine engine) {
        this.recipe = recipe;
        this.engine = engine;
        this.portable = PortableRecipe.of(recipe);
        AtomicReference<Space> told = new AtomicReference<>();
        engine.workers().run("load " + recipe.name(), portable, List.of(new Ask(recipe.name())), told::set);
        this.space = told.get();
    }

    private record Ask(String name) implements Workers.Block<PortableRecipe, Space> {
        @Override
        public Space run(PortableRecipe shared, Engine worker) {
            return OpenModel.encoder(shared, worker, model -> new Space(model.space(), model.dimension()));
        }

        @Override
        public List<Ask> pieces() {
            return List.of();
        }
    }

    /** Vectors of a block, in no particular order. */
    private record Done(ArrayList<Encoded> vectors) implements Serializable {}

    /**
     * Some texts of a window.
     *
     * @param space what vectors must be of: another build or another file of the model would give others
     * @param places of the texts in the window
     */
    private record Texts(String space, Role role, ArrayList<Integer> places, ArrayList<String> texts)
            implements Workers.Block<PortableRecipe, Done> {
        @Override
        public String name() {
            String first = "the text that begins " + Printable.cut(texts.getFirst());
            return texts.size() == 1 ? first : texts.size() + " texts, of which one is " + first;
        }

        @Override
        public Done run(PortableRecipe shared, Engine worker) {
            return OpenModel.encoder(shared, worker, model -> {
                refuseOther(space, model.space());
                List<Encoded> vectors = Collections.synchronizedList(new ArrayList<>());
                model.prepare(texts, role)
                        .run(batch -> batch.forEach(one -> vectors.add(
                                new Encoded(places.get(one.text()), one.vectors(), one.rows(), one.seen()))));
                return new Done(new ArrayList<>(vectors));
            });
        }

        @Override
        public List<Texts> pieces() {
            List<Texts> pieces = new ArrayList<>();
            for (int i = 0; texts.size() > 1 && i < texts.size(); i++) {
                pieces.add(new Texts(
                        space,
                        role,
                        new ArrayList<>(places.subList(i, i + 1)),
                        new ArrayList<>(texts.subList(i, i + 1))));
            }
            return pieces;
        }
    }

    /** Refuses a model whose numbers could not stand beside those of the others. */
    static void refuseOther(String wanted, String own) {
        if (!own.equals(wanted)) {
            throw new PosbiasException(
                    "it has another model file, another build or another kind of device than the worker"
                            + " that was asked first: its numbers would differ");
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
        return Math.max(2, engine.workers().slots() / BLOCKS_EACH);
    }

    @Override
    public Work prepare(List<String> texts, Role role) {
        int count = blocks(texts.size(), engine.workers().slots(), MOST);
        List<Texts> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(new Texts(space.name, role, new ArrayList<>(), new ArrayList<>()));
        }
        // Dealt out: neighbours are often of one length, and blocks should take equally long.
        for (int i = 0; i < texts.size(); i++) {
            blocks.get(i % count).places.add(i);
            blocks.get(i % count).texts.add(texts.get(i));
        }
        String what = role == Role.QUERY ? "queries" : "passages";
        String label = String.format(java.util.Locale.ROOT, "encode %,d %s with %s", texts.size(), what, recipe.name());
        return sink -> engine.workers().run(label, portable, blocks, done -> sink.accept(done.vectors));
    }

    /** How many blocks items are cut into. */
    static int blocks(int items, int slots, int most) {
        int wanted = Math.max(Math.ceilDiv(items, most), BLOCKS_EACH * slots);
        return Math.max(1, Math.min(items, wanted));
    }

    @Override
    public void close() {
        // Workers keep the model they used last.
    }
}
