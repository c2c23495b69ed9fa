package io.posbias.study.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FalseNegativesStageTest {
    @TempDir
    private Path folder;

    /** Each question's own document has its number; "planted" answers the first question too. */
    private StageBench bench() {
        return StageBench.in(folder)
                .documents(
                        "{\"id\": \"d1\", \"document\": \"d1\", \"text\": \"one owl\"}",
                        "{\"id\": \"d2\", \"document\": \"d2\", \"text\": \"two foxes\"}",
                        "{\"id\": \"d3\", \"document\": \"d3\", \"text\": \"three mice\"}",
                        "{\"id\": \"d4\", \"document\": \"d4\", \"text\": \"planted\"}")
                .candidates(
                        "{\"id\": \"q1\", \"document\": \"d1\", \"question\": \"a\"}",
                        "{\"id\": \"q2\", \"document\": \"d2\", \"question\": \"b\"}",
                        "{\"id\": \"q3\", \"document\": \"d3\", \"question\": \"c\"}",
                        "{\"id\": \"q4\", \"document\": \"d4\", \"question\": \"d\"}");
    }

    private String model(String name, String words) {
        try {
            String yaml = "name: " + name + "\nkind: given-scores\nwords: " + words + "\n";
            return Files.writeString(folder.resolve(name + ".yaml"), yaml).toString();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private Stage stage(String settings, String... models) {
        String first = model("first", "{o: 1, n: 1, m: 1}");
        return Pipelines.stage("false-negatives: {first: " + first + ", models: [" + String.join(", ", models) + "], "
                + settings + "}");
    }

    @Test
    void aMajorityOfModelsFindsWhatWasPlanted() {
        String one = model("one", "{\"a: planted\": 0.5, \"b: mice\": 0.9, owl: 0.1}");
        String two = model("two", "{\"a: planted\": 0.7, \"b: mice\": 0.49, \"c: three\": 0.9}");
        String three = model("three", "{\"a: planted\": 0.1}");
        StageBench.Outcome outcome = bench().run(stage("top: 10", one, two, three));
        assertEquals(List.of("q2", "q3", "q4"), outcome.kept());
        assertEquals(Map.of("q1", "other documents answer it"), outcome.dropped());
        assertEquals("d4", outcome.line("q1").text(Candidate.DETAIL));
        // 4 questions x 3 other documents.
        assertEquals(
                Map.of("pairs recalled", 12, "pairs found by models", 1),
                outcome.counts().notes());
    }

    /** Inputs are asked for before the first stage, so before language models are. */
    @Test
    void aMissingLanguageIsRefusedBeforeTheFirstStage() {
        String models = "models: [" + model("one", "{a: 0.5}") + "]}";
        for (String stage : List.of("false-negatives: {", "hard-negatives: {")) {
            Stage own = Pipelines.stage(stage + models);
            for (String language : List.of("en", "\"\"")) {
                Construction construction = Pipelines.construction(folder, List.of(), language, "- sample: {}");
                try (StageContext context = new StageContext(construction)) {
                    if (language.equals("en")) {
                        own.inputs(context);
                    } else {
                        PosbiasException refused = assertThrows(PosbiasException.class, () -> own.inputs(context));
                        assertTrue(refused.line().contains("no language"), refused.line());
                    }
                }
            }
        }
    }

    @Test
    void onlyTheFirstDocumentsAreLookedAt() {
        String one = model("one", "{\"a: planted\": 0.9}");
        // The first stage likes d1, d2, d3 alike and all of them more than "planted", which has no o, but n.
        StageBench.Outcome outcome = bench().run(Pipelines.stage("false-negatives: {first: "
                + model("f", "{owl: 3, foxes: 2, mice: 1}") + ", models: [" + one + "], top: 2}"));
        assertEquals(4, outcome.kept().size());
        assertEquals(8, outcome.counts().notes().get("pairs recalled"));
    }

    @Test
    void anyModelAboveTheOwnDocumentDropsTheOthers() {
        // q1 finds d2 better than its own by one model, so d2 goes and q2 with it; q3's other is only as good.
        String one = model(
                "one",
                "{\"a: owl\": 2, \"a: foxes\": 3, \"c: mice\": 1, \"c: owl\": 1, \"b: foxes\": 1, \"d: planted\": 1}");
        String two = model("two", "{\"a: owl\": 2, \"b: foxes\": 1, \"c: mice\": 1, \"d: planted\": 1}");
        StageBench bench = bench();
        FalseNegativesStage stage = (FalseNegativesStage) stage("rule: above-gold, drop: documents", one, two);
        StageBench.Outcome outcome = bench.run(stage);
        assertEquals(List.of("q1", "q3", "q4"), outcome.kept());
        assertEquals(
                Map.of("q2", "its document answers another question", "d2", "answers a question that is not its own"),
                outcome.dropped());
        try (StageContext context = bench.context()) {
            assertTrue(context.documents().has("d2"));
            stage.finished(folder.resolve("made.jsonl"), context);
            assertFalse(context.documents().has("d2"));
            assertEquals(3, context.documents().passages().size());
        }
    }

    /** q1 drops d2, so q2, which would drop d3, drops nothing; q3 drops d1, and q1 goes with it though it was before. */
    @Test
    void documentsAreDroppedInTheOrderOfQuestions() {
        String one = model(
                "one",
                "{\"a: foxes\": 3, \"a: owl\": 1, \"b: mice\": 3, \"b: foxes\": 1, \"c: owl\": 3, \"c: mice\": 1, \"d: planted\": 1}");
        StageBench.Outcome outcome = bench().run(stage("rule: above-gold, drop: documents", one));
        assertEquals(List.of("q3", "q4"), outcome.kept());
        assertEquals(
                List.of("d1", "d2"),
                outcome.dropped().keySet().stream()
                        .filter(id -> id.startsWith("d"))
                        .sorted()
                        .toList());
        assertEquals(
                Map.of("its document answers another question", 2L, "answers a question that is not its own", 2L),
                outcome.counts().dropped());
    }

    @Test
    void settingsThatMeanNothingAreRefused() {
        assertThrows(BadInputException.class, () -> stage("top: 0", "bm25"));
        assertThrows(BadInputException.class, () -> stage("rule: above-gold, least: 0.4", "bm25"));
        assertThrows(BadInputException.class, () -> stage("drop: all", "bm25"));
    }
}
