package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.CodePoints;
import io.posbias.model.encode.Engine;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnPosqTest {
    private static final List<String> THINGS = List.of(
            "violin",
            "glacier",
            "bakery",
            "submarine",
            "orchard",
            "telescope",
            "volcano",
            "carpet",
            "railway",
            "dolphin",
            "castle",
            "tractor");
    private static final List<String> MAKERS =
            List.of("Swedish", "Peruvian", "Kenyan", "Maltese", "Mongolian", "Icelandic", "Bolivian", "Welsh");

    @TempDir
    Path folder;

    @Test
    void aFolderOfTextsBecomesABenchmark() throws Exception {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < MAKERS.size(); i++) {
            StringBuilder text = new StringBuilder();
            for (String thing : THINGS) {
                String own = thing + MAKERS.get(i).toLowerCase(java.util.Locale.ROOT);
                text.append("The ")
                        .append(MAKERS.get(i))
                        .append(" engineer sold ")
                        .append(own)
                        .append("wood, an old ")
                        .append(own)
                        .append("song and the ")
                        .append(own)
                        .append("lamp near ")
                        .append(own)
                        .append("hill before the summer of the year began.\r\n");
            }
            words.addAll(WordTokenizer.words(text.toString()));
            Pipelines.write(folder.resolve("in/doc" + i + ".txt"), text.toString());
        }
        Path bag = new ReferenceEncoder("bag", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 256)
                .write(folder.resolve("bag"), words);
        Session session = Sessions.in(folder.resolve("home"));
        PipelineRecord record = new Construction(
                        PipelineBook.find(
                                "own-posq", Map.of("language", "en", "agree.models", List.of("bm25", bag.toString()))),
                        List.of(folder.resolve("in")),
                        "text",
                        folder.resolve("out"),
                        Engine.quiet(1, session),
                        Map.of(),
                        1)
                .run();
        PipelineRecord.Counts last = record.stages().getLast().counts();
        assertThat(last.kept()).isGreaterThan(5);
        assertThat(last.positions().values()).hasSize(3);
        assertThat(last.positions().values().stream().distinct()).hasSize(1);
        Map<String, String> texts = Pipelines.kept(folder, record, 0).stream()
                .collect(Collectors.toMap(Candidate::document, document -> document.text(Candidate.TEXT)));
        Pipelines.kept(folder, record, 4).forEach(question -> {
            String text = Objects.requireNonNull(texts.get(question.document()));
            var span = question.span(Candidate.SPAN).orElseThrow();
            assertThat(CodePoints.toUtf16(text, span.start(), span.end()).of(text))
                    .isEqualTo(question.text(Candidate.REFERENCE));
        });
        assertThat(folder.resolve("out/benchmark")).isDirectory();
    }
}
