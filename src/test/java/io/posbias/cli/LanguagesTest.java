package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.Language;
import io.posbias.fetch.jars.PinnedJars;
import io.posbias.study.build.text.TextSentences;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of docs/languages.md: documents of five templates in each language, from texts to a verdict. */
class LanguagesTest {
    private static final int DOCUMENTS = 30;

    @TempDir
    private Path temp;

    /** Templates of a language, and syllables of its names. */
    private record Templates(List<String> first, List<String> last, List<String> sentences) {
        private static Map<String, Templates> read() throws IOException {
            Map<String, Templates> all = new LinkedHashMap<>();
            List<String> sentences = new ArrayList<>();
            for (String line : Files.readAllLines(Path.of("src/test/resources/languages/templates.txt"))) {
                if (line.contains(" + ")) {
                    String[] names = line.substring(3).split(" \\+ ", -1);
                    sentences = new ArrayList<>();
                    all.put(line.substring(0, 2), new Templates(words(names[0]), words(names[1]), sentences));
                } else {
                    sentences.add(line);
                }
            }
            return all;
        }

        private static List<String> words(String line) {
            return List.of(line.split(" ", -1));
        }

        private String name(Random random) {
            return first.get(random.nextInt(first.size())) + last.get(random.nextInt(last.size()));
        }

        /** Twelve sentences in any order. */
        String text(Random random, String joint) {
            List<String> own = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                own.add(sentences
                        .get(i % sentences.size())
                        .replace("{a}", name(random))
                        .replace("{b}", name(random))
                        .replace("{n}", String.valueOf(11 + random.nextInt(1989))));
            }
            Collections.shuffle(own, random);
            return String.join(joint, own);
        }
    }

    private List<String> texts(String language, Templates templates) {
        Random random = new Random(1);
        String joint = List.of("zh", "ja").contains(language) ? "" : " ";
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            texts.add(templates.text(random, joint));
        }
        return texts;
    }

    /** Returns a row of the table: sentences, questions, nDCG@10 of BM25, and how the check ended. */
    private String row(Posbias posbias, String language, List<String> texts) throws IOException {
        StringBuilder rows = new StringBuilder();
        texts.forEach(text -> rows.append(new String(Json.toLine(Map.of("text", text)), StandardCharsets.UTF_8)));
        Path data = Files.writeString(temp.resolve(language + ".jsonl"), rows);
        Cli.Ended ended = posbias.run(
                "check bm25", data, "--format json --results", temp.resolve("results"), "--language", language);
        int sentences = texts.stream()
                .mapToInt(text -> TextSentences.of(text, language).size())
                .sum();
        String start = "| " + Language.name(language) + " | " + language + " | " + sentences + " | ";
        if (ended.code() != 0) {
            return start + "0 | - | " + ended.code() + ": " + ended.err().strip() + " |";
        }
        Fields answer = Json.readJson(Files.writeString(temp.resolve("answer.json"), ended.out()));
        double sum = 0;
        int questions = 0;
        for (Fields place : answer.records("places")) {
            int own = place.integer("questions", 0);
            questions += own;
            sum += own * place.number("mean");
        }
        return String.format(
                Locale.ROOT,
                "%s%d | %.1f | %s |",
                start,
                questions,
                100 * sum / questions,
                String.join(", ", answer.texts("verdicts")));
    }

    @Test
    @Tag("slow")
    void everyLanguageHasSentencesQuestionsAndAVerdict() throws IOException {
        PinnedJars.keep(temp.resolve("home"), "icu", "stempel", "morfologik");
        Posbias posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        List<String> rows = new ArrayList<>();
        for (Map.Entry<String, Templates> language : Templates.read().entrySet()) {
            rows.add(row(posbias, language.getKey(), texts(language.getKey(), language.getValue())));
        }
        Files.write(Path.of("target/languages.md"), rows);
        assertThat(rows)
                .hasSizeGreaterThan(30)
                .allSatisfy(row -> assertThat(row).doesNotContain(" | 0 | "));
    }

    /** All sentences of the templates are found, in all languages. */
    @Test
    void sentencesAreThoseOfTheTemplates() throws IOException {
        for (Map.Entry<String, Templates> language : Templates.read().entrySet()) {
            for (String text : texts(language.getKey(), language.getValue())) {
                assertThat(TextSentences.of(text, language.getKey()))
                        .as(language.getKey())
                        .hasSize(12);
            }
        }
    }
}
