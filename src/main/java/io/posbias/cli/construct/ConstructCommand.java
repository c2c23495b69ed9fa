package io.posbias.cli.construct;

import io.posbias.Json;
import io.posbias.UsageException;
import io.posbias.build.Construction;
import io.posbias.build.Funnel;
import io.posbias.build.Pipeline;
import io.posbias.build.PipelineForecast;
import io.posbias.build.PipelineRecord;
import io.posbias.build.PipelineRun;
import io.posbias.build.llm.ChatRole;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.ChatOptions;
import io.posbias.cli.common.DeviceOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.dataset.Language;
import io.posbias.encode.Engine;
import io.posbias.encode.api.ChatSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias construct}: runs a pipeline on documents. */
@Command(
        name = "construct",
        description = "Make a benchmark or training sets from raw text.",
        sortOptions = false,
        subcommands = {ConstructListCommand.class, ConstructInfoCommand.class, ConstructShowCommand.class},
        footer = {
            "",
            "A pipeline is a list of stages: documents are sampled and split, questions are asked and checked, and a "
                    + "benchmark is written that eval runs on. Each stage leaves its candidates, kept and dropped, in "
                    + "DIR/stages; a stopped run continues where it stopped and asks nothing twice. Documents are rows "
                    + "(.jsonl, .parquet, .tsv), a benchmark's folder, or a folder of .txt or .md files. docs/construct.md",
            "",
            "Examples:",
            "  posbias construct list",
            "  posbias construct own-posq --input manuals --out my-posq",
            "  posbias construct own-posq --input manuals --out my-posq \\",
            "      --llm http://localhost:8000/v1 --llm-model qwen3",
            "  posbias construct fineweb-posq --input fineweb.parquet \\",
            "      --out fineweb-posq --dry-run",
            "  posbias construct show my-posq",
        })
public final class ConstructCommand extends BaseCommand {
    @Parameters(
            paramLabel = "PIPELINE",
            arity = "0..1",
            description = "A name from 'posbias construct list' or a .yaml file.")
    private @Nullable String name;

    @Option(names = "--input", paramLabel = "PATH", description = "Files or folders of documents, in this order.")
    private List<Path> inputs = List.of();

    @Option(names = "--out", paramLabel = "DIR", description = "Output folder of stages and results.")
    private @Nullable Path out;

    @Heading("Tuning:")
    @Option(
            names = "--text-field",
            paramLabel = "NAME",
            description = "Field of rows that holds a document's text (default: ${DEFAULT-VALUE}).")
    private String textField = "text";

    @Heading("Tuning:")
    @Option(
            names = "--language",
            paramLabel = "CODE",
            description =
                    "Language of the documents: an ISO 639-1 code, or its English name (default: the pipeline's).")
    private @Nullable String language;

    @Heading("Tuning:")
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

    @Heading("Tuning:")
    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

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
            PipelineForecast forecast = PipelineForecast.of(construction);
            print(form.text(
                    () -> Json.toBytes(forecast.document()),
                    () -> List.of(forecast.table(
                            "Forecast: " + construction.pipeline().name())),
                    forecast::raw,
                    session()));
            return;
        }
        PipelineRecord record = new PipelineRun(construction).run();
        Funnel funnel = new Funnel(record, construction.out());
        print(form.text(() -> Json.toBytes(record), funnel::tables, funnel::raw, session()));
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
        isNoFile("--out", folder);
        Pipeline pipeline = Pipeline.find(name, settings());
        Optional<ChatSettings> other = chat.isAddressGiven() ? Optional.of(chat.settings()) : Optional.empty();
        Engine engine = device.engine(threads, chat.limit(), session());
        return new Construction(
                pipeline,
                inputs,
                textField,
                folder,
                engine,
                ChatRole.of(pipeline.languageModels(), other),
                chat.concurrency());
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        changes.forEach((path, value) -> settings.put(path, Json.yamlValue("--set " + path, value)));
        Optional.ofNullable(language).ifPresent(given -> settings.put("language", Language.code(given)));
        Optional.ofNullable(seed).ifPresent(given -> settings.put("seed", given));
        return settings;
    }
}
