package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Histograms;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Proportion;
import io.posbias.base.stats.Uniformity;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.study.diagnose.Reversal.Third;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code diagnose evidence}.
 *
 * @param estimate null for evidence from the benchmark
 * @param lengths all lengths, then bands of them
 * @param trained empty if no results were asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EvidenceResult(
        String schema,
        @JsonUnwrapped DataOrigin data,
        @JsonProperty("estimated_by") @Nullable EvidenceEstimate estimate,
        double confidence,
        At at,
        @JsonUnwrapped EvidenceDistribution places,
        List<EvidenceBand> lengths,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Taught> trained) {
    private static final int BAR = 18;

    /** What of the evidence has the position. */
    public enum At {
        /** PosIR's position. */
        MIDDLE,
        /** That of arXiv:2605.26578. */
        START;

        Query of(Query query) {
            Evidence evidence = query.evidence();
            return this == MIDDLE || evidence == null ? query : query.with(evidence.collapsed());
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How positions are counted.
     *
     * @param bins equal bins of position
     * @param edges of lengths, as {@link EvidenceBand#of} takes them
     */
    public record Counting(At at, int bins, List<Integer> edges, double confidence) {}

    private record EvidenceRow(
            String position,
            int queries,
            double value,
            @Nullable Interval interval,
            @Nullable Double p,
            String bar) {
        static EvidenceRow share(String name, EvidenceDistribution.EvidenceShare share) {
            return new EvidenceRow(name, share.queries(), share.share(), share.interval(), null, "");
        }

        static EvidenceRow mean(String name, EvidenceDistribution places) {
            return new EvidenceRow(name, places.queries(), places.mean(), places.meanInterval(), null, "");
        }

        static EvidenceRow test(String name, Uniformity.Test test, int n) {
            return new EvidenceRow(name, n, test.statistic(), null, test.pValue(), "");
        }
    }

    private static Columns<EvidenceRow> columns(boolean bars) {
        return new Columns<EvidenceRow>()
                .text("position", EvidenceRow::position)
                .text("queries", EvidenceRow::queries)
                .number("value", NumberFormat.FRACTION, EvidenceRow::value)
                .interval(NumberFormat.FRACTION, row -> row.interval() == null ? "" : row.interval())
                .number("p", NumberFormat.P, row -> row.p() == null ? "" : row.p())
                .when(bars, columns -> columns.text("bar", EvidenceRow::bar));
    }

    public static EvidenceResult of(
            Dataset dataset, List<Query> given, @Nullable EvidenceEstimate estimate, Counting counting) {
        List<Query> queries = given.stream().map(counting.at()::of).toList();
        List<String> placed = queries.stream()
                .filter(query -> !EvidenceDistribution.placed(List.of(query)).isEmpty())
                .map(Query::id)
                .toList();
        return new EvidenceResult(
                "posbias/evidence-positions/1",
                DataOrigin.of(dataset, placed),
                estimate,
                counting.confidence(),
                counting.at(),
                EvidenceDistribution.of(queries, counting.bins(), counting.confidence()),
                EvidenceBand.of(EvidenceDistribution.placed(queries), counting.edges(), counting.confidence()),
                List.of());
    }

    public EvidenceResult with(Taught.Models models) {
        List<Taught> beside = models.beside(lengths.getFirst());
        return new EvidenceResult(schema, data, estimate, confidence, at, places, lengths, beside);
    }

    /** The table of positions, then that by length, and that of trained models if there are any. */
    public List<Table> tables() {
        List<Table> tables = new ArrayList<>(List.of(
                table(true),
                EvidenceBand.table(
                        data.dataset(),
                        lengths,
                        List.of("front, middle, back: shares of the thirds of a passage; interval: "
                                + NumberFormat.percent(confidence) + ", t"))));
        if (!trained.isEmpty()) {
            tables.add(Taught.table(data.dataset(), trained));
        }
        return tables;
    }

    /**
     * Returns one row per bin, then first third, mean and tests.
     *
     * @param bars true for a column of text bars
     */
    public Table table(boolean bars) {
        List<EvidenceRow> rows = new ArrayList<>();
        int bins = places.bins().size();
        int most = places.bins().stream()
                .mapToInt(EvidenceDistribution.EvidenceShare::queries)
                .max()
                .orElse(0);
        for (int bin = 0; bin < bins; bin++) {
            EvidenceDistribution.EvidenceShare share = places.bins().get(bin);
            String bar = "#".repeat((int) Math.round((double) BAR * share.queries() / most));
            String name = percent(bin, bins) + "-" + percent(bin + 1, bins) + "%";
            rows.add(new EvidenceRow(name, share.queries(), share.share(), share.interval(), null, bar));
        }
        Uniformity even = places.uniformity();
        int n = places.queries();
        rows.add(EvidenceRow.share("first third", places.firstThird()));
        rows.add(EvidenceRow.mean("mean position", places));
        rows.add(EvidenceRow.test("chi-square, " + even.chiSquare().degreesOfFreedom() + " df", even.chiSquare(), n));
        rows.add(EvidenceRow.test("Kolmogorov-Smirnov D", even.kolmogorovSmirnov(), n));
        if (estimate != null && estimate.againstSpans() != null) {
            EvidenceEstimate.Agreement agreement = estimate.againstSpans();
            EvidenceDistribution spans = agreement.spans();
            rows.add(EvidenceRow.share("best sentence overlaps the span", agreement.overlap()));
            rows.add(
                    new EvidenceRow("a random one overlaps it", spans.queries(), agreement.byChance(), null, null, ""));
            rows.add(EvidenceRow.share("first third, by spans", spans.firstThird()));
            rows.add(EvidenceRow.mean("mean position, by spans", spans));
        }
        String title = "Positions of evidence in " + data.dataset()
                + (estimate == null ? "" : ", estimated by " + estimate.model());
        return columns(bars).table(title, rows, notes());
    }

    private static String percent(int bin, int bins) {
        double percent = 100.0 * bin / bins;
        return String.format(Locale.ROOT, percent == Math.rint(percent) ? "%.0f" : "%.1f", percent);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                "position: " + at + " of the evidence over the length of its text; value: share, mean or statistic",
                "interval: " + NumberFormat.percent(confidence) + ", Wilson for shares, t for the mean; p: of the null"
                        + " hypothesis that positions are uniform"));
        if (estimate != null) {
            notes.add("an estimate: the evidence of a query is the sentence of its relevant passage that "
                    + estimate.model() + " scores highest");
            note(
                    notes,
                    "queries with several relevant passages: ",
                    estimate.severalRelevant(),
                    "; the first by identifier is used");
            note(notes, "queries with several best sentences: ", estimate.severalBest(), "; the first is used");
            note(notes, "queries whose passage has one sentence: ", estimate.oneSentence(), "");
        }
        notes.addAll(data.note());
        String why = estimate == null ? "their evidence has no position" : "no sentence scores above the others";
        if (places.withoutPosition() > 0) {
            notes.add("left out because " + why + ": " + Plural.of(places.withoutPosition(), "query"));
        }
        return notes;
    }

    private static void note(List<String> notes, String before, int count, String after) {
        if (count > 0) {
            notes.add(before + count + after);
        }
    }

    /** Histogram of positions, next to that of the spans for estimates. */
    public Figure figure() {
        if (estimate == null) {
            return figure("position of the evidence: ", List.of(histogram("", places)));
        }
        List<Histograms.Histogram> panels =
                new ArrayList<>(List.of(histogram("estimated by " + estimate.model(), places)));
        if (estimate.againstSpans() != null) {
            panels.add(histogram("by spans", estimate.againstSpans().spans()));
        }
        return figure("position of the evidence, as estimated: ", panels);
    }

    /** Histogram of the first character of the evidence. */
    public Figure starts(List<Query> queries) {
        return Histograms.ofStarts(
                "start of the evidence" + (estimate == null ? ": " : ", as estimated: ") + data.dataset(),
                EvidenceDistribution.placed(queries).stream()
                        .mapToInt(Evidence::start)
                        .toArray());
    }

    private Figure figure(String title, List<Histograms.Histogram> panels) {
        return Histograms.ofPositions(title + data.dataset(), panels, at + " of the evidence");
    }

    private static Histograms.Histogram histogram(String name, EvidenceDistribution places) {
        return new Histograms.Histogram(
                name,
                places.queries(),
                places.bins().stream()
                        .map(EvidenceDistribution.EvidenceShare::queries)
                        .toList());
    }

    /**
     * Distribution of relative evidence positions: the middle of the evidence divided by the length of its text.
     *
     * @param queries with a position
     * @param withoutPosition left out of everything else
     * @param bins equal bins, right-closed; the first also holds 0
     * @param uniformity tests of uniform positions
     */
    public record EvidenceDistribution(
            int queries,
            int withoutPosition,
            List<EvidenceShare> bins,
            EvidenceShare firstThird,
            double mean,
            Interval meanInterval,
            @JsonUnwrapped Uniformity uniformity) {
        /** Minimum number of positions. */
        public static final int LEAST = 2;

        /** Share of the queries with Wilson's interval. */
        public record EvidenceShare(int queries, double share, Interval interval) {
            static EvidenceShare of(int hits, int n, double confidence) {
                Proportion proportion = Proportion.of(hits, n, confidence);
                return new EvidenceShare(hits, proportion.share(), proportion.interval());
            }
        }

        /** The evidence that has a position. */
        public static List<Evidence> placed(List<Query> queries) {
            return queries.stream()
                    .map(Query::evidence)
                    .filter(Objects::nonNull)
                    .filter(Evidence::isPlaced)
                    .toList();
        }

        public static EvidenceDistribution of(List<Query> queries, int bins, double confidence) {
            List<Evidence> placed = placed(queries);
            int[] counts = new int[bins];
            placed.forEach(evidence -> counts[evidence.relativeBin(bins)]++);
            double[] positions =
                    placed.stream().mapToDouble(Evidence::relativePosition).toArray();
            int first = (int) Arrays.stream(positions)
                    .filter(position -> Third.of(position) == Third.FRONT)
                    .count();
            Moments moments = Moments.of(positions);
            return new EvidenceDistribution(
                    placed.size(),
                    queries.size() - placed.size(),
                    Arrays.stream(counts)
                            .mapToObj(count -> EvidenceShare.of(count, placed.size(), confidence))
                            .toList(),
                    EvidenceShare.of(first, placed.size(), confidence),
                    moments.mean(),
                    moments.estimate(confidence).interval(),
                    Uniformity.of(counts, positions));
        }
    }

    /**
     * Record of an evidence estimate: the sentence of the relevant passage that a model scores highest.
     *
     * @param severalRelevant queries with several relevant passages; the first by identifier was used
     * @param severalBest queries with tied best sentences; the first was used
     * @param oneSentence queries whose passage has one sentence
     * @param againstSpans null with fewer than two spans
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EvidenceEstimate(
            String model,
            String recipeSha256,
            int severalRelevant,
            int severalBest,
            int oneSentence,
            @Nullable Agreement againstSpans) {
        /**
         * Agreement of estimates with spans.
         *
         * @param overlap estimated sentences that overlap the span
         * @param byChance expected overlap of a random sentence
         */
        public record Agreement(
                EvidenceDistribution.EvidenceShare overlap, double byChance, EvidenceDistribution spans) {}
    }
}
