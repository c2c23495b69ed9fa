package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.study.diagnose.EvidenceResult.EvidenceDistribution;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvidenceDistributionTest {
    private static Query at(int percent) {
        Evidence evidence = new Evidence(percent, percent, 100, Evidence.UNKNOWN, List.of(), null);
        return new Query("q" + percent, "?", evidence);
    }

    /** Mean, interval and tests by scipy. */
    @Test
    void countsAndTestsPositions() {
        List<Query> queries = new ArrayList<>(List.of(at(5), at(10), at(25), at(50), at(95)));
        queries.add(new Query("nowhere", "?", null));
        EvidenceDistribution places = EvidenceDistribution.of(queries, 2, 0.95);
        assertThat(places.withoutPosition()).isEqualTo(1);
        // 50 % lies on the edge and belongs to the lower bin.
        assertThat(places.bins())
                .extracting(EvidenceDistribution.EvidenceShare::queries)
                .containsExactly(4, 1);
        assertThat(places.bins().getFirst().interval().low()).isCloseTo(0.3755346297625253, within(1e-12));
        assertThat(places.firstThird().queries()).isEqualTo(3);
        assertThat(places.firstThird().interval().high()).isCloseTo(0.8823792257673521, within(1e-12));
        assertThat(places.mean()).isCloseTo(0.37, within(1e-12));
        assertThat(places.meanInterval().low()).isCloseTo(-0.08748199692676395, within(1e-9));
        assertThat(places.meanInterval().high()).isCloseTo(0.8274819969267639, within(1e-9));
        assertThat(places.uniformity().chiSquare().pValue()).isCloseTo(0.17971249487899593, within(1e-12));
        assertThat(places.uniformity().kolmogorovSmirnov().statistic()).isCloseTo(0.35, within(1e-12));
        assertThat(places.uniformity().kolmogorovSmirnov().pValue()).isCloseTo(0.46975, within(1e-9));
    }
}
