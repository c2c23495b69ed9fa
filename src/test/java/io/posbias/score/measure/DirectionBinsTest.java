package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DirectionBinsTest {
    private static List<BucketMean> buckets(@Nullable Double... means) {
        return Stream.of(means)
                .map(mean -> new BucketMean("b", mean == null ? 0 : 9, mean, false, null, null))
                .toList();
    }

    /** numpy.polyfit and scipy.stats of 0.1, 0.3, 0.5, 0.7, 0.9 and these means; an empty bucket has no place. */
    @Test
    void eachBucketCountsOnceAtItsMiddle() {
        Direction direction =
                Objects.requireNonNull(Direction.ofBins(buckets(0.916, 0.890, 0.894, 0.889, 0.792), 0.95));
        assertThat(direction.queries()).isEqualTo(5);
        assertThat(direction.slope().value()).isCloseTo(-0.1245, within(1e-12));
        assertThat(Objects.requireNonNull(direction.pearson()).coefficient()).isCloseTo(-0.814543611116, within(1e-9));
        assertThat(Objects.requireNonNull(direction.spearman()).coefficient()).isCloseTo(-0.9, within(1e-12));
        assertThat(Objects.requireNonNull(direction.kendall()).coefficient()).isCloseTo(-0.8, within(1e-12));
        Direction gap = Objects.requireNonNull(Direction.ofBins(buckets(0.5, null, 0.4, 0.35), 0.95));
        assertThat(gap.queries()).isEqualTo(3);
        assertThat(gap.slope().value()).isCloseTo(-0.2, within(1e-12));
    }

    @Test
    void twoBucketsHaveNoDirection() {
        assertThat(Direction.ofBins(buckets(0.5, null, 0.4), 0.95)).isNull();
    }
}
