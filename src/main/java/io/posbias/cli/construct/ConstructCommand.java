package io.posbias.cli.construct;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.Json;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.Columns;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.ChatOptions;
import io.posbias.cli.common.DeviceOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.study.build.Candidate;
import io.posbias.study.build.Construction;
import io.posbias.study.build.Funnel;
import io.posbias.study.build.Pipeline;
import io.posbias.study.build.PipelineBook;
import io.posbias.study.build.PipelineRecord;
import io.posbias.study.build.llm.ChatRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias construct}: runs a pipeline on documents. */
@Command(
        name = "construct",
        description = "Make a benchmark or training sets from raw text.",
        optionListHeading = "Tuning:",
        subcommands = {
            ConstructCommand.ListPipelines.class,
            ConstructCommand.PrintPipeline.class,
            ConstructCommand.Show.class,
            SheetsCommand.class,
            SheetsCommand.Validate.class,
            RateTranslationsCommand.class
        },
        footer = {
            "",
            "A pipeline is a list of stages that sample and split documents, ask and check questions, and write a"
                    + " benchmark for eval. Each stage writes its kept and dropped candidates to DIR/stages; a stopped run"
                    + " continues and repeats no calls. Documents are rows (.jsonl, .parquet, .tsv), a benchmark's folder,"
                    + " or a folder of .txt, .md, .html, .pdf or .docx files; a benchmark may be given by its name. docs/construct.md",
            "",
            "Examples:",
            "  posbias construct list",
            "  posbias construct own-posq --input manuals --out my-posq",
            "  posbias construct own-posq --input manuals --out my-posq \\",
            "      --llm http://localhost:8000/v1 --llm-model qwen3",
            "  posbias construct fineweb-posq --input fineweb --out fineweb-posq \\",
            "      --llm http://localhost:8000/v1 --llm-model qwen3 \\",
            "      --llm judge=http://localhost:8001/v1 --llm-model judge=gemma3",
            "  posbias construct fineweb-posq --input fineweb.parquet \\",
            "      --out fineweb-posq --dry-run",
            "  posbias construct fineweb-posq-candidates --input fineweb-posq-raw \\",
            "      --out fineweb-posq --dry-run",
            "  posbias construct show my-posq",
        })
public final class ConstructCommand extends BaseCommand {
    @Parameters(
            paramLabel = "PIPELINE",
            arity = "0..1",
            description = "A name from 'posbias construct list' or a .yaml file.")
    private @Nullable String name;

    @Heading("Options:")
    @Option(names = "--input", paramLabel = "PATH", description = "Documents: files, folders or benchmarks, in order.")
    private List<String> inputs = List.of();

    @Heading("Options:")
    @Option(names = "--out", paramLabel = "DIR", description = "Output folder of stages and results.")
    private @Nullable Path out;

    @Option(
            names = "--text-field",
            paramLabel = "NAME",
            description = "Field of rows that holds a document's text (default: ${DEFAULT-VALUE}).")
    private String textField = "text";

    @Option(
            names = "--language",
            paramLabel = "CODE",
            description =
                    "Language of the documents: an ISO 639-1 code, or its English name (default: the pipeline's, else detected).")
    private @Nullable String language;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of all draws (default: the pipeline's).")
    private @Nullable Integer seed;

    @Option(
            names = "--set",
            paramLabel = "STAGE.SETTING=VALUE",
            description = "Override of a setting, for example sample.n=500. VALUE is YAML. Repeatable.")
    private Map<String, String> changes = new LinkedHashMap<>();

    @Option(
            names = "--dry-run",
            description = "Only print stages with expected counts, calls and cost. Pairs for rerankers are counted, "
                    + "too.")
    private boolean dryRun;

    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--trust-remote-code",
            description = "Run the Python code of the repositories of models that stages name.")
    private boolean trustRemoteCode;

    @Mixin
    private ChatOptions chat = new ChatOptions();

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        Construction construction = construction();
        if (dryRun || chat.isEstimate()) {
            Construction.Forecast forecast = construction.forecast();
            print(form.text(
                    forecast::document,
                    () -> List.of(forecast.table(
                            "Forecast: " + construction.pipeline().name())),
                    forecast::raw,
                    session()));
            return;
        }
        PipelineRecord record = construction.run();
        Funnel funnel = new Funnel(record, construction.out());
        print(form.text(() -> record, funnel::tables, funnel::raw, session()));
    }

    private Construction construction() {
        if (name == null) {
            throw new UsageException(
                    "give the name of a pipeline or a .yaml file; 'posbias construct list' lists names");
        }
        refuse(inputs.isEmpty(), "give --input, the documents");
        Path folder = out;
        if (folder == null) {
            throw new UsageException("give --out, the folder of stages and results");
        }
        isWritable("--out", folder);
        Map<String, @Nullable Object> settings = settings();
        if (trustRemoteCode) {
            Map<String, @Nullable Object> trusting = PipelineBook.trustingCode(PipelineBook.find(name, settings));
            refuse(
                    trusting.isEmpty(),
                    "--trust-remote-code has no meaning for " + name
                            + ": no stage names a built-in model of kind worker; a recipe of yours says it itself");
            settings.putAll(trusting);
        }
        Datasets known = new Datasets(session());
        List<Path> documents = inputs.stream()
                .map(input -> Files.exists(FileNames.path(input))
                                || !known.catalog().names().contains(input)
                        ? FileNames.path(input)
                        : known.folder(input))
                .toList();
        Pipeline pipeline =
                PipelineBook.find(name, settings, () -> PlainDocuments.of(documents, textField, "--input"), session());
        List<String> roles = pipeline.languageModels().names().stream().toList();
        for (String role : chat.roles()) {
            refuse(!roles.contains(role), "--llm " + role + "=URL: " + Suggestions.unknown("role", role, roles));
        }
        Engine engine = device.engine(threads, chat.limit(), session());
        return new Construction(
                pipeline,
                documents,
                textField,
                folder,
                engine,
                ChatRole.of(pipeline.languageModels(), chat::settings),
                chat.concurrency());
    }

    private Map<String, @Nullable Object> settings() {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        changes.forEach((path, value) ->
                settings.put(path, value.strip().equals("null") ? null : Json.yamlValue("--set " + path, value)));
        Optional.ofNullable(language).ifPresent(given -> settings.put("language", Language.code(given)));
        Optional.ofNullable(seed).ifPresent(given -> settings.put("seed", given));
        return settings;
    }

    @Command(
            name = "list",
            description = "List the pipelines known by name, with their stages.",
            footer = {"", "Example:", "  posbias construct list"})
    static final class ListPipelines extends BaseCommand {
        private record PipelineLine(String pipeline, String description, String stages) {
            static PipelineLine of(Pipeline pipeline) {
                return new PipelineLine(
                        pipeline.name(),
                        pipeline.description(),
                        pipeline.steps().stream().map(Pipeline.Step::name).collect(Collectors.joining(", ")));
            }
        }

        @Mixin
        private FormatOption form = new FormatOption();

        @Override
        protected void work() {
            List<PipelineLine> all = PipelineBook.names().stream()
                    .map(name -> PipelineLine.of(PipelineBook.find(name, Map.of())))
                    .toList();
            Columns<PipelineLine> columns = new Columns<PipelineLine>()
                    .label("pipeline", PipelineLine::pipeline)
                    .text("description", PipelineLine::description)
                    .text("stages", PipelineLine::stages);
            print(form.text(() -> all, () -> List.of(columns.table("", all, List.of())), session()));
        }
    }

    @Command(
            name = "info",
            description = "Print a pipeline as YAML, to change into one of your own.",
            footer = {"", "Example:", "  posbias construct info own-posq > mine.yaml"})
    static final class PrintPipeline extends BaseCommand {
        @Parameters(paramLabel = "PIPELINE", description = "A name from 'posbias construct list' or a .yaml file.")
        private String name = "";

        @Override
        protected void work() {
            print(PipelineBook.text(name));
        }
    }

    @Command(
            name = "show",
            description = "Show counts of stages and sample candidates.",
            footer = {
                "",
                "Examples:",
                "  posbias construct show my-posq",
                "  posbias construct show my-posq --sample 20 --stage agree",
            })
    static final class Show extends BaseCommand {
        @Parameters(paramLabel = "DIR", description = "The --out of 'posbias construct'.")
        private Path folder = Path.of("");

        @Least(1)
        @Option(
                names = "--sample",
                paramLabel = "N",
                description = "Print N random candidates of a stage, kept and dropped, instead of counts.")
        private @Nullable Integer sample;

        @BelongsTo("--sample")
        @Option(
                names = "--stage",
                paramLabel = "NAME",
                description = "With --sample: the stage (default: the last one).")
        private @Nullable String stage;

        @Option(
                names = "--seed",
                paramLabel = "S",
                description = "With --sample: seed of the draw (default: ${DEFAULT-VALUE}).")
        private int seed = 42;

        @Mixin
        private FormatOption form = new FormatOption();

        @Override
        protected void work() {
            PipelineRecord record = PipelineRecord.read(folder);
            Funnel funnel = new Funnel(record, folder);
            if (sample != null) {
                String from = stage == null ? record.stages().getLast().name() : stage;
                List<Candidate> drawn = funnel.sample(from, sample, seed);
                print(form.text(
                        () -> drawn.stream().map(Candidate::toMap).toList(),
                        () -> List.of(funnel.reading(from, drawn)),
                        session()));
                return;
            }
            print(form.text(() -> record, funnel::tables, funnel::raw, session()));
        }
    }
}
