package io.posbias.cli.common;

import io.posbias.Plural;
import io.posbias.Session;
import io.posbias.encode.Slots;
import io.posbias.experiment.Cell;
import io.posbias.experiment.Plan;
import io.posbias.experiment.PlanWorkers;
import io.posbias.experiment.Planner;
import io.posbias.result.ResultFolder;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A look ahead at cells; shared by {@code eval}, {@code mitigate} and {@code run}. */
@Command(optionListHeading = "Plan:")
public final class PlanOptions {
    private static final double TERA = 1e12;

    @Option(
            names = "--dry-run",
            description =
                    "Print what the cells take, and how long, and evaluate nothing. Models that are here are measured "
                            + "on some texts.")
    private boolean dryRun;

    @Option(
            names = "--workers",
            split = ",",
            paramLabel = "N,..",
            hideParamSyntax = true,
            description = "With --dry-run: numbers of workers to tell the time for (default: 1; with --engine spark, "
                    + "the slots of its master).")
    private List<Integer> workers = List.of();

    @Option(
            names = "--tflops",
            paramLabel = "X",
            description = "With --dry-run: 10^12 floating-point operations that a worker does each second, instead of "
                    + "measuring models here.")
    private @Nullable Double teraflops;

    /** Whether nothing is to be evaluated. */
    public boolean isDryRun() {
        return dryRun;
    }

    /** Checks what picocli cannot. */
    public void check() {
        Verb.belongs(!dryRun && !workers.isEmpty(), "--workers", "--dry-run");
        Verb.belongs(!dryRun && teraflops != null, "--tflops", "--dry-run");
        workers.forEach(number -> Verb.atLeast("--workers", number, 1));
        Verb.refuse(
                teraflops != null && !(teraflops > 0 && teraflops < Double.POSITIVE_INFINITY),
                "--tflops must be positive, not " + teraflops);
    }

    /**
     * Plans cells.
     *
     * @param folder where a cell's files are, by the names of benchmark and model
     */
    public Plan plan(
            List<Cell> cells,
            BiFunction<String, String, ResultFolder> folder,
            SparkOptions spark,
            DeviceOptions device,
            Session session) {
        OptionalInt most = workers.stream().mapToInt(Integer::intValue).max();
        Slots slots = spark.slots(most, device.keepsVectors(), session);
        int usual = slots == null ? 1 : slots.count();
        PlanWorkers all = new PlanWorkers(workers.isEmpty() ? List.of(usual) : workers, slots);
        Double speed = teraflops == null ? null : (Double) (teraflops * TERA);
        return new Plan(new Planner(folder, speed, all, session).plan(cells), all, basis(slots));
    }

    private String basis(@Nullable Slots slots) {
        String each = slots == null
                ? "each worker"
                : "each worker, a slot of Spark with " + Plural.of(slots.threads(), "thread") + ",";
        String speed = teraflops == null
                ? " is as fast as this machine was on a few hundred texts"
                : " does " + teraflops + " x 10^12 floating-point operations a second";
        String blocks = slots == null ? "" : "; blocks are those for " + Plural.of(slots.count(), "slot");
        return "forecast: " + each + speed + blocks;
    }
}
