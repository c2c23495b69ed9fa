package io.posbias.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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

/** Table and files of a {@link SeedSpread}. */
public record SeedTables(SeedSpread seeds) {
    private static final String SCHEMA = "posbias/seed-spread/1";
    public static final RecordCsv<Line> LINES = new RecordCsv<>(Line.class);

    public List<Table> tables(Detail detail) {
        String percent = NumberFormat.percent(seeds.confidence());
        List<String> all = new ArrayList<>(seeds.notes());
        all.add("SD: standard deviation over seeds; loss at back with " + percent
                + " intervals: over queries for these seeds, and over seeds for these queries (t)");
        Columns<Line> columns = new Columns<Line>(detail.digits())
                .label("model", Line::model)
                .label("dataset", Line::dataset)
                .text("seeds", Line::seeds)
                .part(Line::mean, over("mean", NumberFormat.POINTS))
                .part(Line::psi, over("PSI", NumberFormat.FRACTION))
                .part(
                        Line::loss,
                        new Columns<Loss>()
                                .under("over queries")
                                .estimate("loss at back", NumberFormat.PERCENT, Loss::estimate)
                                .under("over seeds")
                                .part(Loss::seeds, OVER_SEEDS));
        return List.of(columns.table("Models over seeds, " + seeds.measure() + " in points", seeds.models(), all));
    }

    private static final Columns<Over> OVER_SEEDS = new Columns<Over>()
            .number("SD", NumberFormat.PERCENT, Over::deviation)
            .interval(NumberFormat.PERCENT, Over::interval);

    private static Columns<Over> over(String header, NumberFormat unit) {
        return new Columns<Over>().number(header, unit, Over::mean).number("SD", unit, Over::deviation);
    }

    public Table raw() {
        return LINES.table(seeds.models());
    }

    /** JSON of models over seeds: docs/schema/seed-spread-1.schema.json. */
    public record SpreadFile(String schema, @JsonUnwrapped SeedSpread seeds) {}

    public SpreadFile document() {
        return new SpreadFile(SCHEMA, seeds);
    }
}
