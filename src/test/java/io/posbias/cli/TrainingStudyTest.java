package io.posbias.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.model.inside.TinyModels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The studies of results/training-*.md whole, as they are shipped, with a few steps of training on texts made up here, by the
 * Python with sentence-transformers[train] that POSBIAS_PYTHON names.
 */
@Tag("slow")
@EnabledIfEnvironmentVariable(named = "POSBIAS_PYTHON", matches = ".+")
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

    /** The words that differ between texts: a model of equal vectors is refused. */
    private static Set<String> vocabulary() {
        Set<String> words = new TreeSet<>(List.of("the", "of", "was", "seen"));
        for (int a = 0; a < 48; a++) {
            for (int b = 0; b < 48; b++) {
                words.add(word(a, b));
            }
        }
        return words;
    }

    /** A shipped script with changed settings; {@code posbias} is that of this build. */
    private Path changed(String name, Map<String, String> settings) throws IOException {
        String script = Files.readString(Path.of("scripts", name));
        for (Map.Entry<String, String> part : settings.entrySet()) {
            assertThat(script).contains(part.getKey());
            script = script.replace(part.getKey(), part.getValue());
        }
        Path posbias = Files.writeString(
                Files.createDirectory(temp.resolve("bin")).resolve("posbias"),
                "#!/usr/bin/env bash\nexec '%s/bin/java' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                        .formatted(
                                System.getProperty("java.home"),
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        assertThat(posbias.toFile().setExecutable(true)).isTrue();
        return Files.writeString(temp.resolve(name), script);
    }

    private String start() throws IOException {
        return TinyModels.writeBert(temp.resolve("tiny"), vocabulary()).toString();
    }

    /** So little of all that it ends in minutes. */
    private Path small() throws IOException {
        Map<String, String> less = new LinkedHashMap<>();
        less.put("seeds=\"42 43 44\"", "seeds=\"42 43\"");
        less.put("start=all-minilm-l6-v2", "start=" + start());
        less.put("steps=32", "steps=2");
        less.put("batch=32", "batch=4");
        less.put("--places 5", "--places 5 --length 60");
        less.put("--length 80", "--length 40");
        less.put("--n 300", "--n 6");
        less.put("--n 100", "--n 6");
        less.put("--draws 1000", "--draws 20");
        less.put("diagnose segments", "diagnose segments --min-words 30");
        Files.copy(Path.of("scripts/training_claims"), temp.resolve("training_claims"), COPY_ATTRIBUTES);
        return changed("training_study", less);
    }

    @Test
    void theStudyOfHardNegativesRuns() throws IOException, InterruptedException {
        Map<String, String> less = new LinkedHashMap<>();
        less.put("seeds=3", "seeds=2");
        less.put("judge=bge-small-en-v1.5", "judge=bm25");
        less.put("start=all-minilm-l6-v2", "start=" + start());
        less.put("steps=20", "steps=2");
        less.put("batch=32", "batch=4");
        less.put("--length 80", "--length 40");
        less.put("--draws 1000", "--draws 20");
        List<String> line = List.of(
                "bash",
                changed("training_negatives", less).toString(),
                articles("xquad", 6, SENTENCES / 2).toString(),
                articles("covidqa", 4, SENTENCES).toString(),
                articles("policyqa", 3, SENTENCES).toString(),
                temp.resolve("study").toString());
        assertThat(said(line)).contains("| M_B-hard ", "| M_U ", "M_E-hard-42, M_E-hard-43");
        JsonNode models = Json.mapper()
                .readTree(Files.readString(temp.resolve("study/seeds.json")))
                .get("models");
        assertThat(models).hasSize(9);
        // The tiny model has no mean to lose at the back.
        assertThat(models)
                .extracting(model -> model.get("seeds").asInt())
                .containsExactlyInAnyOrder(2, 2, 2, 2, 2, 2, 2, 2, 1);
        assertThat(said(line)).contains("finished before");
    }

    @Test
    void theStudyOfPoolingsRuns() throws IOException, InterruptedException {
        Map<String, String> less = new LinkedHashMap<>();
        less.put("start=all-minilm-l6-v2", "start=" + start());
        less.put("steps=10", "steps=2");
        less.put("steps=40", "steps=2");
        less.put("batch=32", "batch=4");
        less.put("--length 80", "--length 40");
        less.put("--draws 1000", "--draws 20");
        List<String> line = List.of(
                "bash",
                changed("training_poolings", less).toString(),
                articles("xquad", 6, SENTENCES / 2).toString(),
                articles("covidqa", 4, SENTENCES).toString(),
                articles("policyqa", 3, SENTENCES).toString(),
                temp.resolve("study").toString());
        assertThat(said(line)).contains("loss at back");
        try (Stream<Path> cells = Files.list(temp.resolve("study/results/xquad-windows"))) {
            List<String> trained = Stream.of("start", "M_B", "M_M", "M_E", "M_U")
                    .flatMap(set -> Stream.of("minilm-%s-mean", "minilm-%s-cls", "decoder-%s-last", "decoder-%s-mean")
                            .map(name -> name.formatted(set)))
                    .toList();
            assertThat(cells.map(cell -> cell.getFileName().toString())).containsAll(trained);
        }
        assertThat(said(line)).contains("finished before");
    }

    @Test
    void theWholeChainRunsAndSaysWhatBecameOfTheClaims() throws IOException, InterruptedException {
        List<String> line = List.of(
                "bash",
                small().toString(),
                articles("xquad", 6, SENTENCES / 2).toString(),
                articles("covidqa", 4, SENTENCES).toString(),
                articles("policyqa", 3, SENTENCES).toString(),
                temp.resolve("study").toString());
        assertThat(said(line))
                .contains(
                        "| xquad-windows |",
                        "place 5 of 5",
                        "**PSI of M_U is the lowest**",
                        "- M_B: ",
                        "| delta_rev |");
        try (Stream<Path> files = Files.list(temp.resolve("study/tables"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "eval.txt",
                            "position.csv",
                            "position.md",
                            "table1.md",
                            "moving.csv",
                            "reversal.csv",
                            "segments.csv",
                            "saliency.csv");
        }
        assertThat(said(line)).contains("finished before").doesNotContain("posbias train", "posbias diagnose");
    }

    /** What a command prints, on either stream. */
    private String said(List<String> line) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().merge("PATH", temp.resolve("bin").toString(), (path, own) -> own + ":" + path);
        Process script = builder.start();
        String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).as(said).isZero();
        return said;
    }
}
