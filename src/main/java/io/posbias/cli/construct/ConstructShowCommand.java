package io.posbias.cli.construct;

import io.posbias.Json;
import io.posbias.build.Candidate;
import io.posbias.build.Funnel;
import io.posbias.build.PipelineRecord;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.PlotOptions;
import io.posbias.plot.Pictures;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show counts of each stage, or a sample of its candidates.",
        footer = {
            "",
            "Examples:",
            "  posbias construct show my-posq",
            "  posbias construct show my-posq --sample 20 --stage agree",
            "  posbias construct show my-posq --plots figures",
        })
final class ConstructShowCommand extends BaseCommand {
    @Parameters(paramLabel = "DIR", description = "Output folder of 'posbias construct'.")
    private Path folder = Path.of("");

    @Least(1)
    @Option(
            names = "--sample",
            paramLabel = "N",
            description = "Number of random candidates of a stage to show, kept and dropped, instead of counts.")
    private @Nullable Integer sample;

    @BelongsTo("--sample")
    @Option(names = "--stage", paramLabel = "NAME", description = "Stage of the sample (default: the last one).")
    private @Nullable String stage;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the sample (default: ${DEFAULT-VALUE}).")
    private int seed = 42;

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Override
    protected void work() {
        PipelineRecord record = PipelineRecord.read(folder);
        Funnel funnel = new Funnel(record, folder);
        if (sample != null) {
            String from = stage == null ? record.stages().getLast().name() : stage;
            List<Candidate> drawn = funnel.sample(from, sample, seed);
            print(form.text(
                    () -> Json.toBytes(drawn.stream().map(Candidate::toMap).toList()),
                    () -> List.of(funnel.reading(from, drawn)),
                    session()));
            return;
        }
        print(form.text(() -> Json.toBytes(record), funnel::tables, funnel::raw, session()));
        plots.draw(session(), () -> Pictures.named(funnel.figures()));
    }
}
