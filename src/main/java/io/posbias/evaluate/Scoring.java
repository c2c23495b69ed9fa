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
 * How rankings become numbers.
 *
 * @param measures at least one
 * @param buckets instead of the benchmark's own; null for those
 * @param thinBelow fewer queries make a bucket thin
 * @param draws random permutations behind the noise of PSI and bootstrap draws behind intervals; 0 for neither
 * @param seed of both
 * @param confidence of intervals, between 0 and 1
 * @param equivalence the loss at the back, of either sign, that does not matter
 * @param cluster which queries count as one for intervals and tests
 * @param threads how many may work; results do not depend on it
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
    /** Copies the measures. */
    public Scoring {
        measures = List.copyOf(measures);
    }

    /** The bucketing for a benchmark: what was asked for, else its own; none where nobody says. */
    Bucketing bucketing(DatasetCard card) {
        if (buckets != null) {
            return buckets;
        }
        return card.bucketing().isEmpty() ? Bucketing.NONE : Bucketing.parse(card.bucketing());
    }

    /**
     * The bucketing of an opened benchmark: without buckets where no query says where its evidence is.
     *
     * @throws UsageException if queries say so, and nobody says how to group them
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

    /** The names of the measures. */
    List<String> names() {
        return measures.stream().map(Measure::toString).toList();
    }

    /** The same with the measures of these names. */
    public Scoring measuring(List<String> names) {
        List<Measure> others = names.stream().map(Measures::parse).toList();
        return new Scoring(others, buckets, thinBelow, draws, seed, confidence, equivalence, cluster, threads);
    }

    Profiler profiler() {
        return new Profiler(thinBelow, draws, seed, confidence, threads);
    }

    /** The deepest passage that a measure with a cutoff looks at. */
    public int deepest() {
        return measures.stream()
                .mapToInt(Measure::cutoff)
                .filter(cutoff -> cutoff != Measure.NO_CUTOFF)
                .max()
                .orElse(0);
    }

    /**
     * Refuses a depth that a measure looks beyond.
     *
     * @param name what errors call the depth
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
     * Refuses a depth that does not show what a passage with another score would be ranked among, and no draws.
     *
     * @param name what errors call the depth
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

    /** All of it, as results record it. */
    public Settings settings(int k, DatasetCard card) {
        return settings(k, card, null);
    }

    /** @throws UsageException if the content is to be held fixed of a benchmark that does so itself */
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
