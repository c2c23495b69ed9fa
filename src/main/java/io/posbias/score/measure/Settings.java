package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.position.Bucketing;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an evaluation, declared once: options, fields of experiments, JSON, defaults and equality derive from the
 * components. Equal settings and one run give equal findings.
 *
 * @param k depth of rankings; 0 for a run of another system
 * @param measures at least one; the first decides the verdict
 * @param buckets null for the benchmark's
 * @param thinBelow fewer queries make a bucket thin
 * @param draws permutations for the noise of PSI, and bootstrap draws for intervals; 0 for neither
 * @param seed of both
 * @param confidence of intervals, between 0 and 1
 * @param equivalence margin of the loss at the back, of either sign, as a fraction
 * @param cluster unit of intervals and tests
 * @param contentFixed queries, places and method that hold the content fixed; null if it is not held fixed
 * @param excludeSelf true if rankings leave out the passage with the query's own identifier; null if not
 * @param singleEvidence how queries with a second evidence were recognised and left out; null if none are
 * @param relevant how passages without a judgement became relevant; null if none did
 */
public record Settings(
        @Setting(heading = "Measures:", label = "K", meaning = "Maximum number of passages retrieved per query")
        int k,

        @Setting(label = "MEASURE,..", meaning = "Measures with any cutoff. Kinds: ${COMPLETION-CANDIDATES}")
        List<Measure> measures,

        @Setting(
                heading = "Measures:",
                label = "SPEC",
                meaning = "Position buckets instead of the dataset's own: characters:0,100,..; "
                        + "characters-closed:0,100,..; labels:a,b,..; thirds; relative:N; each also with "
                        + "'by tokens:512,1024,..' after it")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        Bucketing buckets,

        @Setting(heading = "Measures:", label = "N", meaning = "Threshold for marking small buckets, in queries")
        int thinBelow,

        @Setting(
                least = 0,
                heading = "Statistics:",
                label = "N",
                meaning = "Number of random permutations in tests and of bootstrap draws for intervals; 0 for neither")
        int draws,

        @Setting(heading = "Statistics:", label = "S", meaning = "Seed of the random draws")
        long seed,

        @Setting(above = 0, below = 1, heading = "Statistics:", label = "P", meaning = "Confidence of intervals")
        double confidence,

        @Setting(
                above = 0,
                below = 1,
                scale = 100,
                heading = "Content held fixed:",
                label = "PERCENT",
                meaning = "Largest negligible loss at the back: the verdict is even if its whole interval is within "
                        + "PERCENT of 0")
        double equivalence,

        @Setting(
                heading = "Statistics:",
                label = "UNIT",
                meaning =
                        "Cluster of queries for intervals and tests: those with the same relevant passage or article "
                                + "(title), or none: ${COMPLETION-CANDIDATES} (default: article where several passages are of one)")
        Clustering.@Nullable By cluster,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String contentFixed,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean excludeSelf,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String singleEvidence,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String relevant) {
    /** The defaults of {@code posbias eval}; 30 queries are a rule of thumb for a mean. */
    public static final Settings USUAL = new Settings(
            100,
            List.of(Measures.parse(Measures.DEFAULT)),
            null,
            30,
            10_000,
            42,
            0.95,
            TestOutcome.EQUIVALENCE,
            null,
            null,
            null,
            null,
            null);

    public Settings {
        measures = List.copyOf(measures);
    }

    /** Returns the settings with another value, of its type, of a component. */
    public Settings with(String component, @Nullable Object value) {
        return SettingsFields.with(this, component, value);
    }

    public Settings withMeasures(List<Measure> others) {
        return with("measures", others);
    }

    public Settings withBuckets(@Nullable Bucketing others) {
        return with("buckets", others);
    }

    public Settings withDraws(int number) {
        return with("draws", number);
    }

    public Settings withSeed(long other) {
        return with("seed", other);
    }

    public Settings withConfidence(double other) {
        return with("confidence", other);
    }

    public Settings withCluster(Clustering.By unit) {
        return with("cluster", unit);
    }

    /** The cluster; the passage without. */
    public Clustering.By unit() {
        return Objects.requireNonNullElse(cluster, Clustering.By.PASSAGE);
    }

    public Settings withContentFixed(@Nullable String how) {
        return with("contentFixed", how);
    }

    /** The first measure, which content-fixed scores and verdicts are of. */
    public Measure measure() {
        return measures.getFirst();
    }

    public List<String> names() {
        return measures.stream().map(Measure::toString).toList();
    }

    /** The buckets; none without. */
    public Bucketing bucketing() {
        return Objects.requireNonNullElse(buckets, Bucketing.NONE);
    }

    /**
     * Fills in what the benchmark has: buckets, cluster, content held fixed, passages and queries that are left out.
     *
     * @throws UsageException if both the settings and the benchmark hold the content fixed
     */
    public Settings on(DatasetCard card) {
        boolean isUsual = buckets == null && !card.bucketing().isEmpty();
        Settings own = withBuckets(isUsual ? Bucketing.parse(card.bucketing()) : bucketing())
                .withCluster(cluster == null ? Clustering.By.of(card) : cluster)
                .with("excludeSelf", card.excludesSelf() ? true : null)
                .with("singleEvidence", card.singleEvidence().orElse(null))
                .with("relevant", card.relevant().orElse(null));
        if (card.contentFixed().isEmpty() || card.contentFixed().equals(contentFixed)) {
            return own;
        }
        if (contentFixed != null) {
            throw new UsageException("dataset " + card.name() + " holds the content fixed already ("
                    + card.contentFixed() + "): leave out --content-fixed");
        }
        return own.withContentFixed(card.contentFixed());
    }

    /**
     * Returns the settings on an opened benchmark, as {@link #on(DatasetCard)}: without evidence positions it has no buckets.
     *
     * @throws UsageException if it has evidence positions but no buckets
     */
    public Settings on(Dataset dataset) {
        Settings own = on(dataset.card());
        if (!dataset.hasEvidence()) {
            return own.withBuckets(Bucketing.NONE);
        }
        if (!own.bucketing().hasBuckets()) {
            throw new UsageException("dataset " + dataset.name()
                    + " has no position buckets: give --buckets, or set 'bucketing: …' in its dataset.yaml");
        }
        return own;
    }
}
