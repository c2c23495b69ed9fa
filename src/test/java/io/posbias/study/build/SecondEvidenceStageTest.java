package io.posbias.study.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posbias.base.json.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecondEvidenceStageTest {
    @TempDir
    private Path folder;

    /** Sentences at 0, 14 and 32. "Dr." ends none. */
    private StageBench bench() {
        return StageBench.in(folder)
                .documents(
                        "{\"id\": \"d\", \"document\": \"d\", \"text\": \"🦉 hunts mice. A fox met Dr. Bo. Foxes eat mice.\"}")
                .candidates(
                        "{\"id\": \"q1\", \"document\": \"d\", \"question\": \"who\", \"answer\": \"Mice\", \"span\": [0, 13]}",
                        "{\"id\": \"q2\", \"document\": \"d\", \"question\": \"what\", \"answer\": \"a fox\", \"span\": [14, 31]}",
                        "{\"id\": \"q3\", \"document\": \"d\", \"question\": \"how\", \"span\": [42, 46]}",
                        "{\"id\": \"q4\", \"document\": \"d\", \"question\": \"why\", \"span\": [0, 13]}");
    }

    private static Stage stage(String settings) {
        return Pipelines.stage("second-evidence: " + settings);
    }

    /** q4 has no answer, so the text of its span counts, which stands once. */
    @Test
    void questionsAreDroppedWhoseAnswerStandsInAnotherSentence() {
        StageBench.Outcome outcome = bench().run(stage("{}"));
        assertEquals(List.of("q2", "q4"), outcome.kept());
        assertEquals("another sentence answers it", outcome.dropped().get("q1"));
        assertEquals("at 42", outcome.line("q1").text(Candidate.DETAIL));
        assertEquals("at 8", outcome.line("q3").text(Candidate.DETAIL));
    }

    private String model(String name, String words) throws IOException {
        return Files.writeString(
                        folder.resolve(name + ".yaml"),
                        "name: " + name + "\nkind: given-scores\nwords: " + words + "\n")
                .toString();
    }

    @Test
    void questionsAreDroppedForWhichAModelScoresAnotherSentenceAsHigh() throws IOException {
        String first = model(
                "first", "{\"who: hunts\": 3, \"who: met\": 3, \"what: met\": 2, \"how: eat\": 2, \"why: hunts\": 1}");
        String second = model("second", "{\"who: hunts\": 3, \"what: met\": 2, \"how: met\": 2, \"why: hunts\": 1}");
        StageBench.Outcome outcome = bench().run(stage("{models: [" + first + ", " + second + "]}"));
        assertEquals(List.of("q2", "q4"), outcome.kept());
        assertEquals("first at 14", outcome.line("q1").text(Candidate.DETAIL));
        // A tie at 0 with the first sentence.
        assertEquals("second at 0", outcome.line("q3").text(Candidate.DETAIL));
        // The other sentences score 0: q4's evidence is 1 above them, the others' 2.
        assertEquals(
                List.of("q2", "q3"),
                bench().run(stage("{models: [" + first + "], margin: 1}")).kept());
        assertThrows(BadInputException.class, () -> stage("{models: [" + first + ", " + first + "]}"));
        assertThrows(BadInputException.class, () -> stage("{margin: -1}"));
    }
}
