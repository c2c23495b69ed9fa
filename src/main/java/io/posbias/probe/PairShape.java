package io.posbias.probe;

import java.util.List;

/** See {@link Shapes#PAIRS}. */
final class PairShape implements Shape {
    @Override
    public String headline() {
        return PairTest.PAIRS;
    }

    @Override
    public List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
        double[] first = items.stream().mapToDouble(ScoredItem::score1).toArray();
        double[] second = items.stream().mapToDouble(ScoredItem::second).toArray();
        return List.of(PairTest.of(probe, PairTest.PAIRS, first, second, confidence));
    }
}
