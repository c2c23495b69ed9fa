package io.posbias.study.probe.rag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RagSampleTest {
    @TempDir
    private Path folder;

    private static String line(String id, String query, String tail) {
        return "{\"id\": \"%s\", \"query\": \"%s\", \"text1\": \"a\", \"text2\": \"b\", \"evidence\": \"e\", \"tags\": {\"tail\": \"%s\"}}\n"
                .formatted(id, query, tail);
    }

    /** 11 of the 239 questions of the paper's sample have two answers, from two articles. */
    @Test
    void aQuestionAcceptsEachOfItsAnswers() throws IOException {
        Files.writeString(
                folder.resolve("foil.jsonl"),
                line("1", "Which label?", "Warner")
                        + line("2", "Where?", "Oslo")
                        + line("3", "Which label?", "4AD")
                        + line("4", "Where?", "Oslo"));
        assertThat(RagSample.read(folder, null, 0).items())
                .extracting(RagItem::gold)
                .containsExactly("Warner or 4AD", "Oslo", "Warner or 4AD", "Oslo");
    }
}
