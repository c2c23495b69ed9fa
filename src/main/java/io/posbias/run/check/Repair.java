package io.posbias.run.check;

import io.posbias.base.stats.Estimate;
import io.posbias.data.position.Strata;
import io.posbias.rank.SearchStat;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.Relief;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Effect of a strategy on a model's loss.
 *
 * @param strategy behind the model's name, for example {@code chunked:window=64}
 * @param model with the strategy
 * @param vectors per passage
 * @param loss at the back with the strategy, as a share; null if the evidence was not moved for it
 * @param cost of not reading an answer in points; null unless the evidence was moved for the model alone
 * @param relief as shares of the model's front with {@code loss}, in points otherwise
 */
record Repair(
        String strategy,
        String model,
        double vectors,
        @Nullable Estimate loss,
        @Nullable Estimate cost,
        Relief relief) {
    /**
     * Compares a model with its strategy: by the loss at the back if the evidence was moved for both; else the answers that the
     * model does not read gain, against what not reading costs by the parts of the loss, or beside the blind model.
     *
     * @param blind cell of a position-blind model; null without one
     * @return null for too few questions
     */
    static @Nullable Repair of(
            String name, CellQueries plain, CellQueries strategy, @Nullable CellQueries blind, int threads) {
        Result result = strategy.result();
        String measure = result.settings().measure().toString();
        Comparer comparer = new Comparer(plain.result().settings(), threads);
        double vectors = SearchStat.VECTORS.in(result.retrieval().searchStats(), 1);
        ContentFixed moved = result.profiles().getFirst().contentFixed();
        if (moved != null && plain.isPlacedAs(strategy, measure)) {
            Relief relief = comparer.relief(plain.placement().clustering().by(), plain.places(), strategy.places());
            return relief == null ? null : new Repair(name, result.model(), vectors, moved.lossShare(), null, relief);
        }
        ContentFixed own = plain.result().profiles().getFirst().contentFixed();
        LossParts parts = own == null || !own.isTold() ? null : own.parts();
        Estimate cost = parts == null ? null : parts.perUnread();
        Estimate gain = gain(plain, strategy, measure, comparer);
        Relief relief = cost != null && gain != null
                ? Relief.ofReading(gain, cost)
                : blind == null
                        ? null
                        : Relief.unread(
                                Stream.of(plain, blind, strategy)
                                        .map(cell -> scores(cell, measure))
                                        .toArray(double[][]::new),
                                plain.facts().readByAll(),
                                plain.placement().clustering().clusters(),
                                plain.result().settings().confidence());
        return relief == null ? null : new Repair(name, result.model(), vectors, null, cost, relief);
    }

    /** Returns what the answers that the model does not read whole gain; null for too few. */
    private static @Nullable Estimate gain(CellQueries plain, CellQueries strategy, String measure, Comparer comparer) {
        EvidenceCuts cuts = plain.facts().readByAll();
        int[] unread = IntStream.range(0, plain.scores().queries().size())
                .filter(cuts.endsPast()::get)
                .toArray();
        CellQueries some = plain.at(unread);
        Comparison comparison = comparer.compare(
                measure, Strata.ALL, scores(some, measure), scores(strategy.at(unread), measure), some.placement());
        return comparison == null ? null : comparison.difference();
    }

    private static double[] scores(CellQueries queries, String measure) {
        return Objects.requireNonNull(queries.of(measure));
    }
}
