package io.posbias.model.retrieve;

import io.posbias.base.text.Printable;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.LastModel;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Portion;
import io.posbias.model.encode.Workers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** Cross-encoder on the workers; this process divides pairs into blocks and collects scores. */
final class SpreadScorer implements PairScorer {
    private final Recipe recipe;
    private final Engine engine;
    private final PortableRecipe portable;
    private final String space;

    /** Requests the model's space from one worker. */
    SpreadScorer(Recipe recipe, Engine engine) {
        this.recipe = recipe;
        this.engine = engine;
        this.portable = PortableRecipe.of(recipe);
        AtomicReference<String> answer = new AtomicReference<>();
        engine.workers().run("load " + recipe.name(), List.of(new ModelQuery(recipe.name(), portable)), answer::set);
        this.space = answer.get();
    }

    private record ModelQuery(String name, PortableRecipe recipe) implements Workers.Block<String> {
        @Override
        public String run(Engine worker, LastModel last) {
            return OpenModel.with(PairScorer.class, recipe, worker, last, PairScorer::space);
        }
    }

    /**
     * Pairs of a window; the result is their scores, in no particular order.
     *
     * @param space required of the worker's model
     */
    private record PairBlock(PortableRecipe recipe, String space, Portion<TextPair> portion)
            implements Workers.Block<ArrayList<Scored>> {
        @Override
        public String name() {
            return portion.name(
                    "pairs",
                    pair -> "the passage that begins " + Printable.cut(pair.passage()) + " for the query "
                            + Printable.cut(pair.query()));
        }

        @Override
        public ArrayList<Scored> run(Engine worker, LastModel last) {
            return OpenModel.with(PairScorer.class, recipe, worker, last, model -> {
                SpreadEncoder.refuseOther(space, model.space());
                List<Scored> scores = Collections.synchronizedList(new ArrayList<>());
                model.prepare(portion.items())
                        .run(batch -> batch.forEach(one -> scores.add(new Scored(
                                portion.places().get(one.pair()), one.score(), one.seen(), one.queryCut()))));
                return new ArrayList<>(scores);
            });
        }

        @Override
        public List<PairBlock> pieces() {
            return portion.single().stream()
                    .map(one -> new PairBlock(recipe, space, one))
                    .toList();
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
    public PairWork prepare(List<TextPair> pairs) {
        List<PairBlock> blocks = Portion.deal(pairs, engine.workers().slots()).stream()
                .map(portion -> new PairBlock(portable, space, portion))
                .toList();
        String label = String.format(Locale.ROOT, "score %,d pairs with %s", pairs.size(), recipe.name());
        return sink -> engine.workers().run(label, blocks, sink::accept);
    }

    @Override
    public void close() {
        // Workers keep the model they used last.
    }
}
