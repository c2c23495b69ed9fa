package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.OwnFolder;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.process.Version;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A run of a pipeline on documents. Each stage writes a file of candidates and an entry in {@code pipeline.yaml}, completely or
 * not at all; finished stages with equal keys are reused, so a killed run continues. Replies of services are cached.
 *
 * @param inputs files and folders
 * @param textField field of rows with the document's text
 * @param out folder of stages and results
 * @param chats language models by role
 * @param concurrency simultaneous calls of a language model, at least 1; results do not depend on it
 */
public record Construction(
        Pipeline pipeline,
        List<Path> inputs,
        String textField,
        Path out,
        Engine engine,
        Map<String, ChatSettings> chats,
        int concurrency) {
    public static final RecordCsv<Forecast.Row> FORECAST = new RecordCsv<>(Forecast.Row.class);

    private static final String ALL = "all";
    private static final Pattern STAGE_FILE = Pattern.compile("\\d{2,}-.*\\.jsonl");

    public Session session() {
        return engine.session();
    }

    /**
     * Runs the unfinished stages, after other processes that use the folder.
     *
     * @throws PosbiasException if a stage fails; finished stages stay
     */
    public PipelineRecord run() {
        Path stages = out.resolve(PipelineRecord.FOLDER);
        refuseOtherPipeline();
        LockFile claimed = new OwnFolder(out, StageContext.COMMAND).claim(session());
        try (claimed;
                StageContext context = new StageContext(this)) {
            refuseOtherPipeline();
            IoErrors.run("make", stages, () -> Files.createDirectories(stages));
            try {
                return run(context);
            } finally {
                if (!chats.isEmpty()) {
                    session().say("language models: " + context.meter());
                }
            }
        }
    }

    /** A mistyped folder keeps what it holds. */
    private void refuseOtherPipeline() {
        PipelineRecord.find(out).ifPresent(record -> {
            Object name = record.pipeline().get("name");
            if (!pipeline.name().equals(name)) {
                throw new UsageException("--out " + out + " holds what pipeline " + Printable.of(String.valueOf(name))
                        + " made: give another folder");
            }
        });
    }

    private PipelineRecord run(StageContext context) {
        context.input().unreadNote().ifPresent(session()::say);
        List<PipelineRecord.Finished> earlier =
                PipelineRecord.find(out).map(PipelineRecord::stages).orElse(List.of());
        PipelineRecord record = fresh(context);
        String key = digest(List.of(record.inputs(), textField, pipeline.language()));
        Optional<Path> file = Optional.empty();
        List<Pipeline.Step> steps = pipeline.steps();
        // Reports a missing model, service or prompt before the first stage.
        List<Object> allInputs =
                steps.stream().map(step -> step.stage().inputs(context)).toList();
        for (int i = 0; i < steps.size(); i++) {
            Pipeline.Step step = steps.get(i);
            Object inputs = allInputs.get(i);
            int seed = step.settings().integer("seed", pipeline.seed());
            key = digest(List.of(key, step.kind(), step.settings().toMap(), inputs, seed));
            Path own = out.resolve(PipelineRecord.FOLDER)
                    .resolve(String.format(Locale.ROOT, "%02d-%s.jsonl", i + 1, step.name()));
            boolean holds = i < earlier.size() && holds(earlier.get(i), key, own, step);
            PipelineRecord.Finished finished =
                    holds ? earlier.get(i) : run(step, key, inputs, new Candidates(file), own, context);
            record = record.with(finished);
            // The old record stays until a stage writes a new file.
            if (!holds || i == steps.size() - 1) {
                record.write(out);
            }
            say(step, finished);
            if (i == 0) {
                context.open(own, finished.counts().notes());
            }
            step.stage().finished(own, context);
            file = Optional.of(own);
            boolean isEmpty = finished.counts().kept() == 0;
            List<String> lost =
                    isEmpty || i == steps.size() - 1 ? LostDocuments.lines(record.stages(), out) : List.of();
            boolean isWritten = steps.subList(i + 1, steps.size()).stream()
                    .anyMatch(later -> later.stage().folder().isPresent());
            if (isEmpty && isWritten) {
                String reasons = lost.stream().map(String::strip).collect(Collectors.joining("; "));
                throw new PosbiasException("no candidate is left after stage " + step.name()
                        + ", so there is nothing to write"
                        + (lost.isEmpty() ? "" : ": " + reasons.replaceFirst(":; ", ": "))
                        + "; 'posbias construct show " + out + " --sample 20 --stage " + step.name()
                        + "' prints what was dropped");
            }
            lost.forEach(line -> session().say(line));
        }
        deleteOthers(record);
        return record;
    }

    private void deleteOthers(PipelineRecord record) {
        Set<String> own =
                record.stages().stream().map(PipelineRecord.Finished::file).collect(Collectors.toSet());
        Path stages = out.resolve(PipelineRecord.FOLDER);
        IoErrors.run("delete", stages, () -> {
            for (Path file : FileNames.in(stages)) {
                String name = String.valueOf(file.getFileName());
                if (STAGE_FILE.matcher(name).matches() && !own.contains(PipelineRecord.FOLDER + "/" + name)) {
                    Files.delete(file);
                }
            }
        });
    }

    private boolean holds(PipelineRecord.Finished stage, String key, Path file, Pipeline.Step step) {
        return stage.key().equals(key)
                && Files.exists(file)
                && Checksums.sha256(file).equals(stage.sha256())
                && new Candidates(Optional.of(file)).count() == stage.counts().kept()
                && step.stage()
                        .folder()
                        .map(out::resolve)
                        .map(Files::isDirectory)
                        .orElse(true);
    }

    private PipelineRecord.Finished run(
            Pipeline.Step step, String key, Object inputs, Candidates candidates, Path file, StageContext context) {
        PipelineRecord.Counts[] counts = new PipelineRecord.Counts[1];
        try (Progress.Step progress = session().progress().start(step.name(), -1)) {
            Staging.replace(file, bytes -> {
                BufferedOutputStream buffered = new BufferedOutputStream(bytes, 1 << 16);
                Candidates.Sink sink = new Candidates.Sink(buffered, progress);
                step.stage().run(candidates, sink, context);
                buffered.flush();
                counts[0] = sink.counts();
            });
        } catch (IOException refused) {
            throw IoErrors.refused("write", file, refused);
        } catch (CallLimit.ReachedException reached) {
            throw reached.withMessage("stopped by " + reached.option() + " in stage " + step.name()
                    + ": replies until then are kept, and the same command continues");
        }
        return new PipelineRecord.Finished(
                step.name(),
                step.kind(),
                key,
                inputs,
                PipelineRecord.FOLDER + "/" + file.getFileName(),
                Checksums.sha256(file),
                step.published(),
                counts[0]);
    }

    private void say(Pipeline.Step step, PipelineRecord.Finished finished) {
        long dropped = finished.counts().allDropped();
        session()
                .say(step.name() + ": kept " + Plural.of(finished.counts().kept(), "candidate")
                        + (dropped == 0
                                ? ""
                                : ", dropped " + dropped
                                        + PipelineRecord.reasons(
                                                finished.counts().dropped())));
    }

    private PipelineRecord fresh(StageContext context) {
        Map<String, PipelineRecord.Service> services = new LinkedHashMap<>();
        chats.forEach((role, chat) -> services.put(
                role,
                new PipelineRecord.Service(
                        chat.model(), chat.base(), chat.sampling().toString())));
        return new PipelineRecord(
                PipelineRecord.SCHEMA,
                Version.text(),
                pipeline.record(),
                context.input().files().entrySet().stream()
                        .map(file -> new PipelineRecord.Input(file.getKey(), Checksums.sha256(file.getValue())))
                        .toList(),
                services,
                new ArrayList<>());
    }

    private static String digest(Object value) {
        return Checksums.sha256(Json.toLine(value));
    }

    /** Reads the documents and estimates each stage, without calling a service. */
    public Forecast forecast() {
        List<Forecast.Row> rows = new ArrayList<>();
        try (StageContext context = new StageContext(this)) {
            Stage.Forecast before = Stage.Forecast.of(0);
            CallEstimate calls = CallEstimate.NONE;
            double pairs = 0;
            Map<String, Long> published = Map.of();
            for (Pipeline.Step step : pipeline.steps()) {
                Stage.Forecast own = step.stage().forecast(before, context);
                Long from = published.get(ALL);
                Long to = step.published().get(ALL);
                before = from == null || to == null || from == 0
                        ? own
                        : new Stage.Forecast(before.candidates() * to / from, own.calls(), own.pairs());
                rows.add(Forecast.Row.of(step.name(), before));
                calls = calls.plus(own.calls());
                pairs += own.pairs();
                published = step.published();
            }
            return new Forecast(rows, Forecast.Row.of("sum", new Stage.Forecast(before.candidates(), calls, pairs)));
        }
    }

    /**
     * Expected counts, calls of language models, pairs for rerankers and dollars. Shares of kept candidates are the paper's
     * where published; otherwise all are assumed to be kept.
     */
    public record Forecast(List<Row> rows, Row sum) {
        public record Row(
                @Meaning("name of the stage") String stage,
                @Meaning("candidates expected to remain") long candidates,
                @JsonUnwrapped CallEstimate calls,

                @Meaning("pairs of query and passage for rerankers")
                long pairs) {
            static Row of(String stage, Stage.Forecast expected) {
                return new Row(
                        stage, Math.round(expected.candidates()), expected.calls(), Math.round(expected.pairs()));
            }
        }

        private static final Columns<Row> COLUMNS = new Columns<Row>()
                .label("stage", Row::stage)
                .text("candidates", Row::candidates)
                .text("calls", row -> row.calls.calls())
                .text("tokens", row -> row.calls.tokens())
                .text("pairs", Row::pairs)
                .text("usd", row -> row.calls.usd("%.2f"));

        public Table table(String title) {
            List<Row> all = new ArrayList<>(rows);
            all.add(sum);
            return COLUMNS.table(
                    title,
                    all,
                    List.of(
                            "nothing was asked or written; " + CallEstimate.BASIS,
                            "candidates: by the paper's shares where the pipeline has them, else all are taken to be kept"));
        }

        public Table raw() {
            return FORECAST.table(rows);
        }

        public Map<String, Object> document() {
            return Map.of("stages", rows);
        }
    }
}
