package io.posbias.build.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DigestSetTest {
    @Test
    void itIsASetOfAllLongs() {
        DigestSet digests = new DigestSet();
        Set<Long> expected = new HashSet<>();
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            // Few different ones, with 0 among them, and many that share their lowest bits.
            long digest = i % 2 == 0 ? random.nextLong(5_000) << 40 : random.nextLong();
            assertThat(digests.add(digest)).isEqualTo(expected.add(digest));
        }
        assertThat(expected).contains(0L).hasSizeBetween(10_000, 15_000);
        expected.forEach(digest -> assertThat(digests.add(digest)).isFalse());
    }
}
