package io.posbias.report.plot;

import io.posbias.dataset.Evidence;
import io.posbias.measure.BucketMean;
import io.posbias.plot.BucketAxis;
import io.posbias.plot.Figure;
import io.posbias.plot.Histograms;
import io.posbias.plot.Histograms.Histogram;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.result.QueriesFile;
import io.posbias.result.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where evidence lies in its passages, and where it begins: PosIR's Figure 2 and that of the SQuAD-PosQ paper. */
final class EvidenceHistogram {
    private static final int BINS = 20;

    private EvidenceHistogram() {}

    /**
     * Both figures, from queries.csv if that knows positions, else the first from the numbers of queries in the buckets.
     *
     * @param queries the queries.csv of each result that has one; all results of a benchmark have the same queries
     * @return empty when nothing is known of where evidence lies
     */
    static List<Figure> of(Cells cells, Map<Result, Path> queries) {
        for (Result result : cells.results()) {
            Path file = queries.get(result);
            List<Evidence> placed = file == null ? List.of() : placed(result, file);
            if (!placed.isEmpty()) {
                int[] starts = placed.stream().mapToInt(Evidence::start).toArray();
                return List.of(
                        ofPositions(cells, result, placed),
                        Histograms.ofStarts(cells.title("start of the evidence (from queries.csv)"), starts));
            }
        }
        Figure rough = ofBuckets(cells);
        return rough == null ? List.of() : List.of(rough);
    }

    private static List<Evidence> placed(Result result, Path queries) {
        Bucketing bucketing = Bucketing.parse(result.settings().buckets());
        QueriesFile file = new QueriesFile(List.of(), bucketing);
        file.add(queries, "");
        return file.scores().queries().stream()
                .map(query -> Objects.requireNonNull(query.evidence(), "queries.csv gives evidence"))
                .filter(Evidence::isPlaced)
                .toList();
    }

    private static Figure ofPositions(Cells cells, Result result, List<Evidence> placed) {
        Bucketing bucketing = Bucketing.parse(result.settings().buckets());
        List<Histogram> histograms = new ArrayList<>(List.of(histogram(Strata.ALL, placed)));
        List<String> bands = bucketing.strata().bands();
        for (int i = 0; i < bands.size(); i++) {
            int band = i;
            List<Evidence> within = placed.stream()
                    .filter(evidence -> bucketing.strata().of(evidence) == band)
                    .toList();
            histograms.add(histogram(bands.get(band), within));
        }
        return Histograms.ofPositions(
                cells.title("position of the evidence (from queries.csv)"), histograms, cells.bandNote());
    }

    private static Histogram histogram(String stratum, List<Evidence> placed) {
        int[] counts = new int[BINS];
        placed.forEach(evidence -> counts[evidence.relativeBin(BINS)]++);
        return new Histogram(
                stratum, placed.size(), Arrays.stream(counts).boxed().toList());
    }

    private static @Nullable Figure ofBuckets(Cells cells) {
        Result result = cells.bucketed().stream()
                .filter(each -> cells.overall(each).queries() > 0)
                .findFirst()
                .orElse(null);
        if (result == null) {
            return null;
        }
        List<String> strata = new ArrayList<>(List.of(Strata.ALL));
        strata.addAll(cells.bands());
        List<Histogram> histograms = strata.stream()
                .map(stratum -> cells.profile(result, stratum))
                .filter(Objects::nonNull)
                .map(profile -> new Histogram(
                        profile.stratum(),
                        profile.queries(),
                        profile.buckets().stream().map(BucketMean::queries).toList()))
                .toList();
        BucketAxis axis = cells.bucketAxis();
        return Histograms.figure(
                cells.title("position of the evidence (from bucket counts)"),
                histograms,
                axis.quantity(),
                cells::bucketAxis,
                false,
                cells.bandNote());
    }
}
