package io.posbias.study.build;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posbias.base.json.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows of five documents; of a, two questions are asked, one of them in two variants and of b, too. */
class HardNegativesStageTest {
    @TempDir
    private Path folder;

    private StageBench bench() {
        return StageBench.in(folder)
                .documents(
                        document("a:0-9", "An owl hunts mice. It sees well."),
                        document("a:5-14", "It sees well. It hears well. An owl hunts."),
                        document("b:0-9", "Foxes hunt mice too. They run."),
                        document("c:0-9", "Cats play all day. Cats sleep. Hunt mice."),
                        document("c:5-14", "Cats sleep. Hunt mice. Cats eat."),
                        document("d", "Dogs bark a lot. Dogs run a lot. See mice."),
                        document("e", "Oaks. Trees grow well in the sun."))
                .candidates(
                        question("q1", "a:0-9", "Who hunts mice?", "beginning", "hunt"),
                        question("q2", "a:5-14", "Who hunts mice?", "end", "hunt"),
                        question("q3", "b:0-9", "Who runs?", "end", "run"),
                        question("q4", "b:0-9", "Who hunts mice?", "beginning", "other"));
    }

    private static String document(String id, String text) {
        return "{\"id\": \"" + id + "\", \"document\": \"" + id + "\", \"text\": \"" + text + "\"}";
    }

    private static String question(String id, String document, String text, String position, String same) {
        return "{\"id\": \"" + id + "\", \"document\": \"" + document + "\", \"question\": \"" + text
                + "\", \"position\": \"" + position + "\", \"same_as\": \"" + same + "\"}";
    }

    private String model(String name, String words) throws IOException {
        return Files.writeString(
                        folder.resolve(name + ".yaml"),
                        "name: " + name + "\nkind: given-scores\nwords: " + words + "\n")
                .toString();
    }

    private StageBench.Outcome run(String settings) {
        return bench().run(Pipelines.stage("hard-negatives: " + settings));
    }

    private static List<String> negatives(StageBench.Outcome outcome, String question) {
        return outcome.line(question).fields().texts(Candidate.NEGATIVES);
    }

    /** Dogs come first. "mice" makes a sentence the best. */
    private String search() throws IOException {
        return model("search", "{Dogs: 9, Foxes: 8, play: 7, Cats: 6, Trees: 1}");
    }

    private String spans() throws IOException {
        return model("spans", "{mice: 1}");
    }

    @Test
    void theFirstPassagesOfOtherDocumentsAreNegatives() throws IOException {
        StageBench.Outcome outcome = run("{n: 3, first: " + search() + ", spans: " + spans() + "}");
        assertEquals(List.of("q1", "q2", "q3", "q4"), outcome.kept());
        // Foxes are of b, of which the same question is asked; the second window of c is not of another document.
        assertEquals(List.of("d", "c:0-9", "e"), negatives(outcome, "q1"));
        assertEquals(List.of("d", "c:0-9", "e"), negatives(outcome, "q4"));
        assertEquals("d", negatives(outcome, "q3").getFirst());
        assertEquals(
                List.of("end", "end", "beginning"), outcome.line("q1").fields().texts(Candidate.NEGATIVE_POSITIONS));
        assertEquals(
                Map.of("beginning", 4, "middle", 0, "end", 8),
                outcome.counts().notes().get("best sentences of negatives"));
    }

    @Test
    void whatAModelScoresAsTheLowestOfTheVariantsIsNoNegative() throws IOException {
        // The own passages of the variants score 5 and 3, dogs 3.
        String judge = model("judge", "{\"An owl hunts mice\": 5, \"It hears\": 3, Dogs: 3, Cats: 2, Foxes: 4}");
        String settings = "first: " + search() + ", spans: " + spans() + ", models: [" + judge + "]";
        StageBench.Outcome outcome = run("{" + settings + "}");
        assertEquals(List.of("c:0-9"), negatives(outcome, "q1"));
        assertEquals(List.of("c:0-9"), negatives(outcome, "q2"));
        assertEquals(List.of("e"), negatives(run("{" + settings + ", margin: 1}"), "q1"));
    }

    @Test
    void negativesMayHaveTheirBestSentenceWhereTheEvidenceIs() throws IOException {
        StageBench.Outcome outcome = run("{place: same, first: " + search() + ", spans: " + spans() + "}");
        // q1 has its evidence at the beginning, so the first negative is e; q2 at the end, so it is d.
        assertEquals(List.of("e"), negatives(outcome, "q1"));
        assertEquals(List.of("d"), negatives(outcome, "q2"));
    }

    @Test
    void aSentenceAcrossABorderIsWhereItsMiddleIs() throws IOException {
        // Thirds of 14: the sentences are [0, 15) and [27, 42) of 42 characters.
        StageBench own = StageBench.in(folder)
                .documents(
                        document("own", "Owls hunt."),
                        document("front", "We see no mice. Cats play. Owls do so too."),
                        document("back", "Owls do so too. Cats play. We see no mice."))
                .candidates(
                        question("q1", "own", "Who hunts?", "beginning", "q1"),
                        question("q2", "own", "Who hunts at all?", "end", "q2"));
        String models = "first: " + model("any", "{Cats: 1}") + ", spans: " + spans();
        StageBench.Outcome any = own.run(Pipelines.stage("hard-negatives: {n: 2, " + models + "}"));
        assertEquals(
                Map.of("beginning", 2, "middle", 0, "end", 2),
                any.counts().notes().get("best sentences of negatives"));
        StageBench.Outcome same = own.run(Pipelines.stage("hard-negatives: {place: same, " + models + "}"));
        assertEquals(List.of("front"), negatives(same, "q1"));
        assertEquals(List.of("back"), negatives(same, "q2"));
    }

    @Test
    void variantsAreDroppedTogether() throws IOException {
        String settings = "{place: same, n: 2, first: " + search() + ", spans: " + spans() + "}";
        StageBench.Outcome outcome = run(settings);
        // At the beginning there is e alone.
        assertEquals(List.of("q3"), outcome.kept());
        assertEquals(4 - 1, outcome.dropped().size());
        assertArrayEquals(
                outcome.bytes(),
                bench().threads(4)
                        .run(Pipelines.stage("hard-negatives: " + settings))
                        .bytes());
    }

    @Test
    void wrongSettingsAreRefused() {
        for (String wrong : List.of("{n: 0}", "{top: 0}", "{margin: -1}", "{place: other}", "{models: [bm25, bm25]}")) {
            assertThrows(BadInputException.class, () -> Pipelines.stage("hard-negatives: " + wrong));
        }
    }
}
