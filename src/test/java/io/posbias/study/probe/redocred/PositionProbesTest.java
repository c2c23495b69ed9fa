package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PositionProbesTest {
    private static final String EVIDENCE = "{0:PER:Ada} was born in {1:TIME:1815} .";

    /** Five sentences, the evidence the third. */
    private static Article ada() {
        return Article.of("Ada", "Fog was .", "Rain fell .", EVIDENCE, "Trains ran .", "Night came .")
                .label("P569", 0, 1, 2);
    }

    /** So many sentences, the evidence the second. */
    private static Article numbered(int sentences) {
        String[] texts = new String[sentences];
        for (int i = 0; i < sentences; i++) {
            texts[i] = i == 1 ? EVIDENCE : "S" + i;
        }
        return Article.of("Numbers", texts).label("P569", 0, 1, 1);
    }

    @Test
    void positionPutsTheEvidenceFirstAndLast() {
        assertThat(Article.records(new PositionProbe(), Article.pool(ada())))
                .containsExactly(Map.of(
                        "probe", "position",
                        "id", "test0",
                        "query", "When was Ada born?",
                        "text1", "Ada was born in 1815 . Fog was . Rain fell . Trains ran . Night came .",
                        "text2", "Fog was . Rain fell . Trains ran . Night came . Ada was born in 1815 .",
                        "tags",
                                Map.of(
                                        "title",
                                        "Ada",
                                        "relation",
                                        "P569",
                                        "head",
                                        "Ada",
                                        "tail",
                                        "1815",
                                        "evidence",
                                        2),
                        "sources1", Article.sources("Ada", 2, 0, 1, 3, 4),
                        "sources2", Article.sources("Ada", 0, 1, 3, 4, 2)));
    }

    @Test
    void brevityLeavesTheEvidenceAlone() {
        assertThat(Article.records(new BrevityProbe(), Article.pool(ada())))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("text1", "Ada was born in 1815 .")
                        .containsEntry(
                                "text2", "Ada was born in 1815 . Fog was . Rain fell . Trains ran . Night came .")
                        .containsEntry("sources1", Article.sources("Ada", 2))
                        .containsEntry("sources2", Article.sources("Ada", 2, 0, 1, 3, 4)));
    }

    @Test
    void movingHasTheEvidenceAtEachPlace() {
        List<Map<String, Object>> records = Article.records(new MovingProbe(), Article.pool(numbered(10)));
        assertThat(records).hasSize(10);
        assertThat(records.get(0))
                .containsEntry("text1", "Ada was born in 1815 . S0 S2 S3 S4 S5 S6 S7 S8 S9")
                .doesNotContainKeys("text2", "sources2");
        assertThat(records.get(2))
                .containsEntry("text1", "S0 S2 Ada was born in 1815 . S3 S4 S5 S6 S7 S8 S9")
                .containsEntry("sources1", Article.sources("Numbers", 0, 2, 1, 3, 4, 5, 6, 7, 8, 9));
        assertThat(records.get(9)).containsEntry("text1", "S0 S2 S3 S4 S5 S6 S7 S8 S9 Ada was born in 1815 .");
        assertThat(records)
                .extracting(record -> ((Map<?, ?>) record.getOrDefault("tags", Map.of())).get("position"))
                .isEqualTo(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        assertThat(records).extracting(record -> record.get("id")).containsOnly("test0");
    }

    @Test
    void nineSentencesHaveNoTenthPlace() {
        QueryPool pool = Article.pool(numbered(9));
        assertThat(Article.records(new MovingProbe(), pool)).hasSize(9);
    }

    @Test
    void fewerSentencesAreTooFew() {
        assertThat(Article.ids(new MovingProbe(), Article.pool(numbered(8)))).isEmpty();
        assertThat(Article.ids(new PositionProbe(), Article.pool(numbered(4)))).isEmpty();
        assertThat(Article.ids(new PositionProbe(), Article.pool(numbered(5)))).hasSize(1);
        QueryPool alone = Article.pool(Article.of("Ada", EVIDENCE).label("P569", 0, 1, 0));
        assertThat(Article.ids(new BrevityProbe(), alone)).isEmpty();
    }

    /** The year is in the last sentence, where no mention is annotated. */
    @Test
    void theAnswerInTheRestIsRefused() {
        QueryPool pool = Article.pool(
                Article.of("Ada", EVIDENCE, "A", "B", "C", "In 1815 it snowed").label("P569", 0, 1, 0));
        assertThat(Article.ids(new PositionProbe(), pool)).isEmpty();
        assertThat(Article.ids(new BrevityProbe(), pool)).isEmpty();
    }

    /** "1815" does not are in "11815" or "1815s": names are looked for as whole words. */
    @Test
    void namesAreWholeWords() {
        QueryPool pool = Article.pool(Article.of("Ada", EVIDENCE, "A", "B", "C", "House 11815 , 1815s")
                .label("P569", 0, 1, 0));
        assertThat(Article.ids(new PositionProbe(), pool)).containsExactly("test0");
    }

    @Test
    void theEvidenceMentionsHeadAndTail() {
        QueryPool pool = Article.pool(Article.of("Ada", "{0:PER:Ada} was born .", "In {1:TIME:1815} .", "B", "C", "D")
                .label("P569", 0, 1, 0));
        assertThat(Article.ids(new PositionProbe(), pool)).isEmpty();
    }

    @Test
    void onlySingleEvidenceAndRelation() {
        Article article = Article.of("Ada", EVIDENCE, "A", "B", "C", "In {2:LOC:London} {3:PER:Byron} wrote .")
                .label("P569", 0, 1, 0)
                .label("P20", 3, 2, 4)
                .label("P19", 3, 2, 4)
                .label("P26", 0, 3, 0, 4);
        // test1 and test2 have the same two entities, test3 has two evidence sentences.
        assertThat(Article.ids(new PositionProbe(), Article.pool(article))).containsExactly("test0");
    }

    /** Blank tokens stay between sentences' words and go at the ends of a text. */
    @Test
    void blankTokensAreKeptInsideAndStrippedAtTheEnds() {
        QueryPool pool = Article.pool(
                Article.of("Ada", "\u00a0 {0:PER:Ada} \u00a0 born {1:TIME:1815}", "A", "B", "C", "D \u00a0")
                        .label("P569", 0, 1, 0));
        assertThat(Article.records(new PositionProbe(), pool).getFirst())
                .containsEntry("text1", "Ada \u00a0 born 1815 A B C D")
                .containsEntry("text2", "A B C D \u00a0 \u00a0 Ada \u00a0 born 1815");
    }
}
