package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans by the texts of answers, in folders in BEIR's layout. */
class AnswerSearchTest {
    private static final String OWLS = "Zebras run. 🦉 Owls fly at  Night and owls hunt.";
    private static final String CORPUS =
            "{\"_id\": \"p1\", \"text\": \"" + OWLS + "\"}\n" + "{\"_id\": \"p2\", \"text\": \"Ants dig.\"}\n";

    @TempDir
    Path temp;

    private Dataset open(String query, String... relevant) {
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        List.of(relevant).forEach(id -> qrels.append("q\t").append(id).append("\t1\n"));
        Path folder = TinyBenchmark.inFifths(
                temp, "tiny", CORPUS, "{\"_id\": \"q\", \"text\": \"?\", " + query + "}\n", qrels);
        return DatasetReader.open(folder);
    }

    private static @Nullable String found(Dataset dataset) {
        Evidence evidence = dataset.queries().getFirst().evidence();
        return evidence == null ? null : Objects.requireNonNull(evidence.span()).of(OWLS);
    }

    @Test
    void anAnswerGivesTheSpanOfAQueryWithoutOne() {
        Dataset dataset = open("\"answer\": \"fly\"", "p1");
        Evidence evidence = Objects.requireNonNull(dataset.queries().getFirst().evidence());
        assertThat(List.of(evidence.start(), evidence.end(), evidence.textLength()))
                .containsExactly(19, 22, 47);
        assertThat(dataset.notes()).singleElement().asString().contains("1 query without a span", "query \"q\"");
    }

    @Test
    void caseAndWhiteSpaceMayDiffer() {
        assertThat(found(open("\"answers\": [\"absent\", \"FLY at night\"]", "p1")))
                .isEqualTo("fly at  Night");
        assertThat(found(open("\"answers\": {\"text\": [\"Zebras\"], \"answer_start\": [3]}", "p1")))
                .isEqualTo("Zebras");
    }

    @Test
    void ofSeveralRelevantPassagesTheOneWithTheAnswerIsNamed() {
        Dataset dataset = open("\"answer\": \"fly\"", "p2", "p1");
        assertThat(dataset.queries().getFirst().passage()).isEqualTo("p1");
    }

    @Test
    void answersInSeveralPlacesAndInNoneGiveNoPosition() {
        Dataset several = open("\"answer\": \"u\"", "p1");
        assertThat(found(several)).isNull();
        assertThat(several.notes()).singleElement().asString().contains("several places", "queries.jsonl:1");
        Dataset none = open("\"answer\": \"bees\"", "p1");
        assertThat(found(none)).isNull();
        assertThat(none.notes()).singleElement().asString().contains("no answer stands", "query \"q\"");
    }

    @Test
    void aSpanThatHoldsNoAnswerMovesToTheNearest() {
        Dataset dataset = open("\"pos_char_span\": [23, 26], \"answer\": \"fly\"", "p1");
        assertThat(found(dataset)).isEqualTo("fly");
        assertThat(dataset.notes()).singleElement().asString().contains("1 span moved by -4 code points");
    }

    @Test
    void aSpanAroundItsAnswerStays() {
        Dataset dataset = open("\"pos_char_span\": [14, 22], \"answer\": \"fly\"", "p1");
        assertThat(found(dataset)).isEqualTo("Owls fly");
        assertThat(dataset.notes()).isEmpty();
    }

    @Test
    void aSpanWhoseAnswerIsNowhereStaysAndIsCounted() {
        Dataset dataset = open("\"pos_char_span\": [14, 18], \"answer\": \"bees\"", "p1");
        assertThat(found(dataset)).isEqualTo("Owls");
        assertThat(dataset.notes()).singleElement().asString().contains("1 span kept");
    }
}
