package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As {@link RedocredCountsTest} with Re-DocRED, on made-up articles that are part of the repository: against another
 * implementation of the pools' rules, {@code python3 scripts/tests/redocred_golden.py}.
 */
class SmallRedocredTest {
    private static final Path SMALL = Path.of("src/test/resources/small");
    private static final Fields EXPECTED = Json.readJson(SMALL.resolve("redocred-expected.json"));
    private static final List<RedocredDocument> DOCUMENTS = RedocredReader.read(SMALL.resolve("redocred.json"), "test");

    private static QueryPool pool(String name) {
        return QueryPool.of(DOCUMENTS, QuestionTemplates.ALL, name.equals("A"), RedocredCorpus.NONE);
    }

    @ParameterizedTest
    @CsvSource({"A", "B"})
    void thePoolsAreThoseOfTheRules(String name) {
        QueryPool pool = pool(name);
        Fields expected = EXPECTED.record(name);
        assertThat(pool.selection().steps().values()).containsExactlyElementsOf(expected.integers("steps"));
        assertThat(pool.queries().stream().map(ProbeQuery::title).distinct()).hasSize(expected.integer("titles"));
    }
}
