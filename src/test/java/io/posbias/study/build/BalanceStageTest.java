package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.data.dataset.Span;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BalanceStageTest {
    @TempDir
    Path folder;

    /** z = 20: third = 6. An end is exclusive: a span up to 6 does not end before 6. */
    @Test
    void labelsFollowAlgorithm1() {
        assertThat(TagStage.label(new Span(0, 5), 20)).isEqualTo("beginning");
        assertThat(TagStage.label(new Span(0, 6), 20)).isEqualTo("middle");
        assertThat(TagStage.label(new Span(11, 20), 20)).isEqualTo("middle");
        assertThat(TagStage.label(new Span(12, 13), 20)).isEqualTo("end");
    }

    /** Segments of ten characters in texts of 40: third = 13; the first ends before it, the last one starts after 26. */
    private PipelineRecord run(int documents, String stages) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < documents; i++) {
            rows.append("{\"id\":\"d")
                    .append(i)
                    .append("\",\"text\":\"")
                    .append("abcdefgh%02d".formatted(i).repeat(4))
                    .append("\"}\n");
        }
        Path input = Pipelines.write(folder.resolve("docs.jsonl"), rows.toString());
        return Pipelines.run(folder, input, "en", "- sample: {}\n- split: {by: segments, n: 4}\n- tag: {}\n" + stages);
    }

    @Test
    void classesAreDrawnDownToTheSmallest() {
        PipelineRecord record = run(5, "- balance: {}");
        PipelineRecord.Counts counts = record.stages().get(3).counts();
        assertThat(record.stages().get(2).counts().positions())
                .isEqualTo(Map.of("beginning", 5L, "middle", 10L, "end", 5L));
        assertThat(counts.positions()).isEqualTo(Map.of("beginning", 5L, "middle", 5L, "end", 5L));
        assertThat(counts.dropped()).isEqualTo(Map.of("over the class's share", 5L));
        assertThat(counts.notes()).containsEntry("share", 5);
        List<String> first =
                Pipelines.kept(folder, record, 3).stream().map(Candidate::id).toList();
        List<String> other = Pipelines.kept(folder, run(5, "- balance: {seed: 1}"), 3).stream()
                .map(Candidate::id)
                .toList();
        assertThat(other).hasSize(15).isNotEqualTo(first);
    }

    @Test
    void classesMayHaveANumberAndABucket() {
        assertThat(run(5, "- balance: {n: 2, by: [bucket, position]}")
                        .stages()
                        .get(3)
                        .counts())
                .satisfies(counts -> assertThat(counts.kept()).isEqualTo(6))
                .satisfies(counts -> assertThat(counts.notes())
                        .containsEntry("classes", Map.of("all/beginning", 5, "all/middle", 10, "all/end", 5)));
        assertThatThrownBy(() -> run(1, "- balance: {by: [type]}"))
                .hasMessageEndingWith("it is [position] or [bucket, position]");
    }

    /** A third in characters ends where the next begins, so Algorithm 1 calls the first one middle. */
    @Test
    void offTargetIsDropped() {
        Path input = Pipelines.write(folder.resolve("docs.jsonl"), "{\"id\":\"d\",\"text\":\"abcdefghi\"}\n");
        PipelineRecord record = Pipelines.run(
                folder, input, "en", "- sample: {}\n- split: {by: thirds}\n- tag: {of: part, keep: on-target}");
        assertThat(Pipelines.lines(folder, record, 2))
                .extracting(line -> line.id() + " " + line.dropped().orElse("kept"))
                .containsExactly("d/beginning off target", "d/middle kept", "d/end kept");
        PipelineRecord targets =
                Pipelines.run(folder, input, "en", "- sample: {}\n- split: {by: thirds}\n- tag: {of: target}");
        assertThat(targets.stages().get(2).counts().positions())
                .isEqualTo(Map.of("beginning", 1L, "middle", 1L, "end", 1L));
        assertThatThrownBy(() -> Pipelines.run(folder, input, "en", "- sample: {}\n- tag: {of: span}"))
                .hasMessageContaining("needs the field span");
    }
}
