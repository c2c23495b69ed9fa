package io.posbias.probe;

import java.util.List;

/** See {@link Shapes#PAIRS}. */
final class PairShape implements Shape {
    /** A query has one pair: one that is there twice would count twice in the test. */
    @Override
    public Check check(String probe) {
        Repeats repeats = new Repeats("a query has one pair");
        return (line, tags, id) -> repeats.refuse(line, id, "");
    }

    @Override
    public List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
        double[] first = items.stream().mapToDouble(ScoredItem::score1).toArray();
        double[] second = items.stream().mapToDouble(ScoredItem::second).toArray();
        return List.of(PairTest.of(probe, PairTest.PAIRS, first, second, ScoredItem.clusters(items), confidence));
    }
}
