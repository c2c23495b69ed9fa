package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Configs;
import io.posbias.Json;
import io.posbias.inside.TinyModels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The study of docs/study.md whole, as it is shipped, with a few steps of training on texts made up here. */
@Tag("slow")
class TrainingStudyTest {
    private static final int SENTENCES = 40;

    @TempDir
    Path temp;

    /** Articles of sentences with words of their own, each third of which a question asks about. */
    private Path articles(String name, int count, int sentences) throws IOException {
        List<Object> articles = new ArrayList<>();
        for (int article = 0; article < count; article++) {
            StringBuilder text = new StringBuilder();
            List<Object> questions = new ArrayList<>();
            for (int sentence = 0; sentence < sentences; sentence++) {
                String answer = "the " + word(article, sentence) + " of " + word(sentence, article + 7);
                if (sentence % 3 == 1) {
                    questions.add(Map.of(
                            "id",
                            name + "-" + article + "-" + sentence,
                            "question",
                            "Who saw " + answer + "?",
                            "answers",
                            List.of(Map.of(
                                    "text", answer, "answer_start", text.length() + "In the morning ".length()))));
                }
                text.append("In the morning ").append(answer).append(" was seen by a traveller. ");
            }
            articles.add(Map.of(
                    "title",
                    name + " " + article,
                    "paragraphs",
                    List.of(Map.of("context", text.toString().strip(), "qas", questions))));
        }
        return Files.write(temp.resolve(name + ".json"), Json.toBytes(Map.of("version", "1", "data", articles)));
    }

    private static String word(int a, int b) {
        return syllable(a * 7 + b) + syllable(a + b * 5) + syllable(a * 3 + b * 11) + "r";
    }

    private static String syllable(int number) {
        return "" + "bdfg".charAt(number / 4 % 4) + "aeio".charAt(number % 4);
    }

    /** The shipped experiment, with so little of all that it ends in a minute. */
    private Path small() throws IOException {
        Map<String, String> less = new LinkedHashMap<>();
        less.put("seed: [42, 43, 44]", "seed: [42, 43]");
        less.put(
                "all-minilm-l6-v2",
                TinyModels.writeBert(temp.resolve("tiny"), List.of("the", "of", "was", "seen"))
                        .toString());
        less.put("steps=32", "steps=2");
        less.put("batch=32", "batch=4");
        less.put("--places 5", "--places 5 --length 60");
        less.put("--length 80", "--length 40");
        less.put("--n 300", "--n 6");
        less.put("--n 100", "--n 6");
        less.put("draws: 1000", "draws: 20");
        less.put("diagnose segments", "diagnose segments --min-words 30");
        String yaml = new String(Configs.read("configs/experiments/training-study.yaml"), StandardCharsets.UTF_8);
        for (Map.Entry<String, String> part : less.entrySet()) {
            assertThat(yaml).contains(part.getKey());
            yaml = yaml.replace(part.getKey(), part.getValue());
        }
        return Files.writeString(temp.resolve("small.yaml"), yaml);
    }

    @Test
    void theWholeChainRunsAndSaysWhatBecameOfTheClaims() throws IOException, InterruptedException {
        Object[] line = {
            "run",
            small(),
            "--set",
            "xquad=" + articles("xquad", 6, SENTENCES / 2),
            "--set",
            "covidqa=" + articles("covidqa", 4, SENTENCES),
            "--set",
            "policyqa=" + articles("policyqa", 3, SENTENCES),
            "--results",
            temp.resolve("results")
        };
        Cli.Ended ended = Cli.run(line);
        assertThat(ended.code()).as(ended.err()).isZero();
        Path tables = temp.resolve("results/tables/training-study");
        try (Stream<Path> files = Files.list(tables)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "position.csv",
                            "position.md",
                            "table1.md",
                            "moving.csv",
                            "reversal.csv",
                            "segments.csv",
                            "saliency.csv");
        }
        assertThat(said(tables))
                .contains(
                        "| xquad-windows |",
                        "place 5 of 5",
                        "**PSI of M_U is the lowest**",
                        "- M_B: ",
                        "| delta_rev |");
        Cli.Ended again = Cli.run(line);
        assertThat(again.code()).isZero();
        assertThat(again.err()).doesNotContain("to do", "step 1 of");
    }

    /** What scripts/training_study makes of the tables. */
    private static String said(Path tables) throws IOException, InterruptedException {
        Process script = new ProcessBuilder("python3", "scripts/training_study", tables.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(script.exitValue()).as(said).isZero();
        return said;
    }
}
