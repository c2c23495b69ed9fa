package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SciFactConverterTest {
    @TempDir
    Path temp;

    private final List<String> notes = new ArrayList<>();

    /** With a sentence that an abstract has twice, and a claim on two abstracts. */
    private static Map<String, String> release() {
        Map<String, String> files = new LinkedHashMap<>(BeirConverterTest.scifactRelease());
        files.put("data/claims_train.jsonl", """
                {"id": 4, "claim": "twice", "evidence": {"13": [{"sentences": [2], "label": "CONTRADICT"}], \
                "12": [{"sentences": [0], "label": "SUPPORT"}]}, "cited_doc_ids": [12, 13]}
                """);
        files.put("data/claims_test.jsonl", "{\"id\": 5, \"claim\": \"hidden\"}\n");
        files.merge("data/corpus.jsonl", """
                {"doc_id": 13, "title": "", "abstract": ["Twice. ", " Between.\\n", "Twice."], "structured": true}
                """, String::concat);
        return files;
    }

    private Dataset build(Map<String, String> release) throws IOException {
        Path archive = Files.write(temp.resolve("data.tar.gz"), BeirConverterTest.tar(release));
        return Converter.build(
                temp.resolve("out"),
                false,
                new SciFactConverter(List.of(archive), DatasetCard.named("scifact")),
                notes::add,
                Sessions.shared());
    }

    @Test
    void sentencesOfRationalesBecomeSpans() throws IOException {
        Dataset dataset = build(release());
        List<Passage> passages = new ArrayList<>();
        dataset.passages().inFileOrder((ordinal, passage) -> passages.add(passage));
        assertThat(passages)
                .containsExactly(
                        new Passage("11", "Cells", "Cells divide 🧬. They are small. Mice have many."),
                        new Passage("12", "Mice", "Mice eat grain."),
                        new Passage("13", "", "Twice. Between. Twice."));
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("1", "4");
        Evidence small = Objects.requireNonNull(dataset.queries().getFirst().evidence());
        assertThat(List.of(small.start(), small.end(), small.textLength())).containsExactly(16, 31, 47);
        Query second = dataset.queries().getLast();
        Evidence twice = Objects.requireNonNull(second.evidence());
        assertThat(Objects.requireNonNull(twice.span()).of(passages.getLast().text()))
                .isEqualTo("Twice.");
        assertThat(twice.start()).isEqualTo(16);
        assertThat(second.passage()).isEqualTo("13");
        assertThat(Arrays.stream(Objects.requireNonNull(dataset.qrels().of("4")).relevantPassages())
                        .mapToObj(dataset.passages().ids()::id))
                .containsExactlyInAnyOrder("12", "13");
        assertThat(notes)
                .satisfiesExactly(
                        without -> assertThat(without).contains("2 claims"),
                        several -> assertThat(several).contains("2 queries"));
    }

    /** The same sentence as with {@code beir --evidence scifact}, which looks it up. */
    @Test
    void theEvidenceIsThatOfTheBeirConverter() throws IOException {
        Dataset own = build(BeirConverterTest.scifactRelease());
        Path zip = Files.write(temp.resolve("scifact.zip"), BeirConverterTest.zip(BeirConverterTest.scifact()));
        Dataset beir = Converter.build(
                temp.resolve("beir"),
                false,
                BeirConverter.of(
                        BeirConverterTest.input(zip),
                        "scifact",
                        List.of(temp.resolve("data.tar.gz")),
                        DatasetCard.named("scifact")),
                notes::add,
                Sessions.shared());
        assertThat(own.queries().getFirst().evidence())
                .isEqualTo(beir.queries().getFirst().evidence());
    }

    @Test
    void aReleaseWithoutEvidenceIsRefused() {
        Map<String, String> hidden = release();
        hidden.remove("data/claims_dev.jsonl");
        hidden.remove("data/claims_train.jsonl");
        assertThatThrownBy(() -> build(hidden)).hasMessageContainingAll("no claim", "claims_test.jsonl");
    }
}
