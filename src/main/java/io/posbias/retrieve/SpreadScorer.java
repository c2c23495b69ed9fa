package io.posbias.retrieve;

import io.posbias.Printable;
import io.posbias.encode.Engine;
import io.posbias.encode.PairScorer;
import io.posbias.encode.Workers;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** A scorer that is loaded where workers are; this process cuts pairs into blocks and collects scores. */
final class SpreadScorer implements PairScorer {
    /** Pairs of a block at most: what is lost with a worker. */
    private static final int MOST = 4_096;

    private final Recipe recipe;
    private final Engine engine;
    private final PortableRecipe portable;
    private final String space;

    /** Asks one worker what the model is like. */
    SpreadScorer(Recipe recipe, Engine engine) {
        this.recipe = recipe;
        this.engine = engine;
        this.portable = PortableRecipe.of(recipe);
        AtomicReference<String> told = new AtomicReference<>();
        engine.workers().run("load " + recipe.name(), portable, List.of(new Ask(recipe.name())), told::set);
        this.space = told.get();
    }

    private record Ask(String name) implements Workers.Block<PortableRecipe, String> {
        @Override
        public String run(PortableRecipe shared, Engine worker) {
            return OpenModel.scorer(shared, worker, PairScorer::space);
        }

        @Override
        public List<Ask> pieces() {
            return List.of();
        }
    }

    /** Scores of a block, in no particular order. */
    private record Done(ArrayList<Scored> scores) implements Serializable {}

    /**
     * Some pairs of a window.
     *
     * @param space what scores must be of
     * @param places of the pairs in the window
     */
    private record Pairs(String space, ArrayList<Integer> places, ArrayList<Pair> pairs)
            implements Workers.Block<PortableRecipe, Done> {
        @Override
        public String name() {
            Pair first = pairs.getFirst();
            String text = "the passage that begins " + Printable.cut(first.passage()) + " for the query "
                    + Printable.cut(first.query());
            return pairs.size() == 1 ? text : pairs.size() + " pairs, of which one is " + text;
        }

        @Override
        public Done run(PortableRecipe shared, Engine worker) {
            return OpenModel.scorer(shared, worker, model -> {
                SpreadEncoder.refuseOther(space, model.space());
                List<Scored> scores = Collections.synchronizedList(new ArrayList<>());
                model.prepare(pairs)
                        .run(batch -> batch.forEach(one -> scores.add(
                                new Scored(places.get(one.pair()), one.score(), one.seen(), one.queryCut()))));
                return new Done(new ArrayList<>(scores));
            });
        }

        @Override
        public List<Pairs> pieces() {
            List<Pairs> pieces = new ArrayList<>();
            for (int i = 0; pairs.size() > 1 && i < pairs.size(); i++) {
                pieces.add(new Pairs(
                        space, new ArrayList<>(places.subList(i, i + 1)), new ArrayList<>(pairs.subList(i, i + 1))));
            }
            return pieces;
        }
    }

    @Override
    public String space() {
        return space;
    }

    @Override
    public int window() {
        return WINDOW_PAIRS * Math.ceilDiv(Math.max(1, engine.workers().slots()), 2);
    }

    @Override
    public Work prepare(List<Pair> pairs) {
        int count = SpreadEncoder.blocks(pairs.size(), engine.workers().slots(), MOST);
        List<Pairs> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(new Pairs(space, new ArrayList<>(), new ArrayList<>()));
        }
        for (int i = 0; i < pairs.size(); i++) {
            blocks.get(i % count).places.add(i);
            blocks.get(i % count).pairs.add(pairs.get(i));
        }
        String label = String.format(Locale.ROOT, "score %,d pairs with %s", pairs.size(), recipe.name());
        return sink -> engine.workers().run(label, portable, blocks, done -> sink.accept(done.scores));
    }

    @Override
    public void close() {
        // Workers keep the model they used last.
    }
}
