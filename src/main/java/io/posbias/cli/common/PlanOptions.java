package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.experiment.Cell;
import io.posbias.experiment.Forecast;
import io.posbias.experiment.Forecaster;
import io.posbias.result.ResultFolder;
import java.util.List;
import java.util.function.BiFunction;
import picocli.CommandLine.Option;

/** A look ahead at cells; shared by {@code eval}, {@code mitigate} and {@code run}. */
public final class PlanOptions {
    @Option(
            names = "--dry-run",
            description =
                    "Print the planned evaluations with estimated cost and time. Installed models are timed on a sample.")
    private boolean dryRun;

    /** Whether nothing is to be evaluated. */
    public boolean isDryRun() {
        return dryRun;
    }

    /**
     * Tells what cells will take.
     *
     * @param folder where a cell's files are, by the names of benchmark and model
     */
    public static List<Forecast> forecast(
            List<Cell> cells, BiFunction<String, String, ResultFolder> folder, Session session) {
        return new Forecaster(folder, session).of(cells);
    }
}
