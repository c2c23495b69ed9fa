package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.JsonLines;
import io.posbias.model.encode.Engine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class StageBench {
    private final Path folder;
    private final List<String> said = new ArrayList<>();
    private final Path documents;
    private final Path candidates;
    private List<Path> inputs = List.of();
    private int threads = 1;
    private String pipeline = "{name: hand-made, bucketing: thirds, citation: none}";

    @SuppressWarnings("ArrayRecordComponent") // compared by hand
    record Outcome(List<Candidate> lines, PipelineRecord.Counts counts, byte[] bytes) {
        List<String> kept() {
            return lines.stream()
                    .filter(line -> line.dropped().isEmpty())
                    .map(Candidate::id)
                    .toList();
        }

        Map<String, String> dropped() {
            Map<String, String> dropped = new HashMap<>();
            lines.forEach(line -> line.dropped().ifPresent(why -> dropped.put(line.id(), why)));
            return dropped;
        }

        Candidate line(String id) {
            return lines.stream()
                    .filter(line -> line.id().equals(id))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private StageBench(Path folder) {
        this.folder = folder;
        this.documents = folder.resolve("documents.jsonl");
        this.candidates = folder.resolve("candidates.jsonl");
    }

    static StageBench in(Path folder) {
        return new StageBench(folder);
    }

    StageBench documents(String... lines) {
        return write(documents, lines);
    }

    StageBench candidates(String... lines) {
        return write(candidates, lines);
    }

    StageBench inputs(Path... paths) {
        inputs = List.of(paths);
        return this;
    }

    StageBench threads(int number) {
        threads = number;
        return this;
    }

    StageBench pipeline(String yaml) {
        pipeline = yaml;
        return this;
    }

    List<String> said() {
        return said;
    }

    Path out() {
        return folder.resolve("out");
    }

    StageContext context() {
        Fields record = Pipelines.fields(pipeline);
        Pipeline made = new Pipeline(
                record.text("name"),
                "",
                record.text("citation", ""),
                record.text("language", "en"),
                record.integer("seed", 42),
                record.text("bucketing", ""),
                Map.of(),
                List.of(),
                record);
        Session session = Sessions.in(folder.resolve("home"), Map.of(), said::add);
        StageContext context =
                new StageContext(new Construction(made, inputs, "text", out(), quietly(session), Map.of(), 4));
        if (Files.exists(documents)) {
            context.open(documents, Map.of());
        }
        return context;
    }

    private Engine quietly(Session session) {
        Engine quiet = Engine.quiet(threads, session);
        return new Engine(quiet.device(), threads, quiet.batchTokens(), true, quiet.calls(), session);
    }

    Outcome run(Stage stage) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (StageContext context = context();
                Progress.Step step = Progress.NONE.start("stage", -1)) {
            Candidates.Sink sink = new Candidates.Sink(bytes, step);
            stage.run(new Candidates(Optional.of(candidates)), sink, context);
            List<Candidate> lines = new ArrayList<>();
            Path made = Files.write(folder.resolve("made.jsonl"), bytes.toByteArray());
            new JsonLines(made).forEach(row -> lines.add(new Candidate(row)));
            return new Outcome(lines, sink.counts(), bytes.toByteArray());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private StageBench write(Path file, String... lines) {
        try {
            Files.writeString(file, String.join("\n", lines) + "\n");
            return this;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
