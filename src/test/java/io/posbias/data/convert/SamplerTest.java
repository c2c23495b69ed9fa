package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private static Query query(int number, String text, String... labels) {
        int unknown = Evidence.UNKNOWN;
        return new Query("q" + number, text, new Evidence(unknown, unknown, unknown, unknown, List.of(labels), null));
    }

    private static Function<List<Query>, List<Query>> recipe(String name) {
        return Objects.requireNonNull(Sampler.RECIPES.get(name));
    }

    @Test
    void squadTinyIsTheFirstTenThousandOfThePapersShuffle() {
        List<Query> queries = IntStream.range(0, 92_749)
                .mapToObj(number -> query(number, "question " + number))
                .toList();
        List<Query> tiny = recipe("squad-posq-tiny").apply(queries);
        assertThat(tiny).hasSize(10_000);
        // Golden: ../shared/data/golden/python-random-shuffle.json, size 92749.
        assertThat(tiny.subList(0, 5))
                .extracting(Query::id)
                .containsExactly("q7913", "q51104", "q65626", "q26432", "q65207");
        long sum = tiny.stream()
                .mapToLong(query -> Long.parseLong(query.id().substring(1)))
                .sum();
        assertThat(sum).isEqualTo(464_486_265L);
    }

    @Test
    void fineWebTinyTakesEachLabelInTurnThenDropsRepeatedQuestions() {
        List<Query> queries = new ArrayList<>();
        List<String> labels = List.of("beginning", "middle", "end");
        for (int i = 0; i < 6000; i++) {
            queries.add(query(i, "question " + i / 2, labels.get(i % 3)));
        }
        List<Query> tiny = recipe("fineweb-posq-tiny").apply(queries);
        List<Query> shuffled = new ArrayList<>(queries);
        new PythonShuffle(42).shuffle(shuffled);
        Set<String> seen = new HashSet<>();
        List<String> expected = new ArrayList<>();
        for (String label : labels) {
            int taken = 0;
            for (Query query : shuffled) {
                if (taken < 1000
                        && Objects.requireNonNull(query.evidence()).labels().contains(label)) {
                    taken++;
                    if (seen.add(query.text())) {
                        expected.add(query.id());
                    }
                }
            }
        }
        assertThat(tiny).extracting(Query::id).isEqualTo(expected);
        assertThat(tiny.size()).isLessThan(3000).isGreaterThan(1500);
    }

    @Test
    void drawsOfAnySizeAreShuffledPrefixes() {
        List<Query> queries =
                IntStream.range(0, 10).mapToObj(number -> query(number, "x")).toList();
        assertThat(Sampler.draw(queries, 3, 42)).extracting(Query::id).containsExactly("q7", "q3", "q2");
        assertThat(Sampler.draw(queries, 99, 42)).hasSize(10);
    }

    @Test
    void drawsPerBucketTakeAQueryOnce() {
        List<Query> queries =
                IntStream.range(0, 10).mapToObj(number -> query(number, "x")).toList();
        // Bucket 0 holds the even queries, bucket 1 those below 5; the order is 7 3 2 8 5 6 9 4 0 1.
        List<Query> drawn = Sampler.drawPerBucket(queries, 2, 42, 2, query -> {
            int number = Integer.parseInt(query.id().substring(1));
            return IntStream.range(0, 2)
                    .filter(bucket -> bucket == 0 ? number % 2 == 0 : number < 5)
                    .toArray();
        });
        assertThat(drawn).extracting(Query::id).containsExactly("q2", "q8", "q3");
    }
}
