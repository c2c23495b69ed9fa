package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class Pipelines {
    private Pipelines() {}

    static PipelineRecord run(Path folder, Path input, String language, String stages) {
        return construction(folder, List.of(input), language, stages).run();
    }

    static Construction construction(Path folder, List<Path> inputs, String language, String stages) {
        Path file = folder.resolve("pipeline-test.yaml");
        write(file, "name: test\nlanguage: " + language + "\nseed: 42\nstages:\n" + stages.indent(2));
        Session session = Sessions.in(folder.resolve("home"));
        return new Construction(
                PipelineBook.find(file.toString(), Map.of()),
                inputs,
                "text",
                folder.resolve("out"),
                Engine.quiet(1, session),
                Map.of(),
                16);
    }

    static StageContext context(Path folder) {
        return new StageContext(construction(folder, List.of(), "en", "- sample: {}"));
    }

    /** A stage as a pipeline has it, such as {@code clean: {unit: words}}. */
    static Stage stage(String yaml) {
        Fields fields = fields(yaml);
        return PipelineBook.read(fields.names().iterator().next(), fields);
    }

    static Fields fields(String yaml) {
        return Json.parseYaml(Path.of("stage.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
    }

    static String tokenizer(Path folder) {
        String json = new String(WordTokenizer.of(List.of()).toJson(), StandardCharsets.UTF_8);
        return write(folder.resolve("tokenizer.json"), json).toString();
    }

    static Path write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException refused) {
            throw new IllegalStateException(refused);
        }
    }

    /** The lines of the n-th stage, dropped ones too. */
    static List<Candidate> lines(Path folder, PipelineRecord record, int stage) {
        List<Candidate> lines = new ArrayList<>();
        Path file = folder.resolve("out").resolve(record.stages().get(stage).file());
        new Candidates(java.util.Optional.of(file)).forEachLine(lines::add);
        return lines;
    }

    static List<Candidate> kept(Path folder, PipelineRecord record, int stage) {
        return lines(folder, record, stage).stream()
                .filter(candidate -> candidate.dropped().isEmpty())
                .toList();
    }
}
