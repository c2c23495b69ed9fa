package io.posbias.study.diagnose;

import io.posbias.base.stats.Moments.Mean;
import io.posbias.base.stats.Quartiles;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.Evidence;
import io.posbias.study.diagnose.EvidenceResult.EvidenceDistribution.EvidenceShare;
import io.posbias.study.diagnose.Reversal.Third;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Positions of evidence in passages of a range of lengths.
 *
 * @param characters range of lengths in code points, both ends included; {@code all} first
 * @param front share in the first third
 * @param middle share in the second third
 * @param back share in the last third
 * @param mean mean position, 0 to 1
 */
public record EvidenceBand(
        String characters, int queries, EvidenceShare front, EvidenceShare middle, EvidenceShare back, Mean mean) {
    private static final String ALL = "all";

    private static final Columns<EvidenceBand> COLUMNS = new Columns<EvidenceBand>()
            .label("characters", EvidenceBand::characters)
            .text("queries", EvidenceBand::queries)
            .number("front", NumberFormat.FRACTION, band -> band.front.share())
            .number("middle", NumberFormat.FRACTION, band -> band.middle.share())
            .number("back", NumberFormat.FRACTION, band -> band.back.share())
            .mean("mean position", NumberFormat.FRACTION, EvidenceBand::mean);

    /**
     * Counts the thirds, of all lengths and then of each band that has evidence.
     *
     * @param placed with a position
     * @param edges upper ends of all bands but the last, ascending; empty for quartiles
     */
    static List<EvidenceBand> of(List<Evidence> placed, List<Integer> edges, double confidence) {
        int[] lengths = placed.stream().mapToInt(Evidence::textLength).sorted().toArray();
        int[] ends = IntStream.concat(
                        edges.isEmpty()
                                ? Arrays.stream(Quartiles.edges(Arrays.stream(lengths)
                                                .asDoubleStream()
                                                .toArray()))
                                        .mapToInt(edge -> (int) edge)
                                : edges.stream().mapToInt(edge -> edge),
                        IntStream.of(lengths[lengths.length - 1]))
                .distinct()
                .toArray();
        List<EvidenceBand> bands = new ArrayList<>(List.of(of(ALL, placed, confidence)));
        for (int i = 0; i < ends.length; i++) {
            int from = i == 0 ? 1 : ends[i - 1] + 1;
            int to = ends[i];
            List<Evidence> own = placed.stream()
                    .filter(evidence -> evidence.textLength() >= from && evidence.textLength() <= to)
                    .toList();
            if (!own.isEmpty()) {
                bands.add(of(from + "-" + to, own, confidence));
            }
        }
        return bands;
    }

    private static EvidenceBand of(String characters, List<Evidence> placed, double confidence) {
        double[] positions =
                placed.stream().mapToDouble(Evidence::relativePosition).toArray();
        return new EvidenceBand(
                characters,
                placed.size(),
                share(positions, Third.FRONT, confidence),
                share(positions, Third.MIDDLE, confidence),
                share(positions, Third.BACK, confidence),
                Mean.of(positions, confidence));
    }

    private static EvidenceShare share(double[] positions, Third third, double confidence) {
        int hits = (int) Arrays.stream(positions)
                .filter(position -> Third.of(position) == third)
                .count();
        return EvidenceShare.of(hits, positions.length, confidence);
    }

    /** The third with more than a third of the evidence, beyond noise; empty if none or two have. */
    Optional<Third> most() {
        List<Third> found = Map.of(Third.FRONT, front, Third.MIDDLE, middle, Third.BACK, back).entrySet().stream()
                .filter(third -> third.getValue().interval().low() > 1.0 / 3)
                .map(Map.Entry::getKey)
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    static Table table(String dataset, List<EvidenceBand> bands, List<String> notes) {
        return COLUMNS.table("Positions of evidence in " + dataset + " by length of the passage", bands, notes);
    }
}
