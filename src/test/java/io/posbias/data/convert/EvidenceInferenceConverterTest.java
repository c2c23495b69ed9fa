package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.SharedData;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceInferenceConverterTest {
    private static final String PROMPTS = """
            PromptID,PMCID,Outcome,Intervention,Comparator
            7,12,"Pain, ""VAS"" ",Aspirin,Placebo
            8,12,Nausea,Aspirin,Placebo
            9,12,Sleep,Aspirin,Placebo
            10,12,Fever,Aspirin,Placebo
            11,13,Weight,Diet,Exercise
            """;
    private static final String ANNOTATIONS = """
            UserID,PromptID,PMCID,Valid Label,Valid Reasoning,Label,Annotations,Label Code,In Abstract,Evidence Start,Evidence End
            0,7,12,True,False,x,Pain,0,UNK,2,6
            1,7,12,False,True,x,wrong,0,UNK,2,7
            2,7,12,True,True,x,"Pain
            fell.",0,UNK,2,12
            3,7,12,True,True,x,Pain,0,UNK,2,6
            3,7,12,True,True,x,Pain,0,UNK,2,6
            0,8,12,True,True,x,none,0,UNK,-1,-1
            1,8,12,True,True,x,Nobody slept.,0,UNK,13,26
            0,9,12,True,True,x,beyond,0,UNK,20,300
            0,11,13,True,True,x,absent,0,UNK,0,5
            """;

    @TempDir
    Path temp;

    private final List<String> notes = new ArrayList<>();

    private Path release(String prompts, String annotations) throws IOException {
        Path folder = temp.resolve("release");
        Files.createDirectories(folder.resolve("txt"));
        Files.writeString(folder.resolve("prompts.csv"), prompts);
        Files.writeString(folder.resolve("annotations.csv"), annotations);
        Files.writeString(folder.resolve("txt/PMC12.txt"), "\uD834\uDD1E Pain\nfell. Nobody slept.");
        Files.writeString(folder.resolve("txt/notes.md"), "no article");
        return folder;
    }

    private Dataset build(Path folder) {
        return Converter.build(
                temp.resolve("out"),
                false,
                new EvidenceInferenceConverter(folder, DatasetCard.named("trials")),
                notes::add,
                Sessions.shared());
    }

    private static List<String> evidence(Dataset dataset) {
        Map<String, String> texts = new HashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> texts.put(passage.id(), passage.text()));
        return dataset.queries().stream()
                .map(query -> {
                    int passage = Objects.requireNonNull(dataset.qrels().of(query.id()))
                            .relevantPassages()[0];
                    return Objects.requireNonNull(
                                    Objects.requireNonNull(query.evidence()).span())
                            .of(Objects.requireNonNull(
                                    texts.get(dataset.passages().ids().id(passage))));
                })
                .toList();
    }

    /** The clef is one code point and two UTF-16 units; an invalid label does not matter, invalid reasoning does. */
    @Test
    void theFirstValidSpanThatReadsAsItsTextIsTheEvidence() throws IOException {
        Dataset dataset = build(release(PROMPTS, ANNOTATIONS));
        assertThat(dataset.passages().ids().id(0)).isEqualTo("PMC12");
        assertThat(dataset.passages().size()).isEqualTo(1);
        assertThat(dataset.queries())
                .extracting(Query::text)
                .containsExactly(
                        "Pain, \"VAS\": Aspirin compared with Placebo", "Nausea: Aspirin compared with Placebo");
        assertThat(evidence(dataset)).containsExactly("Pain\nfell.", "Nobody slept.");
        assertThat(notes)
                .satisfiesExactly(
                        out -> assertThat(out).contains("2 prompts", "1 without an annotation", "1 without a span"),
                        several -> assertThat(several).contains("1 query"),
                        gone -> assertThat(gone).contains("1 prompt and 1 annotation of 1 article"),
                        spans -> assertThat(spans)
                                .contains(
                                        "1 without valid",
                                        "1 without a place",
                                        "2 that",
                                        "(first: annotations.csv:3)"));
    }

    @Test
    void whatIsNoReleaseIsOneLine() throws IOException {
        Path folder = release(PROMPTS, ANNOTATIONS.replace("13,26", "13,x"));
        assertThatThrownBy(() -> build(folder))
                .hasMessageContainingAll(folder.resolve("annotations.csv") + ":9:", "\"Evidence End\" is \"x\"");
        release(PROMPTS + "12,12,Weight,Diet,Exercise,more\n", ANNOTATIONS);
        assertThatThrownBy(() -> build(folder))
                .hasMessageStartingWith(folder.resolve("prompts.csv") + ":7: not CSV at column ")
                .hasMessageContaining("more cells than the header");
        release(PROMPTS, ANNOTATIONS.replace(",12,", ",13,"));
        assertThatThrownBy(() -> build(folder)).hasMessageContainingAll(folder.toString(), "no prompt with evidence");
        Files.delete(folder.resolve("annotations.csv"));
        assertThatThrownBy(() -> build(folder))
                .hasMessageContainingAll(folder.toString(), "no annotations.csv", "prompts.csv", "txt");
    }

    /** Counted with Python's csv module: 240 articles, 724 prompts, 624 with valid reasoning, 311 of them with several spans. */
    @Test
    @Tag("slow")
    void theRealFilesAreReadWhole() {
        Path prompts = SharedData.file("spans/evidence-inference/prompts.csv");
        Dataset dataset = build(Objects.requireNonNull(prompts.getParent()));
        assertThat(dataset.passages().size()).isEqualTo(240);
        assertThat(dataset.judgedQueries()).hasSize(624);
        assertThat(dataset.queries().getFirst().text())
                .isEqualTo("Recurrent venous thromboembolism: LMWH compared with Unfractionated heparin");
        assertThat(evidence(dataset).getFirst())
                .startsWith("Randomized studies have shown that LMWHs are as effective");
        assertThat(notes)
                .satisfiesExactly(
                        out -> assertThat(out).contains("100 prompts", "90 without", "10 without"),
                        several -> assertThat(several).contains("311 queries"),
                        gone -> assertThat(gone).contains("12141 prompts", "3620 annotations", "3132 articles"),
                        spans -> assertThat(spans).contains("58 without valid", "0 without a place", "0 that"),
                        language -> assertThat(language).contains("English"));
    }
}
