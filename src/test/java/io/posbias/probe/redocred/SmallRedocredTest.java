package io.posbias.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Fields;
import io.posbias.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@link RedocredCountsTest} and {@link ColderExamplesTest} do with Re-DocRED, on made-up articles that are part of the
 * repository: against another implementation of the notebooks' rules, {@code python3 scripts/tests/redocred_golden.py}.
 */
class SmallRedocredTest {
    private static final Path SMALL = Path.of("src/test/resources/small");
    private static final Fields EXPECTED = Json.readJson(SMALL.resolve("redocred-expected.json"));
    private static final List<RedocredDocument> DOCUMENTS = RedocredReader.read(SMALL.resolve("redocred.json"), "test");

    private static QueryPool pool(String name) {
        return QueryPool.of(DOCUMENTS, QuestionTemplates.ALL, name.equals("A"));
    }

    @ParameterizedTest
    @CsvSource({"A", "B"})
    void thePoolsAreThoseOfTheRules(String name) {
        QueryPool pool = pool(name);
        Fields expected = EXPECTED.record(name);
        assertThat(pool.selection().steps().values()).containsExactlyElementsOf(expected.integers("steps"));
        assertThat(pool.queries().stream().map(ProbeQuery::title).distinct()).hasSize(expected.integer("titles"));
    }

    @ParameterizedTest
    @CsvSource({
        "A, position", "A, moving", "A, brevity", "A, literal", "A, repetition", "A, answer",
        "B, position", "B, moving", "B, brevity", "B, literal", "B, repetition", "B, answer",
    })
    void compatLeavesAsManyQueriesAsTheRules(String name, String probe) {
        QueryPool pool = pool(name);
        Fields expected = EXPECTED.record(name).record("probes").record(probe);
        assertThat(List.copyOf(RedocredProbes.of(probe, pool, PaperVariant.COMPAT)
                        .select(pool)
                        .steps()
                        .values()))
                .endsWith(expected.integers("steps").toArray(Integer[]::new));
    }

    /** Which sentences of an article make the two texts of each pair. */
    @ParameterizedTest
    @CsvSource({"position", "repetition", "answer"})
    void compatMakesTheSamePairs(String probe) {
        QueryPool pool = pool("A");
        List<ProbeQuery> chosen =
                RedocredProbes.of(probe, pool, PaperVariant.COMPAT).select(pool).queries();
        List<Fields> pairs = EXPECTED.record("A").record("probes").record(probe).records("pairs");
        assertThat(chosen)
                .extracting(ProbeQuery::id)
                .containsExactlyInAnyOrderElementsOf(
                        pairs.stream().map(pair -> pair.text("id")).toList());
        Map<String, ProbeQuery> byId = chosen.stream().collect(Collectors.toMap(ProbeQuery::id, query -> query));
        for (Fields pair : pairs) {
            Map<String, Object> record = Article.fields(RedocredProbes.of(probe, pool, PaperVariant.COMPAT)
                    .records(Objects.requireNonNull(byId.get(pair.text("id"))))
                    .getFirst());
            assertThat(record)
                    .as(pair.text("id"))
                    .containsEntry("sources1", sources(pair, "d1"))
                    .containsEntry("sources2", sources(pair, "d2"));
        }
    }

    private static List<Map<String, Object>> sources(Fields pair, String text) {
        return Article.sources(
                pair.text("title"),
                pair.integers(text).stream().mapToInt(Integer::intValue).toArray());
    }

    /** No rule is idle on these articles. */
    @Test
    void everyStepLeavesSomeAndTakesSome() {
        Fields probes = EXPECTED.record("B").record("probes");
        for (String probe : probes.names()) {
            List<Integer> steps = probes.record(probe).integers("steps");
            assertThat(steps.getLast()).as(probe).isPositive().isLessThan(steps.getFirst());
        }
    }
}
