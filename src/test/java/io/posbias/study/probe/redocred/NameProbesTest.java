package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameProbesTest {
    private static List<Map<String, Object>> literal(Article article) {
        return Article.records(new LiteralProbe(), Article.pool(article));
    }

    @Test
    void literalHasFourScoresInTwoRecords() {
        Article article = Article.of(
                        "Ada",
                        "{0:PER:Ada_Lovelace} was born in {1:TIME:1815} .",
                        "Rain fell .",
                        "Then {0:PER:Ada} met {0:PER:Lovelace} .")
                .label("P569", 0, 1, 0);
        List<Map<String, Object>> records = literal(article);
        String longText = "Ada Lovelace was born in 1815 . Rain fell . Then Ada Lovelace met Ada Lovelace .";
        String shortText = "Ada was born in 1815 . Rain fell . Then Ada met Ada .";
        assertThat(records).hasSize(2);
        assertThat(records.get(0))
                .containsEntry("query", "When was Ada Lovelace born?")
                .containsEntry("text1", longText)
                .containsEntry("text2", shortText)
                .containsEntry("tags", literalTags("long", "short"));
        assertThat(records.get(1))
                .containsEntry("query", "When was Ada born?")
                .containsEntry("text1", shortText)
                .containsEntry("text2", longText)
                .containsEntry("tags", literalTags("short", "long"));
        assertThat(records.get(0))
                .containsEntry(
                        "sources1",
                        List.of(
                                Map.of("title", "Ada", "sentence", 0),
                                Map.of("title", "Ada", "sentence", 1),
                                Map.of("title", "Ada", "sentence", 2, "changed", true)));
    }

    private static Map<String, ?> literalTags(String same, String other) {
        return Article.map(
                "{title: Ada, relation: P569, head: Ada Lovelace, tail: '1815', evidence: 0, short_name: Ada,"
                        + " query_name: " + same + ", name1: " + same + ", name2: " + other + "}");
    }

    /** The name is "Sept. 3, 1783" where the tokens say "3 September": the tokens go, whatever they say. */
    @Test
    void literalReplacesTokensNotNames() {
        Article article = Article.of(
                        "Peace",
                        "On {0:TIME:3_September=Sept._3,_1783} came {1:ORG:Peace} .",
                        "{0:TIME:The_day} ended .")
                .label("P585", 0, 1, 0);
        assertThat(literal(article).getFirst())
                .containsEntry("query", "When did Sept. 3, 1783 occur?")
                .containsEntry("text1", "On Sept. 3, 1783 came Peace . Sept. 3, 1783 ended .")
                .containsEntry("text2", "On The day came Peace . The day ended .");
    }

    /** Spans [0,3) and [2,4) share a token, and a mention is listed twice: one place. */
    @Test
    void literalWithOverlappingSpans() {
        Article article = Article.of("X", "a b c d born {1:TIME:1815}")
                .mention(0, "PER", "X Y", 0, 0, 3)
                .mention(0, "PER", "X Y", 0, 0, 3)
                .mention(0, "PER", "X", 0, 2, 4)
                .label("P569", 0, 1, 0);
        assertThat(literal(article).getFirst()).containsEntry("text1", "X Y born 1815");
    }

    @Test
    void equallyLongNamesGoByMention() {
        Article article = Article.of("X", "{0:PER:Cd} {0:PER:Abc} {0:PER:Xyz} {0:PER:Ab} born {1:TIME:1815}")
                .label("P569", 0, 1, 0);
        assertThat(literal(article).getFirst())
                .containsEntry("text1", "Abc Abc Abc Abc born 1815")
                .containsEntry("text2", "Cd Cd Cd Cd born 1815");
    }

    @Test
    void literalWantsTwoNamesAndTheFirstOfAnArticle() {
        Article article = Article.of("X", "{0:PER:Abc} {0:PER:Ab} born {1:TIME:1815} in {2:LOC:Ghent}")
                .label("P800", 1, 0, 0)
                .label("P569", 0, 1, 0)
                .label("P19", 0, 2, 0);
        assertThat(Article.ids(new LiteralProbe(), Article.pool(article))).containsExactly("test1");
    }

    /** Head in 0, 2, 3 (twice) and 5; tail in 0 and 1; neither in 4, 6 and 7. The evidence is 0. */
    private static Article repeated() {
        return Article.of(
                        "Ada",
                        "{0:PER:Ada} , {1:TIME:1815} .",
                        "{1:TIME:1815} .",
                        "{0:PER:Ada} two .",
                        "{0:PER:Ada} and {0:PER:Ada} .",
                        "four .",
                        "{0:PER:Ada} five .",
                        "six .",
                        "seven .")
                .label("P569", 0, 1, 0);
    }

    @Test
    void repetitionAddsSentencesWithAndWithoutTheHead() {
        QueryPool pool = Article.pool(repeated());
        assertThat(Article.records(new RepetitionProbe(), pool))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("text1", "Ada , 1815 . Ada two . Ada five .")
                        .containsEntry("text2", "Ada , 1815 . four . six .")
                        .containsEntry("sources1", Article.sources("Ada", 0, 2, 5))
                        .containsEntry("sources2", Article.sources("Ada", 0, 4, 6)));
    }

    /** 9 + 3 words with the head; 2 + 5, 2 + 9 and 5 + 9 without: 2 + 9 is nearest to 12, where the first two have 7. */
    @Test
    void repetitionMatchesTheLengths() {
        QueryPool pool = Article.pool(Article.of(
                        "Ada",
                        "{0:PER:Ada} , {1:TIME:1815} .",
                        "{0:PER:Ada} 2 3 4 5 6 7 8 .",
                        "{0:PER:Ada} two .",
                        "two .",
                        "1 2 3 4 .",
                        "1 2 3 4 5 6 7 8 .")
                .label("P569", 0, 1, 0));
        assertThat(Article.records(new RepetitionProbe(), pool).getFirst())
                .containsEntry("sources1", Article.sources("Ada", 0, 1, 2))
                .containsEntry("sources2", Article.sources("Ada", 0, 3, 5));
    }

    /** 3 + 3 words against 8 + 8: ten more; with one word more in either, no pair can be made. */
    @ParameterizedTest
    @CsvSource({"1 2 3 4 5 6 7 ., 1", "1 2 3 4 5 6 7 8 ., 0"})
    void repetitionLeavesOutTextsOfDifferentLengths(String neutral, int queries) {
        QueryPool pool = Article.pool(Article.of(
                        "Ada",
                        "{0:PER:Ada} , {1:TIME:1815} .",
                        "{0:PER:Ada} two .",
                        "{0:PER:Ada} three .",
                        "1 2 3 4 5 6 7 .",
                        neutral)
                .label("P569", 0, 1, 0));
        assertThat(Article.ids(new RepetitionProbe(), pool)).hasSize(queries);
    }

    /** Of an article's two queries, one makes texts of equal length. */
    @ParameterizedTest
    @CsvSource({"2 ., 2 3 ., test0", "2 3 ., 2 ., test1"})
    void repetitionTakesTheClosestQueryOfAnArticle(String ofTime, String ofPlace, String id) {
        QueryPool pool = Article.pool(Article.of(
                        "Ada",
                        "{0:PER:Ada} , {1:TIME:1815} , {2:LOC:Rome} .",
                        "{0:PER:Ada} 2 3 .",
                        "{0:PER:Ada} 2 3 .",
                        "{1:TIME:1815} " + ofTime,
                        "{2:LOC:Rome} " + ofPlace,
                        "1 2 3 .")
                .label("P569", 0, 1, 0)
                .label("P19", 0, 2, 0));
        assertThat(Article.ids(new RepetitionProbe(), pool)).containsExactly(id);
    }

    /** A name of another entity that holds the head's ("Ada County"), and the head's name without a mention (sentence 4). */
    @ParameterizedTest
    @CsvSource({"{2:LOC:Ada_County} one ., four .", "{0:PER:Ada} one ., Ada four ."})
    void repetitionTakesNoSentenceThatOnlyNamesTheHead(String first, String last) {
        Article article = Article.of(
                        "Ada", "{0:PER:Ada} , {1:TIME:1815} .", first, "{0:PER:Ada} two .", "three .", last)
                .label("P569", 0, 1, 0);
        assertThat(Article.ids(new RepetitionProbe(), Article.pool(article))).isEmpty();
    }

    /** Title and text have so many words, the head so many mentions; bands are closed on the right. */
    @ParameterizedTest
    @CsvSource({
        "131, 1, 131-160, 1",
        "160, 2, 131-160, 2",
        "161, 3, 161-190, 3",
        "190, 4, 161-190, 4-10",
        "230, 10, 191-230, 4-10",
        "231, 1, 231-512, 1",
        "512, 1, 231-512, 1",
    })
    void gridCells(int words, int heads, String wordsBand, String headsBand) {
        assertThat(Article.records(new RepetitionGrid(), Article.pool(sized(words, heads))))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .doesNotContainKey("text2")
                        .containsEntry("tags", Article.map("""
                                {title: Two words, relation: P569, head: Ada, tail: '1815', evidence: 0,
                                 heads: %d, heads_band: '%s', words: %d, words_band: '%s'}
                                """.formatted(heads, headsBand, words, wordsBand))));
    }

    @ParameterizedTest
    @CsvSource({"130, 1", "513, 1", "200, 11"})
    void outsideTheGrid(int words, int heads) {
        assertThat(Article.ids(new RepetitionGrid(), Article.pool(sized(words, heads))))
                .isEmpty();
    }

    /** Blank tokens are no words. */
    private static Article sized(int words, int heads) {
        String mentions = "{0:PER:Ada} ".repeat(heads) + "{1:TIME:1815} \u00a0";
        String filler = " word".repeat(words - 2 - heads - 1);
        return Article.of("Two words", mentions + filler).label("P569", 0, 1, 0);
    }

    /** The grid takes queries whatever their evidence; several sentences together have no one place. */
    @Test
    void gridTakesQueriesWithSeveralEvidenceSentences() {
        Article article = Article.of("Two words", "{0:PER:Ada}" + " word".repeat(140), "{1:TIME:1815}")
                .label("P569", 0, 1, 0, 1);
        Map<String, Object> record =
                Article.records(new RepetitionGrid(), Article.pool(article)).getFirst();
        assertThat(record.get("tags"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .doesNotContainKey("evidence");
    }

    /** Ada's place of death is known by another tail, of which the question would be answered too. */
    @Test
    void relationAsksForWhatTheArticleDoesNotSay() {
        Article article = Article.of(
                        "Ada", "{0:PER:Ada} was born in {1:TIME:1815} .", "{0:PER:Ada} died in {2:LOC:London} .")
                .label("P569", 0, 1, 0)
                .label("P20", 0, 2, 1);
        QueryPool pool = Article.pool(article);
        List<Map<String, Object>> records = Article.records(new RelationProbe(), pool);
        assertThat(records)
                .hasSize(4)
                .allSatisfy(record -> assertThat(record)
                        .containsEntry("text1", "Ada was born in 1815 . Ada died in London .")
                        .doesNotContainKey("text2"));
        assertThat(records).extracting("id").containsExactly("test0", "test0", "test1", "test1");
        assertThat(records)
                .extracting("query")
                .contains("When was Ada born?", "Where did Ada die?")
                .doesNotHaveDuplicates();
        assertThat(records)
                .filteredOn(record -> String.valueOf(record.get("tags")).contains("asks=other"))
                .hasSize(2)
                .noneMatch(record -> String.valueOf(record.get("tags")).matches(".*other_relation=P(569|20)\\b.*"));
    }

    /** "Part of" is no relation of people. */
    @Test
    void relationIsOfPeople() {
        Article article =
                Article.of("Ada", "{0:LOC:Soho} is in {1:LOC:London} .").label("P361", 0, 1, 0);
        assertThat(Article.ids(new RelationProbe(), Article.pool(article))).isEmpty();
    }
}
