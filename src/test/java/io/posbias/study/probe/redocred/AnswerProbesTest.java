package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.study.probe.redocred.FoilProbe.Donors;
import io.posbias.study.probe.redocred.WrongAnswers.TypeMatchedAnswers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswerProbesTest {
    /** Evidence 1; the head alone in 3 and 5; the answer, or help with it, in 2 and 4; neither in 0 and 6. */
    private static Article ada() {
        return Article.of(
                        "Ada",
                        "Fog was .",
                        "{0:PER:Ada} was born in {1:LOC:London} .",
                        "{1:LOC:London} is in {2:LOC:England} .",
                        "{0:PER:Ada} wrote .",
                        "{3:PER:Byron} was born in {4:LOC:Dover} .",
                        "Later {0:PER:Ada} slept .",
                        "Night came .")
                .label("P19", 0, 1, 1)
                .label("P17", 1, 2, 1, 2)
                .label("P19", 3, 4, 4);
    }

    /** A donor: nothing of type LOC and no P19 in its first two sentences. */
    private static Article donor() {
        return Article.of("Donor", "{0:ORG:Acme} one", "two", "three", "{1:TIME:1901} four", "five")
                .label("P571", 0, 1, 3);
    }

    private static final String AMID = "Acme one two three 1901 four";

    @Test
    void answerReplacesTheEvidenceByASentenceAboutTheHead() {
        assertThat(Article.records(new AnswerProbe(false), Article.pool(ada())))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("query", "Where was Ada born?")
                        .containsEntry("text1", "Ada was born in London . Fog was . Night came .")
                        .containsEntry("text2", "Ada wrote . Fog was . Night came .")
                        .containsEntry("sources1", Article.sources("Ada", 1, 0, 6))
                        .containsEntry("sources2", Article.sources("Ada", 3, 0, 6)));
    }

    @Test
    void singleSentencesStandAlone() {
        assertThat(Article.records(new AnswerProbe(true), Article.pool(ada())))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("query", "Where was Ada born?")
                        .containsEntry("text1", "Ada was born in London .")
                        .containsEntry("text2", "Ada wrote .")
                        .containsEntry("sources1", Article.sources("Ada", 1))
                        .containsEntry("sources2", Article.sources("Ada", 3)));
    }

    /** Mentions are listed in any order. */
    @Test
    void theHeadOnlySentenceIsTheFirstInTheText() {
        Article article = Article.of(
                        "Ada", "{0:PER:Ada} was born in {1:LOC:London} .", "Ada wrote .", "Ada slept .", "Fog .")
                .mention(0, "PER", "Ada", 2, 0, 1)
                .mention(0, "PER", "Ada", 1, 0, 1)
                .label("P19", 0, 1, 0);
        Map<String, Object> record =
                Article.records(new AnswerProbe(false), Article.pool(article)).getFirst();
        assertThat(String.valueOf(record.get("tags"))).endsWith("head_only=1}");
    }

    /** "London" in "Londonderry" is another word. */
    @Test
    void theTailInsideAWordIsNotTheTail() {
        QueryPool pool = Article.pool(
                Article.of("Ada", "{0:PER:Ada} was born in {1:LOC:London} .", "{0:PER:Ada} wrote of Londonderry .")
                        .label("P19", 0, 1, 0));
        assertThat(Article.ids(new AnswerProbe(false), pool)).containsExactly("test0");
    }

    @Test
    void twoNamesOrTwoMentionsInASentenceDoNotDo() {
        Article twoNames = Article.of("Ada", "{0:PER:Ada} was born in {1:LOC:London} .", "{0:PER:Countess} wrote .")
                .label("P19", 0, 1, 0);
        Article twoMentions = Article.of(
                        "Ada", "{0:PER:Ada} was born in {1:LOC:London} .", "{0:PER:Ada} , {0:PER:Ada} wrote .")
                .label("P19", 0, 1, 0);
        assertThat(Article.ids(new AnswerProbe(false), Article.pool(twoNames))).isEmpty();
        assertThat(Article.ids(new AnswerProbe(false), Article.pool(twoMentions)))
                .isEmpty();
    }

    private static Map<String, Object> firstAbout(String title, List<Map<String, Object>> records) {
        return records.stream()
                .filter(record -> String.valueOf(record.get("tags")).contains("title=" + title))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void foilIsShortAndAboutTheHead() {
        QueryPool pool = Article.pool(ada(), donor());
        Map<String, Object> record = firstAbout("Ada", Article.records(new FoilProbe(pool), pool));
        assertThat(record)
                .containsEntry("text1", AMID + " Ada was born in London . " + AMID)
                .containsEntry("text2", "\" Ada \" \" Ada \" Ada wrote .")
                .containsEntry("evidence", "Ada was born in London .")
                .containsEntry("sources2", Article.sources("Ada", 3))
                .containsEntry(
                        "tags",
                        Article.map("{title: Ada, relation: P19, head: Ada, tail: London, evidence: 1, donor: Donor,"
                                + " head_only: 3}"));
    }

    @Test
    void donorsDoNotBeginLikeTheAnswer() {
        Article asked = Article.of("Ghent", "{0:ORG:Gent} is in {1:LOC:Belgium} .", "{0:ORG:Gent} won .")
                .label("P17", 0, 1, 0);
        Article samePlace =
                Article.of("A", "{0:LOC:Rome} one", "two", "three", "four").label("P571", 0, 0, 3);
        Article sameRelation =
                Article.of("B", "{0:ORG:Acme} one", "two", "three", "four").label("P17", 0, 0, 1);
        Article like =
                Article.of("C", "{0:ORG:Acme} one", "two", "three", "four").label("P175", 0, 0, 0);
        Article names =
                Article.of("D", "{0:ORG:Acme} one", "two", "Gent three", "four").label("P571", 0, 0, 3);
        Article tooShort = Article.of("E", "{0:ORG:Acme} one", "two", "three").label("P571", 0, 0, 2);
        Article late = Article.of("F", "{0:ORG:Acme} one", "two", "{1:LOC:Rome} three", "four")
                .label("P17", 0, 1, 2);
        QueryPool pool = Article.pool(asked, samePlace, sameRelation, like, names, tooShort, late);
        ProbeQuery query = pool.queries().getFirst();
        assertThat(new Donors(pool).of(query))
                .extracting(RedocredDocument::title)
                .containsExactly("C", "F");
    }

    @Test
    void withoutADonorThereIsNoRecord() {
        QueryPool pool = Article.pool(ada());
        FoilProbe foil = new FoilProbe(pool);
        assertThat(Article.ids(foil, pool)).isNotEmpty();
        assertThat(ProbeSample.draw(FoilProbe.TYPE, foil, pool, 250, 0).line())
                .containsSubsequence("foil: 0 of 1 candidates", "250", "1 left out");
    }

    private record Always(String name) implements WrongAnswers {
        @Override
        public String kind() {
            return "always";
        }

        @Override
        public Optional<String> of(ProbeQuery query) {
            return Optional.of(name);
        }
    }

    /** Names differ from tokens and there are two mentions: both spans are replaced. */
    @Test
    void poisonPutsAWrongAnswerIntoTheEvidence() {
        Article article = Article.of(
                        "Ada",
                        "{0:PER:Ada} , born in {1:LOC:Old_London=London} , left {1:LOC:the_city=London} .",
                        "{0:PER:Ada} wrote .")
                .label("P19", 0, 1, 0);
        QueryPool pool = Article.pool(article, donor());
        PoisonProbe poison = new PoisonProbe(pool, new Always("Paris"));
        Map<String, Object> record = firstAbout("Ada", Article.records(poison, pool));
        assertThat(record)
                .containsEntry("text1", AMID + " Ada , born in Old London , left the city . " + AMID)
                .containsEntry("text2", "\" Ada \" \" Ada \" Ada wrote . Ada , born in Paris , left Paris .")
                .containsEntry(
                        "sources2",
                        List.of(
                                Map.of("title", "Ada", "sentence", 1),
                                Map.of("title", "Ada", "sentence", 0, "changed", true)));
        assertThat(String.valueOf(record.get("tags"))).contains("poison=Paris, poison_by=always");
    }

    /** Occurrences that are no mention, in any form that the article has, are replaced too, as whole words. */
    @Test
    void poisonReplacesWhatIsNotAnnotated() {
        Article article = Article.of(
                        "Ada",
                        "In London and Londonderry , {0:PER:Ada} left {1:LOC:London} for London County in "
                                + "{1:LOC:the_city=London} , the city of London .",
                        "{0:PER:Ada} wrote .")
                .label("P19", 0, 1, 0);
        QueryPool pool = Article.pool(article, donor());
        PoisonProbe poison = new PoisonProbe(pool, new Always("Paris"));
        assertThat(firstAbout("Ada", Article.records(poison, pool)))
                .containsEntry(
                        "text2",
                        "\" Ada \" \" Ada \" Ada wrote . In Paris and Londonderry , Ada left Paris for Paris County in Paris ,"
                                + " Paris of Paris .");
    }

    /** Two labels answer the question: a reader may give either, so neither stays. */
    @Test
    void poisonHoldsNoOtherAcceptedAnswer() {
        Article article = Article.of(
                        "Ada", "{0:PER:Ada} was born in {1:LOC:London} , {2:LOC:England} .", "{0:PER:Ada} wrote .")
                .label("P19", 0, 1, 0)
                .label("P19", 0, 2, 0);
        QueryPool pool = Article.pool(article, donor());
        PoisonProbe poison = new PoisonProbe(pool, new Always("Paris"));
        assertThat(Article.records(poison, pool))
                .hasSize(2)
                .allSatisfy(record -> assertThat(record)
                        .containsEntry("text2", "\" Ada \" \" Ada \" Ada wrote . Ada was born in Paris , Paris ."));
    }

    /** The foil repeats the head, "London Ada", and so the answer: replacing it there would change who is asked about. */
    @Test
    void aHeadThatNamesTheTailIsNotPoisoned() {
        Article article = Article.of(
                        "Ada", "{0:PER:London_Ada} was born in {1:LOC:London} .", "{0:PER:She=London_Ada} wrote .")
                .label("P19", 0, 1, 0);
        QueryPool pool = Article.pool(article, donor());
        assertThat(Article.records(new FoilProbe(pool), pool)).hasSize(1);
        assertThat(Article.records(new PoisonProbe(pool, new Always("Paris")), pool))
                .isEmpty();
    }

    /**
     * The only place left is Oslo: London is the answer, Old London holds it, Dover is in the article, Rome another
     * article's answer to the same question, Ada Town holds the head's name; Byron is no place.
     */
    @Test
    void typeMatchedAnswersAreWrong() {
        Article other = Article.of(
                        "Other",
                        "{0:PER:Ada} was born in {1:LOC:Rome} .",
                        "{2:LOC:Old_London} {3:LOC:Dover} {4:LOC:ada_Town} {5:PER:Byron} {6:LOC:Oslo}")
                .label("P19", 0, 1, 0);
        QueryPool pool = Article.pool(ada(), other);
        ProbeQuery query = pool.queries().getFirst();
        assertThat(query.tail().longestName()).isEqualTo("London");
        assertThat(new TypeMatchedAnswers(pool.documents()).of(query)).hasValue("Oslo");
        assertThat(new TypeMatchedAnswers(Article.documents(ada())).of(query)).isEmpty();
    }
}
