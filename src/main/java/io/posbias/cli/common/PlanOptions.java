package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.experiment.Cell;
import io.posbias.experiment.Forecast;
import io.posbias.experiment.Forecaster;
import io.posbias.result.ResultFolder;
import java.util.List;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A look ahead at cells; shared by {@code eval}, {@code mitigate} and {@code run}. */
@Command(optionListHeading = "Plan:")
public final class PlanOptions {
    @Option(
            names = "--dry-run",
            description =
                    "Print what the cells take, and how long, and evaluate nothing. Models that are here are measured "
                            + "on a few hundred texts.")
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
