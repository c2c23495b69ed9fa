package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryPoolTest {
    private static Article born(String title, String head, String tail, String relation) {
        return Article.of(title, "{0:PER:" + head + "} and {1:LOC:" + tail + "} .")
                .label(relation, 0, 1, 0);
    }

    private static List<String> unique(Article... articles) {
        return QueryPool.of(Article.documents(articles), QuestionTemplates.ALL, false, RedocredCorpus.NONE)
                .queries()
                .stream()
                .map(ProbeQuery::title)
                .toList();
    }

    /** P150 and P710 are not counted; a label without evidence is, and so is one without a question. */
    @Test
    void idsCountTheLabelsThatAreNotSkipped() {
        Article article = Article.of("Ada", "{0:PER:Ada} was in {1:LOC:London} .")
                .label("P150", 0, 1, 0)
                .label("P19", 0, 1)
                .label("P710", 0, 1, 0)
                .label("P9999", 0, 1, 0)
                .label("P20", 0, 1, 0);
        QueryPool pool = Article.pool(article);
        assertThat(pool.queries()).extracting(ProbeQuery::id).containsExactly("test2");
        assertThat(pool.selection().steps())
                .containsExactly(
                        Map.entry("relations", 3), Map.entry("with evidence", 2), Map.entry("with a question", 1));
    }

    @Test
    void anotherArticleWithTheSameRelationOfTheSameHeadIsADuplicate() {
        assertThat(unique(born("A", "Ada", "London", "P19"), born("B", "Ada", "Rome", "P19")))
                .isEmpty();
        assertThat(unique(born("A", "Ada", "London", "P19"), born("B", "Ada", "Rome", "P20")))
                .containsExactly("A", "B");
    }

    @Test
    void anotherArticleWithTheSamePairInEitherDirectionIsADuplicate() {
        assertThat(unique(born("A", "Ada", "London", "P19"), born("B", "Ada", "London", "P20")))
                .isEmpty();
        assertThat(unique(born("A", "Ada", "London", "P19"), born("B", "London", "Ada", "P800")))
                .isEmpty();
        assertThat(unique(born("A", "Ada", "London", "P19"), born("B", "Byron", "London", "P19")))
                .containsExactly("A", "B");
    }

    @Test
    void theSameArticleIsNoDuplicateOfItself() {
        assertThat(unique(born("A", "Ada", "London", "P19").label("P20", 0, 1, 0)))
                .containsExactly("A", "A");
    }

    @Test
    void thereAre55QuestionsOfThePaperAnd39OfTheNotebook() {
        Map<String, String> paper = QuestionTemplates.PAPER.questions();
        Map<String, String> all = QuestionTemplates.ALL.questions();
        assertThat(paper).hasSize(55).containsEntry("P403", "What is the mouth of the watercourse of <head>?");
        assertThat(all).hasSize(94).containsAllEntriesOf(paper).doesNotContainKeys("P150", "P710");
        assertThat(all.values())
                .allMatch(question -> question.split("<head>", -1).length == 2 && question.endsWith("?"));
        assertThat(all.values()).doesNotHaveDuplicates();
    }

    @Test
    void theQuestionHasTheLongestName() {
        QueryPool pool = Article.pool(Article.of("A", "{0:PER:Ada} , {0:PER:Ada_Lovelace} , in {1:LOC:London} .")
                .label("P19", 0, 1, 0));
        assertThat(pool.queries().getFirst().text()).isEqualTo("Where was Ada Lovelace born?");
    }
}
