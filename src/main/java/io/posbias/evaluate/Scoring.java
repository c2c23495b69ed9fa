package io.posbias.evaluate;

import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.measure.Clustering;
import io.posbias.measure.Measure;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.position.Bucketing;
import io.posbias.result.Settings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of measures and statistics.
 *
 * @param measures at least one
 * @param buckets override the benchmark's; null for those
 * @param thinBelow fewer queries make a bucket thin
 * @param draws permutations for the noise of PSI, and bootstrap draws for intervals; 0 for neither
 * @param seed of both
 * @param confidence of intervals, between 0 and 1
 * @param equivalence margin of the loss at the back, of either sign
 * @param cluster unit of intervals and tests
 * @param threads results do not depend on it
 */
public record Scoring(
        List<Measure> measures,
        @Nullable Bucketing buckets,
        int thinBelow,
        int draws,
        long seed,
        double confidence,
        double equivalence,
        Clustering.By cluster,
        int threads) {
    public Scoring {
        measures = List.copyOf(measures);
    }

    /** Returns the requested bucketing, else the benchmark's; none without either. */
    Bucketing bucketing(DatasetCard card) {
        if (buckets != null) {
            return buckets;
        }
        return card.bucketing().isEmpty() ? Bucketing.NONE : Bucketing.parse(card.bucketing());
    }

    /**
     * Returns the bucketing of an opened benchmark; none if it has no evidence positions.
     *
     * @throws UsageException if it has evidence positions but no bucketing
     */
    Bucketing bucketing(Dataset dataset) {
        Bucketing bucketing = bucketing(dataset.card());
        if (!dataset.hasEvidence()) {
            return Bucketing.NONE;
        }
        if (!bucketing.hasBuckets()) {
            throw new UsageException("dataset " + dataset.name()
                    + " has no position buckets: give --buckets, or set 'bucketing: …' in its dataset.yaml");
        }
        return bucketing;
    }

    List<String> names() {
        return measures.stream().map(Measure::toString).toList();
    }

    /** Returns these settings with other measures. */
    public Scoring measuring(List<String> names) {
        List<Measure> others = names.stream().map(Measures::parse).toList();
        return new Scoring(others, buckets, thinBelow, draws, seed, confidence, equivalence, cluster, threads);
    }

    Profiler profiler() {
        return new Profiler(thinBelow, draws, seed, confidence, threads);
    }

    /** Returns the highest cutoff of the measures. */
    public int deepest() {
        return measures.stream()
                .mapToInt(Measure::cutoff)
                .filter(cutoff -> cutoff != Measure.NO_CUTOFF)
                .max()
                .orElse(0);
    }

    /**
     * Refuses a depth below a measure's cutoff.
     *
     * @param name of the depth in errors
     */
    public void checkDepth(int k, String name) {
        if (k < 1) {
            throw new UsageException(name + " must be at least 1, not " + k);
        }
        for (Measure measure : measures) {
            if (measure.cutoff() != Measure.NO_CUTOFF && measure.cutoff() > k) {
                throw new UsageException(
                        measure + " looks at " + measure.cutoff() + " passages, but " + name + " is " + k);
            }
        }
    }

    /**
     * Refuses a depth that does not exceed the first measure's cutoff, and 0 draws.
     *
     * @param name of the depth in errors
     */
    public void checkContentFixed(int k, String name) {
        Measure measure = measures.getFirst();
        if (measure.cutoff() != Measure.NO_CUTOFF && measure.cutoff() >= k) {
            throw new UsageException("--content-fixed needs " + name + " of at least " + (measure.cutoff() + 1)
                    + ": the passages below those that " + measure + " looks at");
        }
        if (draws == 0) {
            throw new UsageException("--content-fixed needs --draws of at least 1");
        }
    }

    public Settings settings(int k, DatasetCard card) {
        return settings(k, card, null);
    }

    /**
     * @throws UsageException if the benchmark holds the content fixed itself
     */
    Settings settings(int k, DatasetCard card, @Nullable String contentFixed) {
        if (contentFixed != null && !card.contentFixed().isEmpty()) {
            throw new UsageException("dataset " + card.name() + " holds the content fixed already ("
                    + card.contentFixed() + "): leave out --content-fixed");
        }
        return new Settings(
                k,
                names(),
                bucketing(card).toString(),
                thinBelow,
                draws,
                seed,
                confidence,
                cluster,
                contentFixed == null && !card.contentFixed().isEmpty() ? card.contentFixed() : contentFixed);
    }
}
