package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetStatisticsTest {
    @TempDir
    Path temp;

    @Test
    void countsWordsBetweenSingleSpaces() {
        assertThat(DatasetStatistics.words("a b  c")).isEqualTo(4); // Python: len("a b  c".split(" "))
        assertThat(DatasetStatistics.words("")).isEqualTo(1);
    }

    @Test
    void describesABenchmark() {
        DatasetStatistics statistics =
                DatasetStatistics.of(TinyBenchmark.in(temp).open());
        DatasetStatistics.Lengths passages = statistics.passages();
        // 8, 10 and 1 words; the deviation is numpy.std([8, 10, 1]).
        assertThat(passages.count()).isEqualTo(3);
        assertThat(passages.least()).isEqualTo(1);
        assertThat(passages.most()).isEqualTo(10);
        assertThat(passages.mean()).isCloseTo(19 / 3.0, within(1e-12));
        assertThat(passages.deviation()).isCloseTo(3.8586123009300755, within(1e-12));
        // Middles 27 / 38 = 0.71 and 17 / 41 = 0.41.
        assertThat(statistics.positions()).containsExactly(0, 0, 0, 0, 1, 0, 0, 1, 0, 0);
        assertThat(statistics.unplaced()).isZero();
    }
}
