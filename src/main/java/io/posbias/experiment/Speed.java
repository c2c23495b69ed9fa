package io.posbias.experiment;

/**
 * How fast a model works here, measured or given.
 *
 * @param start seconds that every cell needs, whatever its size
 * @param first seconds that the first cell of a process needs besides
 * @param index seconds for a unit of work on passages
 * @param search seconds for a unit of work on queries
 * @param measure seconds for a query after the search
 */
record Speed(double start, double first, double index, double search, double measure) {
    /** Of a worker that does nothing but multiply. */
    static Speed of(double flopsPerSecond) {
        return new Speed(0, 0, 1 / flopsPerSecond, 1 / flopsPerSecond, 0);
    }

    /**
     * From a smaller and a larger part of a benchmark: what grows is the rate, what does not is the start.
     *
     * @param small with the seconds of its evaluation
     * @param large likewise
     * @param cold how long the smaller one took the first time in the process
     */
    static Speed between(Sample small, Sample large, Trial.Seconds cold) {
        double index = rate(large.seconds.index() - small.seconds.index(), large.passages - small.passages);
        double search = rate(large.seconds.search() - small.seconds.search(), large.queries - small.queries);
        double measure = rate(large.seconds.measure() - small.seconds.measure(), large.asked - small.asked);
        double grown = index * small.passages + search * small.queries + measure * small.asked;
        return new Speed(
                Math.max(0, small.seconds.sum() - grown),
                Math.max(0, cold.sum() - small.seconds.sum()),
                index,
                search,
                measure);
    }

    private static double rate(double seconds, double work) {
        return work > 0 ? Math.max(0, seconds / work) : 0;
    }

    /**
     * A part of a benchmark that was evaluated.
     *
     * @param passages the work on its passages
     * @param queries the work on its queries
     * @param asked how many queries it has
     */
    record Sample(Trial.Seconds seconds, double passages, double queries, double asked) {}
}
