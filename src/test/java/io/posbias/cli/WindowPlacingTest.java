package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.SharedData;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowPlacingTest {
    private static final int SENTENCES = 60;

    @TempDir
    Path temp;

    private Path build(Path squad) {
        Path dataset = temp.resolve("dataset");
        Cli.run("data build squad-posq --language en --input", squad, "--name set --out", dataset)
                .ok();
        return dataset;
    }

    /** Long documents whose questions' words are five times as often before the evidence as after it. */
    private Path oneSided() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<Object> articles = new ArrayList<>();
        for (int document = 0; document < 60; document++) {
            List<Integer> places = List.of(24, 28, 32, 36);
            StringBuilder context = new StringBuilder();
            List<Object> questions = new ArrayList<>();
            for (int sentence = 0; sentence < SENTENCES; sentence++) {
                List<String> words = new ArrayList<>(List.of("The"));
                for (int word = 0; word < 7; word++) {
                    words.add("w" + random.nextInt(4_000));
                }
                for (int question = 0; question < places.size(); question++) {
                    int place = places.get(question);
                    if (sentence == place) {
                        words.add("key" + document + "x" + question);
                    }
                    if (random.nextDouble() < (sentence < place ? 0.10 : 0.02)) {
                        words.add("topic" + question);
                    }
                }
                for (int question = 0; question < places.size(); question++) {
                    if (sentence == places.get(question)) {
                        String answer = "key" + document + "x" + question;
                        int start = context.length() + String.join(" ", words).indexOf(answer);
                        questions.add(Map.of(
                                "id",
                                document + "-" + question,
                                "question",
                                "topic" + question + " w" + random.nextInt(4_000) + "?",
                                "answers",
                                List.of(Map.of("text", answer, "answer_start", start))));
                    }
                }
                context.append(String.join(" ", words)).append(". ");
            }
            articles.add(Map.of(
                    "title",
                    "t" + document,
                    "paragraphs",
                    List.of(Map.of("context", context.toString(), "qas", questions))));
        }
        Path file = temp.resolve("one-sided.json");
        Files.write(file, Json.toBytes(Map.of("data", articles)));
        return file;
    }

    private Fields position(Path dataset, Object... more) throws IOException {
        List<Object> command = new ArrayList<>(List.of(
                "diagnose position --model bm25 --dataset",
                dataset,
                "--placing windows --draws 500 --out",
                temp.resolve("out")));
        command.addAll(List.of(more));
        Cli.run(command.toArray()).ok();
        return Json.readJson(temp.resolve("out/bm25/result.json")).record("position");
    }

    private static void hasNoDirection(Fields position) {
        assertThat(position.text("outcome")).isIn("even", "open");
        assertThat(position.record("front_minus_back").number("p_value")).isGreaterThan(0.05);
    }

    @Test
    void wordsOnOneSideOfTheEvidenceAreNoDirection() throws IOException {
        Path squad = oneSided();
        Fields position = position(build(squad));
        assertThat(position.integer("queries")).isGreaterThanOrEqualTo(50);
        hasNoDirection(position);
    }

    @Tag("slow")
    @Test
    void bm25HasNoDirectionOnLongArticles() throws IOException {
        Fields position = position(build(SharedData.file("squad-format/covidqa_200421.json")));
        assertThat(position.integer("queries")).isGreaterThan(300);
        hasNoDirection(position);
    }

    @Test
    void paragraphsHaveTooFewWindows() {
        assertTooFew("en");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"de", "zh"})
    void paragraphsInOtherLanguagesHaveTooFewWindows(String language) {
        assertTooFew(language);
    }

    private void assertTooFew(String language) {
        Path dataset = temp.resolve("dataset");
        Cli.run(
                "data build squad-posq --input",
                SharedData.file("squad-format/xquad." + language + ".json"),
                "--language",
                language,
                "--out",
                dataset);
        Cli.Ended refused = Cli.run("diagnose position --model bm25 --dataset", dataset, "--placing windows");
        assertThat(refused.code()).isOne();
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err())
                .containsPattern("need 50 queries of 20 clusters, not \\d+ of \\d+; left out: 1?[0-9,]+ with ");
        Cli.Ended evaluated = Cli.run(
                "eval --model bm25 --dataset",
                dataset,
                "--content-fixed --placing windows --out",
                temp.resolve("eval"));
        assertThat(evaluated.code()).isOne();
        assertThat(evaluated.err()).contains("need 50 queries of 20 clusters");
    }
}
