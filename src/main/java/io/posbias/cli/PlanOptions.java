package io.posbias.cli;

import io.posbias.base.process.Session;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.model.encode.CallLimit;
import io.posbias.run.CellEstimate;
import io.posbias.run.Cells;
import io.posbias.run.experiment.ExperimentForecast;
import io.posbias.run.experiment.Forecaster;
import io.posbias.score.result.ResultFolder;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What an evaluation would call, cost and take, in place of the evaluation. */
final class PlanOptions {
    @Heading("Plan:")
    @Least(0)
    @Option(
            names = "--max-calls",
            paramLabel = "N",
            description = "Maximum calls of services, then exit code 1; the same command continues. 0 only prints the "
                    + "number of calls, texts and tokens (default: no limit).")
    private @Nullable Integer maxCalls;

    @Option(
            names = "--dry-run",
            description =
                    "Only print the planned evaluations with estimated cost and time. Installed models are timed on a"
                            + " sample.")
    private boolean dryRun;

    CallLimit calls() {
        return maxCalls == null ? CallLimit.none() : new CallLimit(maxCalls);
    }

    /** Returns the plan of cells; empty if none is asked for. */
    Optional<String> text(Supplier<List<Cells.Job>> jobs, ResultsOptions output, Session session) {
        if (calls().isEstimate()) {
            List<CellEstimate> estimates = CellEstimate.of(jobs.get(), output::folder);
            return Optional.of(output.text(
                    () -> CellEstimate.document(estimates),
                    () -> List.of(CellEstimate.table(estimates)),
                    () -> CellEstimate.raw(estimates),
                    session));
        }
        if (!dryRun) {
            return Optional.empty();
        }
        List<ExperimentForecast> forecasts = new Forecaster(
                        (dataset, model) -> new ResultFolder(output.folder(dataset, model)), session)
                .of(jobs.get());
        return Optional.of(output.text(
                () -> ExperimentForecast.document(forecasts),
                () -> List.of(ExperimentForecast.table(forecasts, List.of())),
                () -> ExperimentForecast.raw(forecasts),
                session));
    }
}
