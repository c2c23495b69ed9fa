package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.data.position.Bucketing;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PlaceMeansTest {
    private static final Offset<Double> CLOSE = within(1e-12);
    private static final int PLACES = 5;
    private static final int QUERIES = 90;
    private static final int CLUSTERS = 30;

    private static final Settings SETTINGS = Settings.USUAL
            .withMeasures(List.of(Measures.parse("nDCG@10")))
            .withCluster(Clustering.By.PASSAGE)
            .withDraws(10);

    private final Random random = new Random(53);
    private final List<ScoresByPlace> questions = new ArrayList<>();
    private final List<Double> scores = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** Scores of 0 and 1 that fall from front to back. */
    PlaceMeansTest() {
        for (int query = 0; query < QUERIES; query++) {
            double[] own = new double[PLACES];
            String passage = "p" + (query / 2 + query % 3) % CLUSTERS;
            for (int place = 0; place < PLACES; place++) {
                own[place] = random.nextDouble() < 0.8 - 0.1 * place ? 1 : 0;
                scores.add(own[place]);
                places.add(place + 1);
                names.add(passage);
            }
            questions.add(new ScoresByPlace(
                    "q" + query,
                    passage,
                    "",
                    0,
                    own,
                    new boolean[PLACES],
                    new boolean[PLACES],
                    new int[PLACES],
                    Reads.of(new boolean[PLACES])));
        }
    }

    private PlaceMeans means(int[] rows, int count) {
        return PlaceMeans.of(
                IntStream.of(rows).mapToDouble(scores::get).toArray(),
                IntStream.of(rows).map(places::get).toArray(),
                count,
                Clusters.named(IntStream.of(rows).mapToObj(names::get).toList()),
                SETTINGS);
    }

    private int[] all() {
        return IntStream.range(0, scores.size()).toArray();
    }

    private static void assertSame(Estimate own, Estimate theirs) {
        assertThat(own.value()).isCloseTo(theirs.value(), CLOSE);
        assertThat(own.interval().low()).isCloseTo(theirs.interval().low(), CLOSE);
        assertThat(own.interval().high()).isCloseTo(theirs.interval().high(), CLOSE);
        assertThat(own.pValue()).isCloseTo(theirs.pValue(), CLOSE);
    }

    @Test
    void withAllPlacesItIsTheContentFixedEstimate() {
        ContentFixed fixed = new ContentFixedFit(SETTINGS, ContentFixed.OF_BENCHMARK, 1)
                .of(questions, QueryBuckets.of(List.of(), Bucketing.NONE));
        PlaceMeans means = means(all(), PLACES);
        assertSame(
                Objects.requireNonNull(Objects.requireNonNull(means.loss()).loss()),
                Objects.requireNonNull(
                        Objects.requireNonNull(fixed.loss()).score().loss()));
        assertSame(Objects.requireNonNull(means.middleMinusEnds()), fixed.middleMinusEnds());
        assertThat(means.outcome()).isEqualTo(fixed.outcome()).isEqualTo(TestOutcome.PRIMACY);
        assertThat(means.clusters()).isEqualTo(fixed.clusters());
        assertThat(means.effectiveClusters()).isCloseTo(Objects.requireNonNull(fixed.effectiveClusters()), CLOSE);
        for (int place = 0; place < PLACES; place++) {
            assertThat(Objects.requireNonNull(means.places().get(place).mean()))
                    .isCloseTo(fixed.places().get(place).mean(), CLOSE);
            assertThat(means.places().get(place).n()).isEqualTo(QUERIES);
        }
    }

    @Test
    void rowsMayLackPlaces() {
        int[] some = IntStream.of(all())
                .filter(row -> places.get(row) != 3 || row % 2 == 0)
                .toArray();
        PlaceMeans means = means(some, PLACES);
        assertThat(means.places().get(2).n()).isBetween(30, 60);
        // Front and back are of other places.
        assertThat(Objects.requireNonNull(means.loss()).front())
                .isCloseTo(Objects.requireNonNull(means(all(), PLACES).loss()).front(), CLOSE);
    }

    @Test
    void aPlaceWithoutRowsHasNoMeanAndTheCurveNoLoss() {
        int[] some = IntStream.of(all()).filter(row -> places.get(row) != 5).toArray();
        PlaceMeans means = means(some, PLACES);
        assertThat(means.places().get(4)).isEqualTo(new PlaceMeans.PlaceMean(5, 0, null, null));
        assertThat(means.loss()).isNull();
        assertThat(means.outcome()).isEqualTo(TestOutcome.TOO_FEW);
    }

    @Test
    void twoPlacesHaveNoEnds() {
        int[] some = IntStream.of(all()).filter(row -> places.get(row) < 3).toArray();
        PlaceMeans means = means(some, 2);
        assertThat(means.places()).hasSize(2);
        assertThat(means.loss()).isNull();
    }

    @Test
    void fewClustersHaveNoOutcome() {
        int[] some = IntStream.of(all())
                .filter(row -> names.get(row).matches("p[0-9]"))
                .toArray();
        assertThat(means(some, PLACES).outcome()).isEqualTo(TestOutcome.TOO_FEW);
        assertThat(means(some, PLACES).loss()).isNotNull();
    }
}
