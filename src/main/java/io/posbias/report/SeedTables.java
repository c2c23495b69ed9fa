package io.posbias.report;

import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.score.over.SeedSpread;
import io.posbias.score.over.SeedSpread.Line;
import io.posbias.score.over.SeedSpread.Loss;
import io.posbias.score.over.SeedSpread.Over;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Table and files of a {@link SeedSpread}. */
public record SeedTables(SeedSpread seeds) {
    private static final String SCHEMA = "posbias/seed-spread/1";
    private static final RecordCsv<Line> LINES = new RecordCsv<>(Line.class);

    /** The table of all models. */
    public List<Table> tables(Detail detail) {
        String percent = NumberFormat.percent(seeds.confidence());
        List<String> all = new ArrayList<>(seeds.notes());
        all.add("SD: standard deviation over seeds; loss at back with " + percent
                + " intervals: over queries for these seeds, and over seeds for these queries (t)");
        Columns<Line> columns = new Columns<Line>(detail.digits())
                .label("model", Line::model)
                .label("dataset", Line::dataset)
                .text("seeds", Line::seeds)
                .number("mean", NumberFormat.POINTS, line -> line.mean().mean())
                .number("SD", NumberFormat.POINTS, line -> line.mean().deviation())
                .number("PSI", NumberFormat.FRACTION, line -> of(line.psi(), Over::mean))
                .number("SD", NumberFormat.FRACTION, line -> of(line.psi(), Over::deviation))
                .under("over queries")
                .estimate("loss at back", NumberFormat.PERCENT, line -> of(line.loss(), Loss::estimate))
                .under("over seeds")
                .number("SD", NumberFormat.PERCENT, line -> of(of(line.loss(), Loss::seeds), Over::deviation))
                .interval(NumberFormat.PERCENT, line -> of(of(line.loss(), Loss::seeds), Over::interval));
        return List.of(columns.table("Models over seeds, " + seeds.measure() + " in points", seeds.models(), all));
    }

    private static <T, V> @Nullable V of(@Nullable T record, Function<T, @Nullable V> part) {
        return record == null ? null : part.apply(record);
    }

    /** Describes the columns of {@link #raw}. */
    public static List<RecordCsv.Described> columns() {
        return LINES.described(null);
    }

    /** A line for each model and benchmark. */
    public Table raw() {
        return LINES.table(seeds.models());
    }

    /** JSON of models over seeds: docs/schema/seed-spread-1.schema.json. */
    public record SpreadFile(String schema, String measure, double confidence, List<Line> models, List<String> notes) {}

    public SpreadFile document() {
        return new SpreadFile(SCHEMA, seeds.measure(), seeds.confidence(), seeds.models(), seeds.notes());
    }
}
