package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.study.build.text.TranslationCleaning;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanStageTest {
    private static final TranslationCleaning WORDS = TranslationCleaning.find("translations");
    private static final String ARABIC = "القطة تجلس على السجادة في البيت الكبير";

    @TempDir
    Path folder;

    /** Quartiles of 1..8 and 100, by numpy.quantile: 3 and 7; of 1, 2, 3, 10: 1.75 and 4.75. */
    @Test
    void quartilesAreNumpys() {
        assertThat(CleanStage.Bounds.of(new int[] {100, 8, 7, 6, 5, 4, 3, 2, 1}, 3, 1.5))
                .isEqualTo(new CleanStage.Bounds(-9, 13));
        assertThat(CleanStage.Bounds.of(new int[] {1, 2, 3, 10}, 3, 1.5)).isEqualTo(new CleanStage.Bounds(-7.25, 9.25));
        assertThat(CleanStage.Bounds.of(new int[] {5}, 3, 1.5)).isEqualTo(new CleanStage.Bounds(5, 5));
        assertThat(new CleanStage.Bounds(5, 7).holds(7)).isTrue();
        assertThat(new CleanStage.Bounds(5, 7).holds(8)).isFalse();
    }

    /**
     * Q1, Q3 and the maximum of PosIR's Table 4, which are over 31 domains: the maximum is that of the domain with the largest
     * bound, so a little above the bound of all and never near that of a factor of 2.
     */
    @Test
    void theUpperFactorIsThatOfTable4() {
        Map<String, List<Integer>> rows = Map.of(
                "ar", List.of(717, 2250, 4719),
                "de", List.of(655, 2067, 4296),
                "fr", List.of(645, 2054, 4352),
                "it", List.of(660, 2090, 4298),
                "ko", List.of(704, 2258, 4685),
                "pt", List.of(607, 1941, 4020),
                "ru", List.of(721, 2300, 4828),
                "es", List.of(604, 1925, 3956));
        rows.forEach((language, row) -> {
            double upper = CleanStage.Bounds.of(row.get(0), row.get(1), 3, 1.5).upper();
            double range = row.get(1) - row.get(0);
            assertThat((double) row.get(2)).as(language).isBetween(upper, upper + 0.15 * range);
        });
    }

    /** What the paper says was dropped from eight translations leaves the sums of its Table 4. */
    @Test
    void thePapersCountsAddUp() {
        long documents = 8 * 1_719_701L - 15_641 - 2_223;
        long queries = 8 * 42_015L - 332 - 26;
        assertThat(documents)
                .isEqualTo(13_739_744L)
                .isEqualTo(
                        1_712_847L + 1_718_556 + 1_718_832 + 1_718_831 + 1_715_299 + 1_718_848 + 1_718_056 + 1_718_475);
        assertThat(queries)
                .isEqualTo(335_762L)
                .isEqualTo(41_894L + 41_983 + 42_001 + 42_005 + 41_913 + 42_002 + 41_969 + 41_995);
    }

    @Test
    void linesThatAnnounceATranslationAreTakenOff() {
        assertThat(WORDS.withoutPrefix("Here is the translation\n\n" + ARABIC, "ar"))
                .isEqualTo(ARABIC);
        assertThat(WORDS.withoutPrefix("Translation:\r\nDie Katze", "de")).isEqualTo("Die Katze");
        assertThat(WORDS.withoutPrefix("This is the translated text\nLe chat", "fr"))
                .isEqualTo("Le chat");
        // A heading in its own language, a text about translations, no second line, a line too far from the front.
        for (String text : List.of(
                "La translation\nLe chat", "The cat is here\nLe chat", "Translation:", "Die Katze\nTranslation:\nx")) {
            assertThat(WORDS.withoutPrefix(text, "fr")).isEqualTo(text);
        }
        String late = "x".repeat(490) + " translation:\nDie Katze";
        assertThat(WORDS.withoutPrefix(late, "de")).isEqualTo(late);
    }

    @Test
    void refusalsAreEnglishWhereTheyShouldNotBe() {
        assertThat(WORDS.isRefusal("I’m sorry, but I cannot translate this.", "ko"))
                .isTrue();
        assertThat(WORDS.isRefusal("I'm sorry, but this is the limit of what I can do.", "de"))
                .isTrue();
        // A quotation in an Arabic text.
        assertThat(WORDS.isRefusal(ARABIC + " \"I'm sorry, but\" " + ARABIC, "ar"))
                .isFalse();
        assertThat(WORDS.isRefusal(ARABIC, "ar")).isFalse();
        assertThat(WORDS.isRefusal("The cat sits on the mat.", "ar")).isFalse();
    }

    private static String line(String id, String document, String language, String field, String text) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", id);
        values.put("document", document);
        values.put("language", language);
        values.put(field, text);
        return new String(Json.toLine(values), StandardCharsets.UTF_8);
    }

    /** Nine documents of 10 to 18 letters and one of 100, a refusal, and a query on each of three. */
    @Test
    void aDocumentTakesItsQueriesAlong() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            lines.add(line("d" + i + "/de", "d" + i, "de", "text", "ä".repeat(10 + i)));
        }
        lines.add(line("long/de", "long", "de", "text", "ü".repeat(100)));
        lines.add(line("long/ko", "long", "ko", "text", "고".repeat(100)));
        lines.add(line("no/de", "no", "de", "text", "I cannot translate the text, this is too long."));
        lines.add(line("q1/de", "d1", "de", "question", "Wer?"));
        lines.add(line("q2/de", "long", "de", "question", "Wo?"));
        lines.add(line("q2/ko", "long", "ko", "question", "어디"));
        lines.add(line("q3/de", "no", "de", "question", "Was?"));
        lines.add(line("q4/de", "d2", "de", "question", "I cannot translate this into the language."));
        Path file = Pipelines.write(folder.resolve("before.jsonl"), String.join("", lines));
        Path out = folder.resolve("after.jsonl");
        PipelineRecord.Counts counts;
        try (StageContext context = Pipelines.context(folder);
                var bytes = Files.newOutputStream(out)) {
            Candidates.Sink sink = new Candidates.Sink(bytes, io.posbias.base.process.Progress.NONE.start("clean", -1));
            Pipelines.stage("clean: {}").run(new Candidates(Optional.of(file)), sink, context);
            counts = sink.counts();
        }
        assertThat(counts.kept()).isEqualTo(12);
        assertThat(counts.dropped())
                .isEqualTo(Map.of(
                        "length (document)", 1L,
                        "refusal (document)", 1L,
                        "refusal (query)", 1L,
                        "its document was dropped", 2L));
        assertThat(counts.notes()).containsEntry("prefixes taken off", 0);
    }
}
