package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.UsageException;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.RecipeBook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgreeStageTest {
    @TempDir
    private Path folder;

    /** Three segments of 10 characters each. */
    private StageBench bench() {
        return StageBench.in(folder)
                .documents(
                        "{\"id\": \"d\", \"document\": \"d\", \"text\": \"owls hunt  foxes run  mice sleep \"}",
                        "{\"id\": \"s\", \"document\": \"s\", \"text\": \"ab\"}")
                .candidates(
                        "{\"id\": \"q1\", \"document\": \"d\", \"question\": \"who hunts\", \"position\": \"beginning\"}",
                        "{\"id\": \"q2\", \"document\": \"d\", \"question\": \"who runs\", \"position\": \"middle\"}",
                        "{\"id\": \"q3\", \"document\": \"d\", \"question\": \"who sleeps\", \"position\": \"end\"}",
                        "{\"id\": \"q4\", \"document\": \"s\", \"question\": \"who\", \"position\": \"end\"}");
    }

    private String model(String name, String words) {
        return file(name, "name: " + name + "\nkind: given-scores\nwords: " + words + "\n");
    }

    private String file(String name, String yaml) {
        try {
            return Files.writeString(folder.resolve(name + ".yaml"), yaml).toString();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static Stage stage(String settings) {
        return Pipelines.stage("agree: " + settings);
    }

    @Test
    void allModelsMustHaveTheirMaximumAtTheLabel() {
        String first = model("first", "{owls: 3, foxes: 2, mice: 2.5, \"who runs: foxes\": 9}");
        // The labelled segment of q3 is best for this one alone; q2's ties with another.
        String second = model(
                "second",
                "{\"who hunts: owls\": 1, \"who runs: owls\": 2, \"who runs: foxes\": 2, \"who sleeps: mice\": 4}");
        StageBench.Outcome outcome = bench().run(stage("{models: [" + first + ", " + second + "]}"));
        assertEquals(List.of("q1"), outcome.kept());
        assertEquals(
                Map.of(
                        "q2", "scored as high in another segment",
                        "q3", "scored as high in another segment",
                        "q4", "the document is too short for three segments"),
                outcome.dropped());
        assertEquals("first, second", outcome.line("q2").text(Candidate.DETAIL));
        assertEquals("first", outcome.line("q3").text(Candidate.DETAIL));
        assertEquals(0.5, outcome.line("q1").fields().number(Candidate.MARGIN));
        assertEquals(-1.0, outcome.line("q2").fields().number(Candidate.MARGIN));
        assertEquals(
                "{first=[3.0, 2.0, 2.5], second=[1.0, 0.0, 0.0]}",
                outcome.line("q1").fields().record(Candidate.SCORES).toMap().toString());
    }

    @Test
    void aTieIsDroppedUnlessItIsToBeKept() {
        String model = model("tied", "{\"who hunts: owls\": 2, \"who hunts: mice\": 2}");
        StageBench.Outcome outcome = bench().run(stage("{models: [" + model + "]}"));
        assertEquals("scored as high in another segment", outcome.dropped().get("q1"));
        assertEquals(0.0, outcome.line("q1").fields().number(Candidate.MARGIN));
        assertThat(bench().run(stage("{models: [" + model + "], ties: keep}")).kept())
                .contains("q1");
        assertThat(bench().run(stage("{models: [" + model + "], ties: keep, delta: 0.1}"))
                        .dropped())
                .containsEntry("q1", "margin below 0.1");
    }

    @Test
    void theMarginIsAtLeastDelta() {
        String model =
                model("given", "{\"who hunts: owls\": 0.5, \"who runs: foxes\": 0.25, \"who sleeps: mice\": 0.75}");
        StageBench.Outcome outcome = bench().run(stage("{models: [" + model + "], delta: 0.5}"));
        assertEquals(List.of("q1", "q3"), outcome.kept());
        assertEquals("margin below 0.5", outcome.dropped().get("q2"));
        assertThrows(BadInputException.class, () -> stage("{models: [" + model + "], delta: -1}"));
    }

    /** sigmoid(2) - sigmoid(0) = 0.380797..., sigmoid(9) - sigmoid(7) = 0.000788...: numpy. */
    @Test
    void logitsBecomeSharesBeforeTheyAreCompared() {
        String logits = file(
                "logits",
                "name: logits\nkind: given-scores\nlogits: true\nwords: {\"who hunts: owls\": 2, \"who runs: foxes\": 9, \"who runs: mice\": 7}\n");
        StageBench.Outcome outcome = bench().run(stage("{models: [" + logits + "], delta: 0.3, scale: sigmoid}"));
        assertEquals(List.of("q1"), outcome.kept());
        assertEquals(0.3807970779778824, outcome.line("q1").fields().number(Candidate.MARGIN), 1e-15);
        assertEquals(0.0007879, outcome.line("q2").fields().number(Candidate.MARGIN), 1e-6);
    }

    @Test
    void recipesSayWhetherTheirScoresAreLogits() {
        assertEquals(true, reranker("ms-marco-minilm-l6-v2").givesLogits());
        assertFalse(reranker("bge-reranker-v2-m3").givesLogits());
    }

    private static Model.Reranker reranker(String name) {
        return (Model.Reranker) RecipeBook.find(name).retriever().model().orElseThrow();
    }

    @Test
    void withoutTheSpanTheDocumentMustScoreLess() {
        StageBench bench = StageBench.in(folder)
                .documents("{\"id\": \"d\", \"document\": \"d\", \"text\": \"🦉 owls hunt mice\"}")
                .candidates(
                        "{\"id\": \"q1\", \"document\": \"d\", \"question\": \"who\", \"span\": [2, 6]}",
                        "{\"id\": \"q2\", \"document\": \"d\", \"question\": \"what\", \"span\": [7, 11]}");
        String model = model("given", "{owls: 2, mice: 1}");
        StageBench.Outcome outcome = bench.run(stage("{models: [" + model + "], texts: cut}"));
        assertEquals(List.of("q1"), outcome.kept());
        assertEquals(Map.of("q2", "scored as high without the span"), outcome.dropped());
        assertEquals(
                "{given=[2.0, 1.0]}",
                outcome.line("q1").fields().record(Candidate.SCORES).toMap().toString());
    }

    /** Statistics of BM25 are those of the documents, so candidates change nothing for each other. */
    @Test
    void scoresDependNeitherOnBatchesNorOnThreads() {
        List<String> documents = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            documents.add("{\"id\": \"d" + i + "\", \"document\": \"d" + i + "\", \"text\": \"word" + i
                    + " owls hunt in wood" + i % 7 + " foxes run and mice sleep in house" + i % 13 + "\"}");
            lines.add("{\"id\": \"q" + i + "\", \"document\": \"d" + i + "\", \"question\": \"owls in wood" + i % 5
                    + "\", \"position\": \"beginning\"}");
        }
        StageBench bench = StageBench.in(folder).documents(documents.toArray(String[]::new));
        Stage stage = stage("{models: [bm25]}");
        byte[] one = bench.candidates(lines.toArray(String[]::new)).run(stage).bytes();
        assertArrayEquals(one, bench.threads(2).run(stage).bytes());
        StageBench.Outcome alone = bench.candidates(lines.get(699)).run(stage);
        assertEquals(
                new String(one, StandardCharsets.UTF_8).lines().toList().get(699),
                new String(alone.bytes(), StandardCharsets.UTF_8).strip());
    }

    @Test
    void modelsAreNamedOnceAndKnown() {
        assertThrows(BadInputException.class, () -> stage("{}"));
        assertThrows(BadInputException.class, () -> stage("{models: [bm25, bm25]}"));
        assertThrows(UsageException.class, () -> stage("{models: [no-such-model]}"));
    }
}
