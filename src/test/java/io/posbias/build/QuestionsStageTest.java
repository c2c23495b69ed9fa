package io.posbias.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posbias.UsageException;
import io.posbias.dataset.Span;
import io.posbias.dataset.TinyBenchmark;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuestionsStageTest {
    @TempDir
    private Path folder;

    private static Stage stage() {
        return new QuestionsStage(StageBench.settings("{}"));
    }

    @Test
    void aBenchmarksQuestionsComeWithTheirSpans() {
        TinyBenchmark tiny = TinyBenchmark.in(folder.resolve("tiny"));
        StageBench.Outcome outcome = StageBench.in(folder)
                .inputs(tiny.folder())
                .candidates(
                        "{\"id\": \"p1\", \"document\": \"p1\", \"text\": \"A red fox sleeps under the old bridge.\", \"bucket\": \"5-10\"}",
                        "{\"id\": \"p2\", \"document\": \"p2\", \"text\": \"An owl changed.\"}",
                        "{\"id\": \"p3\", \"document\": \"p3\", \"text\": \"狐狸住在桥下。\"}")
                .run(stage());
        assertEquals(List.of("p1/q1"), outcome.kept());
        Candidate question = outcome.line("p1/q1");
        assertEquals("where does the fox sleep", question.text(Candidate.QUESTION));
        assertEquals(Optional.of(new Span(17, 37)), question.span(Candidate.SPAN));
        assertEquals("5-10", question.text(Candidate.BUCKET));
        assertEquals(false, question.has(Candidate.TEXT));
        assertEquals(Map.of("p2/q2", "its span is of another text", "p3", "no question on it"), outcome.dropped());
    }

    /** Borders between sentences are not where Algorithm 1 has them: what a candidate was made for is its position. */
    @Test
    void aTargetIsAPosition() {
        StageBench.Outcome outcome = StageBench.in(folder)
                .candidates("{\"id\": \"a\", \"document\": \"a\", \"part\": [0, 9], \"target\": \"beginning\"}")
                .run(new TagStage(StageBench.settings("{of: target}")));
        assertEquals("beginning", outcome.line("a").text(Candidate.POSITION));
    }

    @Test
    void whatIsNoBenchmarkIsRefused() {
        StageBench bench = StageBench.in(folder)
                .inputs(folder)
                .candidates("{\"id\": \"a\", \"document\": \"a\", \"text\": \"b\"}");
        assertThrows(UsageException.class, () -> bench.run(stage()));
    }
}
