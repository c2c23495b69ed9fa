package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.data.position.Bucketing;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two relevant passages of 12 characters: of "b" (ordinal 0) 4 were read, of "a" all; the evidence is at 6 to 9. */
class TruncationHolderTest {
    private static Truncation truncation(@Nullable String holder) {
        return truncation(holder, new Span(6, 9));
    }

    private static Truncation truncation(@Nullable String holder, @Nullable Span span) {
        Passages passages =
                Passages.of(List.of(new Passage("a", "", "one two four"), new Passage("b", "", "one two four")));
        Evidence evidence = new Evidence(6, 9, 12, Evidence.UNKNOWN, List.of(), span);
        List<Query> queries = List.of(new Query("q", "two", evidence, holder));
        Qrels qrels = new Qrels(Map.of("q", Judgments.of(Map.of(0, 1, 1, 1))));
        Dataset dataset = new Dataset(DatasetCard.named("d"), Map.of(), passages, queries, qrels);
        TruncationReport truncation = new TruncationReport(
                "model",
                2,
                TruncationReport.Unit.PASSAGES,
                2,
                1,
                0,
                true,
                new int[] {4, TruncationReport.WHOLE},
                Map.of());
        return Truncation.of(
                truncation,
                Truncation.EvidenceCuts.of(Truncations.of(truncation), dataset, queries),
                QueryBuckets.of(queries, Bucketing.parse("relative:2")));
    }

    /** In a translation the place of the evidence is not known: "for 0 queries" would be no count. */
    @Test
    void withoutPlacedEvidenceNothingIsCounted() {
        assertThat(truncation("b", null).buckets()).isEmpty();
        assertThat(truncation("b").buckets()).hasSize(2);
    }

    @Test
    void evidenceIsTruncatedInThePassageThatHoldsIt() {
        assertThat(truncation("a").startsPast()).isZero();
        assertThat(truncation("b").startsPast()).isEqualTo(1);
        assertThat(truncation(null).startsPast()).isEqualTo(1);
    }
}
