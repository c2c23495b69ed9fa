package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.study.build.text.LengthBuckets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleStageTest {
    @TempDir
    Path folder;

    private Path rows(Map<String, String> texts) {
        StringBuilder lines = new StringBuilder();
        texts.forEach((id, text) ->
                lines.append(new String(Json.toLine(Map.of("id", id, "text", text)), StandardCharsets.UTF_8)));
        return Pipelines.write(folder.resolve("docs.jsonl"), lines.toString());
    }

    private static String words(int n, String word) {
        return String.join(" ", Collections.nCopies(n, word));
    }

    private Map<String, String> drops(PipelineRecord record) {
        Map<String, String> drops = new LinkedHashMap<>();
        Pipelines.lines(folder, record, 0)
                .forEach(line -> drops.put(line.id(), line.dropped().orElse("")));
        return drops;
    }

    @Test
    void eachDocumentThatIsRefusedSaysWhy() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("short", "one two");
        texts.put("least", "one two three");
        texts.put("most", "one two three four five");
        texts.put("long", "one two three four five six");
        texts.put("blank", " \r\n ");
        texts.put("bell", "one two \u0007three");
        texts.put("page", "one\ftwo\r\nthree <b>four</b>  x");
        texts.put("tags", "<p>one <b>two</b> three</p>");
        texts.put("again", "one  two\nthree");
        PipelineRecord record = Pipelines.run(folder, rows(texts), "en", "- sample: {edges: [3, 6], markup: drop}");
        assertThat(drops(record))
                .containsExactly(
                        Map.entry("short", "too short"),
                        Map.entry("least", ""),
                        Map.entry("most", ""),
                        Map.entry("long", "too long"),
                        Map.entry("blank", "empty"),
                        Map.entry("bell", "control characters"),
                        Map.entry("page", ""),
                        Map.entry("tags", "markup"),
                        Map.entry("again", "duplicate"));
        assertThat(Pipelines.lines(folder, record, 0).getFirst().text(Candidate.DETAIL))
                .isEqualTo("length 2 in words");
        Candidate kept = Pipelines.kept(folder, record, 0).getFirst();
        assertThat(kept.text(Candidate.BUCKET)).isEqualTo("3-6");
        assertThat(kept.text(Candidate.TEXT)).isEqualTo("one two three");
    }

    @Test
    void markupMayStay() {
        Path input = rows(Map.of("a", "<p>one <b>two</b> three</p>"));
        PipelineRecord record = Pipelines.run(folder, input, "en", "- sample: {}");
        assertThat(Pipelines.kept(folder, record, 0)).hasSize(1);
    }

    @Test
    void theDocumentsThatAreUsedAreCounted() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("article", "One two three four. Five six seven eight. Nine.");
        texts.put("copy", "One two three four.");
        texts.put("again", "One two three four.");
        texts.put("short", "One.");
        PipelineRecord record =
                Pipelines.run(folder, rows(texts), "en", "- sample: {cut: {size: 5, unit: words}, edges: [2, 9]}");
        assertThat(record.stages().getFirst().counts().notes())
                .containsEntry(
                        "documents",
                        "1 of 4 documents used (2 duplicate, 1 too short), cut into 5 passages of about 3 words");
    }

    @Test
    void aPassageCannotHaveTheIdentifierOfADocument() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("a", "One two three four. Five six seven eight.");
        texts.put("a#1", "Nine ten.");
        assertThatThrownBy(() -> Pipelines.run(folder, rows(texts), "en", "- sample: {cut: {size: 5, unit: words}}"))
                .hasMessageContaining("\"a#1\"");
    }

    /** Ten short and thirty long documents; 7 in the ratio 1 to 2 are 2.33 and 4.67: 2 and 5. */
    @Test
    void bucketsGetTheirQuotasWhateverTheOrderOfTheInput() {
        List<Integer> order = new ArrayList<>(IntStream.range(0, 40).boxed().toList());
        String stage = "- sample: {edges: [1, 10, 20], n: 7, ratio: [1, 2]}";
        PipelineRecord record = Pipelines.run(folder, rows(forty(order)), "en", stage);
        List<String> drawn = Pipelines.kept(folder, record, 0).stream()
                .map(Candidate::id)
                .sorted()
                .toList();
        assertThat(record.stages().getFirst().counts().notes()).containsEntry("buckets", Map.of("1-10", 2, "10-20", 5));
        assertThat(record.stages().getFirst().counts().dropped()).containsExactly(Map.entry("not drawn", 33L));
        Collections.reverse(order);
        PipelineRecord reversed = Pipelines.run(folder, rows(forty(order)), "en", stage);
        assertThat(Pipelines.kept(folder, reversed, 0).stream()
                        .map(Candidate::id)
                        .sorted()
                        .toList())
                .isEqualTo(drawn);
        PipelineRecord other = Pipelines.run(
                folder, rows(forty(order)), "en", "- sample: {edges: [1, 10, 20], n: 7, ratio: [1, 2], seed: 1}");
        assertThat(Pipelines.kept(folder, other, 0).stream()
                        .map(Candidate::id)
                        .sorted()
                        .toList())
                .isNotEqualTo(drawn);
    }

    private static Map<String, String> forty(List<Integer> order) {
        Map<String, String> texts = new LinkedHashMap<>();
        order.forEach(i -> texts.put("d" + i, words(i < 10 ? 5 : 15, "w" + i)));
        return texts;
    }

    @Test
    void quotasFollowTheLargestRemainder() {
        LengthBuckets buckets = new LengthBuckets(List.of(0, 1, 2, 3), List.of(3, 3, 2));
        // 10 * 3/8 = 3.75, 3.75, 2.5
        assertThat(buckets.quotas(10)).containsExactly(4L, 4L, 2L);
        assertThat(new LengthBuckets(List.of(0, 1, 2, 3), List.of(1, 1, 1)).quotas(8))
                .containsExactly(3L, 3L, 2L);
        // PosIR's 70,000 in the ratio 3:3:3:3:2:2:2:2
        assertThat(new LengthBuckets(List.of(), List.of(3, 3, 3, 3, 2, 2, 2, 2)).quotas(70_000))
                .containsExactly(10_500L, 10_500L, 10_500L, 10_500L, 7_000L, 7_000L, 7_000L, 7_000L);
    }

    @Test
    void longDocumentsAreCutAtTheEndsOfSentences() {
        String text = "One two three four. Five six seven eight.\r\n\r\nNine ten eleven twelve. Last.";
        PipelineRecord record =
                Pipelines.run(folder, rows(Map.of("article", text)), "en", "- sample: {cut: {size: 7, unit: words}}");
        assertThat(Pipelines.kept(folder, record, 0).stream().map(line -> line.id() + ": " + line.text("text")))
                .containsExactly(
                        "article#1: One two three four. Five six seven eight.",
                        "article#2: Nine ten eleven twelve. Last.");
    }

    @Test
    void aFolderOfTextsIsReadAndOtherEncodingsAreRefused() throws IOException {
        Path texts = folder.resolve("texts");
        Pipelines.write(texts.resolve("b/two words.md"), "Second 𝒜 text");
        Pipelines.write(texts.resolve("a.txt"), "First text");
        PipelineRecord record = Pipelines.run(folder, texts, "en", "- sample: {}");
        assertThat(Pipelines.kept(folder, record, 0).stream().map(Candidate::id))
                .containsExactly("a.txt", "b/two%20words.md");
        Files.write(texts.resolve("c.txt"), new byte[] {'a', (byte) 0xe9, 'b'});
        assertThatThrownBy(() -> Pipelines.run(folder, texts, "en", "- sample: {}"))
                .hasMessageContainingAll(texts.resolve("c.txt").toString(), "UTF-8");
        assertThatThrownBy(() ->
                        Pipelines.run(folder, Pipelines.write(folder.resolve("none.jsonl"), ""), "en", "- sample: {}"))
                .hasMessage("--input holds no document");
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> Pipelines.run(folder, folder, "en", "- sample: {edges: [5, 5]}"))
                .hasMessageContainingAll("ascending", "[500, 1024]");
        assertThatThrownBy(() -> Pipelines.run(folder, folder, "en", "- sample: {edges: [5, 9], ratio: [1, 2]}"))
                .hasMessageContainingAll("positive", "1 buckets");
        assertThatThrownBy(() -> Pipelines.run(folder, folder, "en", "- sample: {size: 9}"))
                .hasMessageContaining("size");
        assertThatThrownBy(() -> Pipelines.run(folder, folder, "en", "- sample: {n: 0}"))
                .hasMessageEndingWith("it is 1 or more");
    }

    @Test
    void whatALaterStageLacksIsSaidBeforeTheFirst() {
        Path input = rows(Map.of("a", "one two three"));
        assertThatThrownBy(() -> Pipelines.run(
                        folder,
                        input,
                        "en",
                        "- sample: {}\n- split: {by: thirds, borders: sentences, unit: \"tokens:nosuch\"}"))
                .hasMessageContaining("nosuch");
        assertThat(folder.resolve("out/stages/01-sample.jsonl")).doesNotExist();
    }

    @Test
    void countsOfAPaperAreShownWhereThereAreSome() {
        Path input = rows(Map.of("a", "one two three"));
        PipelineRecord record = Pipelines.run(folder, input, "en", "- sample: {}");
        assertThat(new Funnel(record, folder.resolve("out")).raw().header())
                .containsExactly("stage", "kept", "dropped");
    }
}
