package io.posbias.score.plan;

import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.score.plan.Planner.Size;
import io.posbias.score.plan.Planner.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A plan as a table, CSV and JSON.
 *
 * @param subject what was planted where, a title
 * @param test that must find it
 * @param confidence of the test
 */
public record PlanReport(String subject, String test, double confidence, Planner planner, Sizes sizes) {
    public static final RecordCsv<PlanLine> LINES = new RecordCsv<>(PlanLine.class);

    /** A simulated size. */
    public record PlanLine(
            @Meaning(
                    "`needed`: the smallest with the wanted power; `pilot`: that of the pilot; `other`: another simulated size")
            String size,

            @Meaning("queries, by the pilot's number per cluster")
            int queries,

            @Meaning("clusters") int clusters,

            @Meaning(
                    value = "share of simulated benchmarks in which the test finds the planted effect",
                    unit = "fraction")
            double power,

            @Meaning(value = "standard error of `power`, of the simulation alone", unit = "fraction")
            double powerError) {}

    private List<PlanLine> lines() {
        return Stream.concat(
                        sizes.simulated().stream(), sizes.needed() == null ? Stream.of() : Stream.of(sizes.needed()))
                .distinct()
                .map(size -> line(size, name(size)))
                .toList();
    }

    private static PlanLine line(Size size, String name) {
        return new PlanLine(name, size.queries(), size.clusters(), size.power(), size.error());
    }

    private String name(Size size) {
        return Objects.equals(size, sizes.needed()) ? "needed" : size.equals(sizes.pilot()) ? "pilot" : "other";
    }

    /** The pilot's and the needed size. */
    public Table table(Detail detail) {
        List<PlanLine> rows = new ArrayList<>();
        rows.add(line(sizes.pilot(), "pilot"));
        Size needed = sizes.needed();
        if (needed != null) {
            rows.add(line(needed, "needed"));
        }
        boolean clustered = sizes.pilot().clusters() < sizes.pilot().queries();
        return new Columns<PlanLine>(detail.digits())
                .label("size", PlanLine::size)
                .text("queries", row -> count(row.queries()))
                .when(clustered, columns -> columns.text("clusters", row -> count(row.clusters())))
                .number("power", NumberFormat.PERCENT, PlanLine::power)
                .number("error", NumberFormat.PERCENT, PlanLine::powerError)
                .table(subject, rows, notes(detail, clustered));
    }

    private static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private List<String> notes(Detail detail, boolean clustered) {
        List<String> notes = new ArrayList<>();
        String wanted = NumberFormat.percent(planner.power()) + " power";
        if (sizes.needed() == null) {
            notes.add(Planner.MOST + " times the pilot's queries are too few for " + wanted);
        } else if (sizes.least()) {
            notes.add("needed: the least size that is simulated; it has " + wanted + " or more");
        } else {
            Double error = sizes.neededError();
            notes.add("needed for " + wanted + ": " + count(sizes.needed().queries()) + " queries"
                    + (error == null ? "" : " ± " + count((int) Math.ceil(error)))
                    + ", the error of simulation alone; a pilot of few " + (clustered ? "clusters" : "queries")
                    + " adds its own");
        }
        notes.add("test: " + test + ", confidence " + NumberFormat.percent(confidence));
        if (detail.explain()) {
            notes.add("power: share of " + planner.simulations() + " samples of the pilot's "
                    + (clustered ? "clusters" : "queries") + " in which the test finds the planted effect; error: its"
                    + " standard error");
            notes.add("the pilot's own effect is taken out before the effect is planted");
        }
        return notes;
    }

    public Table raw() {
        return LINES.table(lines());
    }

    public record PlanFile(String schema, String subject, String test, Settings settings, Sizes sizes) {
        public record Settings(double power, double confidence, int simulations, long seed) {}
    }

    public PlanFile document() {
        return new PlanFile(
                "posbias/sample-size/1",
                subject,
                test,
                new PlanFile.Settings(planner.power(), confidence, planner.simulations(), planner.seed()),
                sizes);
    }
}
