package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Estimate;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LossPartsTest {
    private static final Offset<Double> EXACT = within(1e-7);

    private static final double[][] SCORES = {
        {1, .8, .7}, {.9, .9, .6}, {.8, .5, .6}, {1, .9, .4}, {.7, .6, .3}, {.6, .4, .5}
    };

    private static final boolean[][] UNREAD = {
        {false, false, false},
        {false, false, false},
        {false, false, false},
        {false, false, true},
        {false, false, true},
        {false, true, true}
    };

    private static final List<String> PASSAGES = List.of("A", "A", "B", "B", "C", "D");

    private static List<ScoresByPlace> rows(int size) {
        return IntStream.range(0, size)
                .mapToObj(q -> new ScoresByPlace(
                        "q" + q,
                        PASSAGES.get(q),
                        "",
                        SCORES[q][0],
                        SCORES[q],
                        new boolean[0],
                        new boolean[3],
                        new int[3],
                        Reads.of(UNREAD[q])))
                .toList();
    }

    private static LossParts parts(List<ScoresByPlace> rows) {
        return Objects.requireNonNull(LossPartsFit.of(rows, ContentFixedFitTest.fit(1), new LossPartsFit.Least(1, 1)));
    }

    private static void equal(Estimate found, double value, double p, double low, double high) {
        assertThat(found.value()).isCloseTo(value, EXACT);
        assertThat(found.pValue()).isCloseTo(p, EXACT);
        assertThat(found.interval().low()).isCloseTo(low, EXACT);
        assertThat(found.interval().high()).isCloseTo(high, EXACT);
    }

    /** Numbers of an independent program (numpy), of six questions in four clusters at three places. */
    @Test
    void partsEqualThoseOfAnIndependentProgram() {
        LossParts parts = parts(rows(6));
        assertThat(parts.front()).isCloseTo(.8333333333, EXACT);
        equal(parts.loss(), 19 / 60., .0150858, .1261588, .5071746);
        LossParts.Part position = Objects.requireNonNull(parts.position());
        equal(position.points(), 19 / 75., .1781491, -.6717051, 1.1783718);
        assertThat(position.effectiveClusters()).isCloseTo(1.9727228, EXACT);
        LossParts.Part notReading = Objects.requireNonNull(parts.notReading());
        equal(notReading.points(), 19 / 300., .6074334, -.3066083, .4332749);
        assertThat(notReading.effectiveClusters()).isCloseTo(3.7170883, EXACT);
        assertThat(Objects.requireNonNull(parts.guarded()).value()).isCloseTo(.1166667, EXACT);
        assertThat(parts.remainder()).isNull();
        assertThat(Objects.requireNonNull(parts.perUnread()).value()).isCloseTo(.1266667, EXACT);
        assertThat(parts.share(position.points()).value()).isCloseTo(.304, EXACT);
        assertThat(parts.basis()).isEqualTo(new LossParts.Basis(6, 0, 0, 3, 3, .5));
    }

    /** As of a service, also on passages of articles. */
    @Test
    void withoutKnowledgeOfWhatIsReadThereAreNoParts() {
        List<ScoresByPlace> unknown = IntStream.range(0, 6)
                .mapToObj(q -> new ScoresByPlace(
                        "q" + q,
                        PASSAGES.get(q),
                        "article " + PASSAGES.get(q),
                        SCORES[q][0],
                        SCORES[q],
                        new boolean[0],
                        new boolean[3],
                        new int[3],
                        new Read[] {Read.UNKNOWN, Read.UNKNOWN, Read.UNKNOWN}))
                .toList();
        ContentFixedFit byArticle =
                new ContentFixedFit(ContentFixedFitTest.fit(1).settings().withCluster(Clustering.By.ARTICLE), "", 1);
        assertThat(LossPartsFit.of(unknown, byArticle)).isNull();
    }
}
