package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.RecursiveSplitter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitStageTest {
    private static final List<String> SEPARATORS = List.of("\n\n", "\n", " ", "");

    @TempDir
    Path folder;

    private static List<String> recursive(String text, int size, int overlap) {
        return new RecursiveSplitter(size, overlap, SEPARATORS, each -> each.codePointCount(0, each.length()))
                .split(text).stream().map(span -> span.of(text)).toList();
    }

    /** Expected chunks are those of LangChain's algorithm, written down in Python from its description. */
    @Test
    void chunksAreThoseOfTheRecursiveSplitter() {
        assertThat(recursive("First paragraph.\n\nSecond one is longer.\nIt has two lines.\n\nLast.", 25, 0))
                .containsExactly("First paragraph.", "Second one is longer.", "It has two lines.", "Last.");
        // No space in the first word: it is split between characters, and what is left joins nothing of another level.
        assertThat(recursive("abcdefghij klm", 4, 0)).containsExactly("abcd", "efgh", "ij", "klm");
        assertThat(recursive("aa bb cc dd", 5, 2)).containsExactly("aa bb", "cc", "dd");
        assertThat(recursive("𝒜𝒜𝒜𝒜𝒜 猫", 2, 0)).containsExactly("𝒜𝒜", "𝒜𝒜", "𝒜", "猫");
        assertThat(recursive("one two three four", 100, 0)).containsExactly("one two three four");
        assertThat(recursive(" \n\n ", 100, 0)).isEmpty();
    }

    private Path document(String text) {
        return Pipelines.write(
                folder.resolve("docs.jsonl"),
                new String(Json.toLine(Map.of("id", "d", "text", text)), StandardCharsets.UTF_8));
    }

    private List<Candidate> split(String text, String settings) {
        PipelineRecord record =
                Pipelines.run(folder, document(text), "en", "- sample: {}\n- split: {" + settings + "}");
        return Pipelines.kept(folder, record, 1);
    }

    @Test
    void chunksSayWhereTheyAreInCodePoints() {
        List<Candidate> parts = split("𝒜 b c\n\nd e f\n\ng", "by: recursive, size: 4, unit: words");
        assertThat(parts).extracting(Candidate::id).containsExactly("d/1", "d/2");
        assertThat(parts.get(0).span(Candidate.PART)).hasValue(new Span(0, 5));
        assertThat(parts.get(1).span(Candidate.PART)).hasValue(new Span(7, 15));
        assertThat(parts.getFirst().has(Candidate.TEXT)).isFalse();
        assertThat(parts.getFirst().text(Candidate.BUCKET)).isEqualTo("all");
    }

    @Test
    void thirdsHaveTargets() {
        List<Candidate> parts = split("abcdefghijk", "by: thirds");
        assertThat(parts).extracting(part -> part.text(Candidate.TARGET)).isEqualTo(Candidate.POSITIONS);
        assertThat(parts).extracting(Candidate::id).containsExactly("d/beginning", "d/middle", "d/end");
        assertThat(parts.get(2).span(Candidate.PART)).hasValue(new Span(6, 11));
        assertThat(split("One. Two two. Three.", "by: thirds, borders: sentences")
                        .get(1)
                        .span(Candidate.PART))
                .hasValue(new Span(5, 14));
    }

    @Test
    void oneTargetOfEachDocumentIsDrawnBySeed() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            rows.append("{\"id\":\"d")
                    .append(i)
                    .append("\",\"text\":\"text number ")
                    .append(i)
                    .append("\"}\n");
        }
        Path input = Pipelines.write(folder.resolve("docs.jsonl"), rows.toString());
        PipelineRecord record =
                Pipelines.run(folder, input, "en", "- sample: {}\n- split: {by: thirds, draw: 1, seed: 7}");
        List<Candidate> parts = Pipelines.kept(folder, record, 1);
        assertThat(parts)
                .extracting(Candidate::document)
                .doesNotHaveDuplicates()
                .hasSize(60);
        Candidate.POSITIONS.forEach(position -> assertThat(parts.stream()
                        .filter(part -> part.text(Candidate.TARGET).equals(position)))
                .hasSizeBetween(10, 30));
    }

    @Test
    void segmentsAreEqualAndTooFewCharactersAreDropped() {
        assertThat(split("abcdefghij", "by: segments, n: 5").get(4).span(Candidate.PART))
                .hasValue(new Span(8, 10));
        assertThat(split("ab", "by: segments, n: 5")).isEmpty();
    }

    @Test
    void settingsThatHaveNoMeaningAreRefused() {
        assertThatThrownBy(() -> split("a", "by: recursive, n: 3")).hasMessageContaining("unknown field");
        assertThatThrownBy(() -> split("a", "by: recursive, size: 5, overlap: 5"))
                .hasMessageEndingWith("it is 0 or more and below the size");
        assertThatThrownBy(() -> split("a", "by: thirds, draw: 4")).hasMessageEndingWith("it is 1 to 3");
        assertThatThrownBy(() -> split("a", "by: segments, n: 0")).hasMessageEndingWith("it is 1 or more");
    }
}
