package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Progress;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.AskableSentence;
import io.posbias.study.build.text.ClozeQuestion;
import io.posbias.study.build.text.KeyTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtractiveQuestionsTest {
    private static final String TARGET =
            "The Kestrel turbine of 𝒜lborg drives a copper generator that heats nine public bathhouses in winter.";
    private static final String TEXT = "TURBINES\r\n\r\nIt was small. " + TARGET
            + " See Table 3 for the Kestrel turbine and all other turbines and generators of the town.\r\n\r\n"
            + "Doe J. The turbine. 2003;12:34-56. Turbine Kestrel copper generator bathhouses.";

    @TempDir
    Path folder;

    private static List<KeyTerms.Term> terms(String... words) {
        double[] weight = {words.length};
        return java.util.Arrays.stream(words)
                .map(word -> new KeyTerms.Term(word, 0, word.length(), weight[0]--))
                .toList();
    }

    @Test
    void headingsReferencesTablesAndWhatPointsBackAreNotAskedAbout() {
        assertThat(AskableSentence.refusal(TARGET, 15, "en")).isEmpty();
        for (String other : List.of(
                "TURBINES OF THE TOWN AND WHAT THEY DRIVE IN WINTER AND IN SUMMER",
                "It drives a copper generator that heats nine public bathhouses in winter and summer.",
                "As Table 3 shows the turbine drives a copper generator that heats nine public bathhouses.",
                "Doe J, Roe K. The Kestrel turbine of the town in winter and summer. 2003; 12 of 13.",
                "One 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18.",
                "and so the turbine drives a copper generator that heats nine public bathhouses in winter.",
                "A short sentence here.",
                "Of course, such a turbine drives a copper generator that heats nine public bathhouses.",
                "In winter the latter drives a copper generator that heats nine public bathhouses.",
                "Asterisks say that the turbine heats more public bathhouses than the copper generator.",
                "The turbine (of the town drives a copper generator that heats nine public bathhouses.")) {
            assertThat(AskableSentence.refusal(other, other.split("\\s", -1).length, "en"))
                    .as(other)
                    .isPresent();
        }
        assertThat(AskableSentence.refusal(
                        "In towns such as this the turbine drives a copper generator that heats bathhouses.", 14, "en"))
                .isEmpty();
    }

    @Test
    void aClozeLeavesOutTheWeightiestTermThatIsThereOnce() {
        ClozeQuestion cloze = ClozeQuestion.of(
                        "BACKGROUND: The Kestrel turbine (built 1903) drives\na turbine of the old town [3].",
                        terms("turbine", "Kestrel", "drives"))
                .orElseThrow();
        assertThat(cloze.question()).isEqualTo("The ____ turbine drives a turbine of the old town");
        assertThat(cloze.answer()).isEqualTo("Kestrel");
        // Longer than twenty words: up to the end of the clause with the gap.
        assertThat(ClozeQuestion.of(
                                "The Kestrel turbine drives the copper generator of the town, which heats nine public bathhouses"
                                        + " in winter, and two schools in the other seasons of the year.",
                                terms("copper"))
                        .orElseThrow()
                        .question())
                .isEqualTo("The Kestrel turbine drives the ____ generator of the town");
        assertThat(ClozeQuestion.of("Too short a sentence with Kestrel.", terms("Kestrel")))
                .isEmpty();
        // Part of a word with a hyphen is not the word.
        assertThat(ClozeQuestion.of("The non-Kestrel turbine drives a generator of the town.", terms("Kestrel")))
                .isEmpty();
    }

    private List<Candidate> ask(String language, String settings) throws Exception {
        StringBuilder rows = new StringBuilder();
        rows.append(new String(
                io.posbias.base.json.Json.toLine(Map.of("id", "d", "text", TEXT)),
                java.nio.charset.StandardCharsets.UTF_8));
        for (int i = 0; i < 40; i++) {
            rows.append("{\"id\":\"o")
                    .append(i)
                    .append("\",\"text\":\"Other things that are said in winter number ")
                    .append(i)
                    .append(".\"}\n");
        }
        Path input = Pipelines.write(folder.resolve("docs.jsonl"), rows.toString());
        Construction construction =
                Pipelines.construction(folder, List.of(input), language, "- sample: {}\n- split: {by: segments, n: 1}");
        PipelineRecord record = construction.run();
        Path out = folder.resolve("asked.jsonl");
        try (StageContext context = new StageContext(construction);
                var bytes = Files.newOutputStream(out)) {
            context.open(folder.resolve("out").resolve(record.stages().get(0).file()), Map.of());
            Candidates.Sink sink = new Candidates.Sink(bytes, Progress.NONE.start("ask", -1));
            Stage stage = Pipelines.stage("ask: {model: nobody, without-model: extractive" + settings + "}");
            stage.inputs(context);
            Candidates parts = new Candidates(Optional.of(
                    folder.resolve("out").resolve(record.stages().get(1).file())));
            stage.run(parts, sink, context);
        }
        List<Candidate> asked = new java.util.ArrayList<>();
        new Candidates(Optional.of(out)).forEachLine(asked::add);
        return asked;
    }

    @Test
    void theSentenceIsTheEvidence() throws Exception {
        List<Candidate> asked = ask("en", "");
        Candidate question = asked.getFirst();
        assertThat(question.id()).isEqualTo("d/1/q1");
        assertThat(question.text(Candidate.REFERENCE)).isEqualTo(TARGET);
        Span span = question.span(Candidate.SPAN).orElseThrow();
        assertThat(CodePoints.toUtf16(TEXT, span.start(), span.end()).of(TEXT)).isEqualTo(TARGET);
        assertThat(asked.subList(1, asked.size()))
                .hasSize(40)
                .allSatisfy(line -> assertThat(line.dropped()).isPresent());
    }

    /** "turbine" and "generator" are the only words that are repeated; "winter" is in all documents. */
    @Test
    void keywordsAreInTheOrderOfTheSentence() throws Exception {
        for (int seed = 0; seed < 12; seed++) {
            Candidate question = ask("en", ", seed: " + seed + "").getFirst();
            String text = question.text(Candidate.QUESTION);
            if (question.text(Candidate.TYPE).equals("keyword")) {
                assertThat(text).contains("Kestrel turbine").doesNotContain("winter");
                assertThat(text.split(" ")).hasSizeBetween(4, 6);
                assertThat(question.text(Candidate.ANSWER)).isEqualTo(TARGET);
                return;
            }
            assertThat(text).contains(ClozeQuestion.GAP);
            assertThat(text.replace(ClozeQuestion.GAP, question.text(Candidate.ANSWER)) + ".")
                    .isEqualTo(TARGET);
        }
        throw new AssertionError("twelve seeds, no keywords");
    }

    /** Sentences of about as much content in other scripts; the last ones are no whole sentences. */
    @ParameterizedTest
    @CsvSource({
        "hi, सर्दियों में धर्मवाड़ी का दर्रा बर्फ के कारण बंद रहता है।, 10",
        "bn, শীতকালে রতনগড় গিরিপথ তুষারের কারণে অনেক সপ্তাহ বন্ধ থাকে।, 9",
        "ur, پرانی چکی رتن پور سے آنے والے بڑھئی نے بنائی تھی۔, 10",
        "th, โรงสีเก่าสร้างขึ้นเมื่อปี 1629 โดยช่างไม้ซึ่งมาจากบ้านบุญ, 15",
        "my, ဆန်စက်ဟောင်းကို မြို့မှလာသော လက်သမားက ဆောက်လုပ်ခဲ့သည်။, 12",
        "bo, ལྷ་ཁང་གི་ཅོང་གི་ལྗིད་ཚད་ལ་སྤྱི་རྒྱ་ཡོད་ཅིང་བླུགས་པ་རེད།, 15",
        "am, አሮጌው ወፍጮ በመጣው አናጢ ከብዙ ዓመት በፊት ተሠራ።, 8",
        "hy, Հին ջրաղացը կառուցել է քաղաքից եկած հյուսն Որաշեն։, 8",
        "he, 'פעמון המגדל שוקל 512 ק\"ג ויצקו אותו נפחים בעיירה תלמון.', 10",
        "zh, 旧磨坊是来自金沙的木匠于多年前用橡木和石头建造的。, 14",
        "de, '„Die alte Mühle“ wurde vom Zimmermann Ortal in Telbach gebaut.', 10",
        "fr, La cloche fut fondue à Barlac pour la table d’autel en bois., 12",
        "tr, Her akşam çalan caminin büyük çanı Telköy kasabasında döküldü., 9"
    })
    void sentencesOfOtherScriptsAreWhole(String language, String sentence, int words) {
        assertThat(AskableSentence.refusal(sentence, words, language)).isEmpty();
        assertThat(AskableSentence.refusal(
                        sentence.replaceAll("[.\\u0964\\u06d4\\u0f0d\\u104b\\u1362\\u0589\\u3002]", "")
                                + " 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12",
                        words,
                        language))
                .isPresent();
    }

    /** A template in which a name is all that differs. */
    @Test
    void templatesAreAskedWithTheirCommonWords() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            char name = (char) ('a' + i % 26);
            rows.append("{\"text\": \"The bell of the church weighs many kilograms and was cast by smiths in O")
                    .append(String.valueOf(name).repeat(2 + i / 26))
                    .append("stad.\"}\n");
        }
        Path input = Pipelines.write(folder.resolve("docs.jsonl"), rows.toString());
        PipelineRecord record = Pipelines.run(
                folder,
                input,
                "en",
                "- sample: {}\n- split: {by: segments, n: 1}\n- ask: {model: nobody, without-model: extractive, prompt: question-segment}");
        assertThat(record.stages().getLast().counts().kept()).isEqualTo(30);
    }

    @Test
    void wordsHaveHyphensAndPointsBetweenDigits() {
        KeyTerms terms = new KeyTerms(Passages.of(List.of()), "en", Optional.empty());
        assertThat(terms.counts("COVID-19 rose 2.5 times in 21 countries.1 Don’t"))
                .containsOnlyKeys("covid-19", "rose", "2.5", "times", "in", "21", "countries", "1", "don’t");
    }
}
