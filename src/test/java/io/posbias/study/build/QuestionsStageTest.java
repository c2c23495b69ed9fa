package io.posbias.study.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.TinyBenchmark;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuestionsStageTest {
    @TempDir
    private Path folder;

    private static Stage stage() {
        return Pipelines.stage("questions: {}");
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

    @Test
    void labelsAreThePositionsOfQuestions() {
        Path labels = Pipelines.write(folder.resolve("l/dataset.yaml"), "name: l\nlanguage: en\n")
                .resolveSibling("");
        Pipelines.write(labels.resolve("corpus.jsonl"), "{\"_id\": \"a\", \"text\": \"Owls. Two. Three.\"}\n");
        Pipelines.write(labels.resolve("queries.jsonl"), """
                {"_id": "one", "text": "who", "span_class": ["middle"]}
                {"_id": "two", "text": "who", "span_class": ["middle", "end"]}
                {"_id": "other", "text": "who", "span_class": ["centre"]}
                {"_id": "none", "text": "who"}
                """);
        Pipelines.write(
                labels.resolve("qrels/test.tsv"),
                "query-id\tcorpus-id\tscore\none\ta\t1\ntwo\ta\t1\nother\ta\t1\nnone\ta\t1\n");
        StageBench.Outcome outcome = StageBench.in(folder)
                .inputs(labels)
                .candidates("{\"id\": \"a\", \"document\": \"a\", \"text\": \"Owls. Two. Three.\"}")
                .run(Pipelines.stage("questions: {of: labels}"));
        assertEquals(List.of("a/one"), outcome.kept());
        assertEquals("middle", outcome.line("a/one").text(Candidate.POSITION));
        assertEquals(Set.of("a/two", "a/other"), outcome.dropped().keySet());
    }

    /** The same question at three places is one question, whose place is its target. */
    @Test
    void windowsHaveTheirPlaceAsTarget() {
        Path windows = Pipelines.write(
                        folder.resolve("w/dataset.yaml"), "name: w\nlanguage: en\ncontent_fixed: windows\n")
                .resolveSibling("");
        Pipelines.write(windows.resolve("corpus.jsonl"), """
                {"_id": "a", "text": "Owls. Two. Three."}
                {"_id": "b", "text": "One. Owls. Three."}
                {"_id": "c", "text": "One. Two. Owls."}
                """);
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int place = 1; place <= 3; place++) {
            int start = List.of(0, 5, 10).get(place - 1);
            queries.append("{\"_id\": \"q@" + place + "\", \"text\": \"who\", \"pos_char_span\": [" + start + ", "
                    + (start + 5) + "], \"variant_of\": \"q\", \"variant_place\": " + place
                    + ", \"variant_document\": \"d\"}\n");
            qrels.append("q@" + place + "\t" + "abc".charAt(place - 1) + "\t1\n");
        }
        Pipelines.write(windows.resolve("queries.jsonl"), queries.toString());
        Pipelines.write(windows.resolve("qrels/test.tsv"), qrels.toString());
        StageBench.Outcome outcome = StageBench.in(folder)
                .inputs(windows)
                .candidates(
                        "{\"id\": \"a\", \"document\": \"a\", \"text\": \"Owls. Two. Three.\"}",
                        "{\"id\": \"c\", \"document\": \"c\", \"text\": \"One. Two. Owls.\"}")
                .run(Pipelines.stage("questions: {of: windows}"));
        assertEquals(List.of("a/q@1", "c/q@3"), outcome.kept());
        assertEquals("end", outcome.line("c/q@3").text(Candidate.TARGET));
        assertEquals("q", outcome.line("c/q@3").text(Candidate.SAME_AS));
        TinyBenchmark tiny = TinyBenchmark.in(folder.resolve("tiny"));
        StageBench other = StageBench.in(folder)
                .inputs(tiny.folder())
                .candidates(
                        "{\"id\": \"p1\", \"document\": \"p1\", \"text\": \"A red fox sleeps under the old bridge.\"}");
        assertThrows(UsageException.class, () -> other.run(Pipelines.stage("questions: {of: windows}")));
    }

    /** Borders between sentences are not where Algorithm 1 has them: what a candidate was made for is its position. */
    @Test
    void aTargetIsAPosition() {
        StageBench.Outcome outcome = StageBench.in(folder)
                .candidates("{\"id\": \"a\", \"document\": \"a\", \"part\": [0, 9], \"target\": \"beginning\"}")
                .run(Pipelines.stage("tag: {of: target}"));
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
