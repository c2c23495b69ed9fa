package io.posbias.study.build.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.study.build.llm.LanguageModel.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelRepliesTest {
    private static final String LIST = "[{\"question\": \" q [1]? \", \"answer\": \"a\", \"type\": \"simple\"}]";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                "```json\n%s\n```",
                "Here are the questions:\n\n%s\n\nTell me if you need more.",
                "```\n%s```\n",
                "{\"questions\": %s}"
            })
    void aListIsFoundWhereItIsClearWhichOneItIs(String reply) {
        assertThat(ModelReplies.questions(reply.formatted(LIST)))
                .isEqualTo(Answer.of(List.of(new ModelReplies.Question("q [1]?", "a", "simple"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s or rather %s",
                "As [1] says: %s",
                "%s]",
                "[\"q\"]",
                "[1, {\"question\": \"q\"}]",
                "[{]",
                "{}",
                "none"
            })
    void whatIsNoListOrNotClearlyOneIsAProblem(String reply) {
        assertThat(ModelReplies.questions(reply.formatted(LIST, LIST)))
                .isEqualTo(Answer.problem("the reply is not a JSON list of records"));
    }

    @Test
    void whatAQuestionLacksIsEmpty() {
        assertThat(ModelReplies.questions("[{\"question\": 7, \"answer\": \"\\n \"}, {}]")
                        .value()
                        .orElseThrow())
                .containsExactly(new ModelReplies.Question("", "", ""), new ModelReplies.Question("", "", ""))
                .noneMatch(ModelReplies.Question::isComplete);
        assertThat(ModelReplies.questions("[]").value()).contains(List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "I'm sorry, but I cannot help.",
                "I’m really sorry",
                "I am unable to do this",
                "Sorry, no.",
                "As an AI model",
                "I cannot write these.",
                "Unfortunately, I can not",
                "抱歉，我无法回答",
                "**I can't**"
            })
    void refusalsAreCalledSo(String reply) {
        assertThat(ModelReplies.questions(reply)).isEqualTo(Answer.problem("the model refused"));
        assertThat(ModelReplies.reference(reply)).isEqualTo(Answer.problem("the model refused"));
        assertThat(ModelReplies.text(reply)).isEqualTo(Answer.problem("the model refused"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Islands in the sun", "Unfortunately, the ship sank.", "I can see clearly", "Sorry is a word."})
    void otherTextsAreNone(String reply) {
        assertThat(ModelReplies.text(reply)).isEqualTo(Answer.of(reply));
    }

    @Test
    void blankRepliesAreEmpty() {
        assertThat(ModelReplies.text(" \n")).isEqualTo(Answer.problem("the reply is empty"));
        assertThat(ModelReplies.questions("")).isEqualTo(Answer.problem("the reply is empty"));
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "' 0\n', 0", "4., 4", "**2**, 2", "'\"1\"', 1"})
    void aGradeIsANumber(String reply, int grade) {
        assertThat(ModelReplies.grade(reply)).isEqualTo(Answer.of(grade));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "-1", "10", "3.5", "4/5", "3 or 4", "Grade: 3", "three", "", "I would say 3"})
    void proseIsNoGrade(String reply) {
        assertThat(ModelReplies.grade(reply)).isEqualTo(Answer.problem("the reply is not a number from 0 to 4"));
    }

    @Test
    void aReferenceIsAFieldOfARecord() {
        assertThat(ModelReplies.reference("```json\n{\"reference\": \"a {b} c \"}\n```"))
                .isEqualTo(Answer.of("a {b} c"));
        assertThat(ModelReplies.reference("{\"reference\": \"\"}")).isEqualTo(Answer.of(""));
        assertThat(ModelReplies.reference("{\"reference\": null}").value()).isEmpty();
        assertThat(ModelReplies.reference("a b c").problem()).contains("JSON record", "reference");
    }
}
