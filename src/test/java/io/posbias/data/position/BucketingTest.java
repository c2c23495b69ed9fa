package io.posbias.data.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketingTest {
    private static Evidence at(int start, int end, int length) {
        return new Evidence(start, end, length, Evidence.UNKNOWN, List.of(), null);
    }

    private static int[] buckets(String specification, Evidence evidence) {
        return Bucketing.parse(specification).bucketsOf(evidence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "characters-closed:0,100,200,300,400,500,3120",
                "characters:0,100,200",
                "characters:5",
                "labels:beginning,middle,end",
                "thirds",
                "relative:20",
                "relative:20 by tokens:512,1024,1536",
                "thirds by tokens:512"
            })
    void printsAsItParses(String specification) {
        Bucketing bucketing = Bucketing.parse(specification);
        assertThat(bucketing).hasToString(specification);
        assertThat(Bucketing.parse(bucketing.toString())).isEqualTo(bucketing);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "squares:3|unknown kind \"squares\"",
                "relativ:3|did you mean relative?",
                "relative:0|between 1 and 1000 bins, not 0",
                "relative:many|\"many\" is not a whole number",
                "characters:10,5|edges must ascend from 0 or more",
                "characters-closed:3|at least two edges are needed",
                "labels:a,a|different words: [a, a]",
                "thirds:3|thirds takes no argument",
                "thirds by words:3|tokens:EDGE,EDGE,.., not \"words:3\"",
                "thirds by tokens:0|ascend from 1 or more: [0]",
            })
    void saysWhatIsWrong(String specification, String message) {
        assertThatThrownBy(() -> Bucketing.parse(specification))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("\"" + specification + "\"", message);
    }

    @Test
    void squadPosqsEdgesBelongToBothSides() {
        assertThat(Bucketing.parse(DatasetCard.SQUAD_POSQ_BUCKETS).positions().buckets())
                .containsExactly("0-100", "100-200", "200-300", "300-400", "400-500", "500-3120");
        assertThat(buckets(DatasetCard.SQUAD_POSQ_BUCKETS, at(0, 1, 9))).containsExactly(0);
        assertThat(buckets(DatasetCard.SQUAD_POSQ_BUCKETS, at(99, 120, 900))).containsExactly(0);
        assertThat(buckets(DatasetCard.SQUAD_POSQ_BUCKETS, at(100, 120, 900))).containsExactly(0, 1);
        assertThat(buckets(DatasetCard.SQUAD_POSQ_BUCKETS, at(3120, 3130, 9000)))
                .containsExactly(5);
        assertThat(buckets(DatasetCard.SQUAD_POSQ_BUCKETS, at(3121, 3130, 9000)))
                .isEmpty();
    }

    @Property
    void halfOpenEdgesPlaceEveryStartOnce(@ForAll @IntRange(min = 0, max = 10_000) int start) {
        int[] buckets = buckets("characters:0,100,200,500", at(start, start, 20_000));
        assertThat(buckets).hasSize(1);
        assertThat(buckets[0]).isEqualTo(start < 100 ? 0 : start < 200 ? 1 : start < 500 ? 2 : 3);
    }

    @Test
    void labelsAreTheBenchmarksOwn() {
        int unknown = Evidence.UNKNOWN;
        Evidence two = new Evidence(unknown, unknown, unknown, unknown, List.of("end", "beginning"), null);
        assertThat(buckets("labels:beginning,middle,end", two)).containsExactly(0, 2);
        assertThat(buckets("labels:beginning,middle,end", at(1, 2, 3))).isEmpty();
        assertThat(buckets("thirds", two)).isEmpty();
        assertThat(buckets("relative:3", two)).isEmpty();
        assertThat(buckets("characters:0", two)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // Algorithm 1 with z = 100, third = 33.
        "0, 32, 100, 0",
        "0, 33, 100, 1",
        "32, 40, 100, 1",
        "65, 70, 100, 1",
        "66, 70, 100, 2",
        "0, 100, 100, 1",
        // z = 2, third = 0: nothing ends before 0, everything starts at or after 0.
        "0, 1, 2, 2",
    })
    void thirdsFollowAlgorithmOne(int start, int end, int length, int bucket) {
        assertThat(buckets("thirds", at(start, end, length))).containsExactly(bucket);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 100, 0", // position 0 is in the first bin
        "0, 10, 100, 0", // 0.05, right-closed
        "5, 6, 100, 1", // 0.055
        "10, 20, 100, 2", // 0.15, an edge that floating point puts beyond
        "99, 100, 100, 19",
        "100, 100, 100, 19",
    })
    void relativeBinsAreRightClosed(int start, int end, int length, int bucket) {
        assertThat(buckets("relative:20", at(start, end, length))).containsExactly(bucket);
    }

    @Property
    void relativeBinsHoldTheirPosition(
            @ForAll @IntRange(min = 1, max = 5000) int length,
            @ForAll @IntRange(max = 5000) int a,
            @ForAll @IntRange(max = 5000) int b,
            @ForAll @IntRange(min = 1, max = 40) int bins) {
        int start = Math.min(a % (length + 1), b % (length + 1));
        int end = Math.max(a % (length + 1), b % (length + 1));
        int bin = buckets("relative:" + bins, at(start, end, length))[0];
        double position = at(start, end, length).relativePosition();
        assertThat(position).isBetween(bin / (double) bins - 1e-9, (bin + 1) / (double) bins + 1e-9);
    }

    @Test
    void namesBinsInPercent() {
        assertThat(Bucketing.parse("relative:4").positions().buckets())
                .containsExactly("0-25%", "25-50%", "50-75%", "75-100%");
        assertThat(Bucketing.parse("relative:3").positions().buckets())
                .containsExactly("0-33.3%", "33.3-66.7%", "66.7-100%");
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "512, 0", "513, 1", "1024, 1", "1536, 2", "1537, 3", "9999, 3", "0, -1", "-1, -1"})
    void strataAreRightClosed(int tokens, int band) {
        Strata strata = Bucketing.parse(DatasetCard.POSIR_BUCKETS).strata();
        assertThat(strata.of(new Evidence(0, 1, 2, tokens, List.of(), null))).isEqualTo(band);
        assertThat(strata.bands()).containsExactly("Q1", "Q2", "Q3", "Q4");
    }

    @Test
    void queriesWithoutEvidenceAreNowhere() {
        assertThat(Bucketing.parse("thirds").bucketsOf(null)).isEmpty();
        assertThat(Bucketing.parse(DatasetCard.POSIR_BUCKETS).strata().of(null)).isEqualTo(-1);
    }
}
