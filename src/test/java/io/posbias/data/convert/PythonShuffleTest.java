package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.SharedData;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PythonShuffleTest {
    private static List<Integer> shuffled(int n, int seed) {
        List<Integer> list = new ArrayList<>(IntStream.range(0, n).boxed().toList());
        new PythonShuffle(seed).shuffle(list);
        return list;
    }

    @Test
    void shufflesAsCPythonDoes() {
        // python3 -c "import random; random.seed(42); l = list(range(10)); random.shuffle(l); print(l)"
        assertThat(shuffled(10, 42)).containsExactly(7, 3, 2, 8, 5, 6, 9, 4, 0, 1);
        // the same with seed 0
        assertThat(shuffled(10, 0)).containsExactly(7, 8, 1, 5, 3, 4, 2, 0, 9, 6);
    }

    /** As many as SQuAD-PosQ has queries: the bits that are drawn and refused are those of CPython. */
    @Test
    void shufflesALongListAsCPythonDoes() {
        // python3 -c "import random; random.seed(42); l = list(range(92749)); random.shuffle(l);
        //     print(l[:3], l[-3:], sum(l[:10000]))"
        List<Integer> list = shuffled(92_749, 42);
        assertThat(list).startsWith(7913, 51104, 65626).endsWith(3278, 14592, 83810);
        assertThat(list.stream().limit(10_000).mapToInt(Integer::intValue).sum())
                .isEqualTo(464_486_265);
    }

    @Test
    void shufflesAsCPythonDoesInTheGoldenFile() {
        Fields golden = Json.readJson(SharedData.file("golden/python-random-shuffle.json"));
        for (String key : golden.names()) {
            Fields expected = golden.record(key);
            int n = Integer.parseInt(key.split("/", 2)[0]);
            List<Integer> shuffled = shuffled(n, expected.integer("seed"));
            List<Integer> first = expected.integers("first");
            List<Integer> last = expected.integers("last");
            assertThat(shuffled.subList(0, first.size())).as(key).isEqualTo(first);
            assertThat(shuffled.subList(n - last.size(), n)).as(key).isEqualTo(last);
            if (expected.has("sum_first_10000")) {
                int sum = shuffled.stream()
                        .limit(10_000)
                        .mapToInt(Integer::intValue)
                        .sum();
                assertThat(sum).as(key).isEqualTo(expected.integer("sum_first_10000"));
            }
        }
    }
}
