package io.posbias.experiment;

import io.posbias.Suggestions;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What cells take, one by one and by model.
 *
 * @param cells in their order
 * @param workers for whom hours are told
 * @param basis where seconds come from, in a sentence
 */
public record Plan(List<PlannedCell> cells, PlanWorkers workers, String basis) {
    private static final double MINUTE = 60;
    private static final double HOUR = 3_600;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;

    /** Copies the list. */
    public Plan {
        cells = List.copyOf(cells);
    }

    /**
     * Cells together.
     *
     * @param cells how many take anything
     * @param unknown how many of these have no seconds
     * @param flops of those that are known; null where none is
     * @param seconds on each number of workers; null where a cell has none
     */
    private record Sum(
            String model,
            long cells,
            long unknown,
            double passages,
            double queries,
            double tokens,
            double blocks,
            double vectorBytes,
            @Nullable Double flops,
            @Nullable List<Double> seconds) {
        @Nullable
        Double hours(int place) {
            return seconds == null ? null : (Double) (seconds.get(place) / HOUR);
        }
    }

    private Sum sum(String model, List<PlannedCell> all) {
        List<PlannedCell> own = all.stream()
                .filter(cell -> cell.basis() != PlannedCell.Basis.NONE)
                .toList();
        long unknown = own.stream().filter(cell -> cell.seconds() == null).count();
        return new Sum(
                model,
                own.size(),
                unknown,
                sum(own, PlannedCell::passages),
                sum(own, PlannedCell::queries),
                sum(own, cell -> or0(cell.tokens())),
                sum(own, cell -> cell.blocks() == null ? 0 : cell.blocks().all()),
                sum(own, PlannedCell::vectorBytes),
                own.stream().anyMatch(cell -> cell.flops() != null)
                        ? Double.valueOf(sum(own, cell -> or0(cell.flops())))
                        : null,
                unknown == 0
                        ? IntStream.range(0, workers.numbers().size())
                                .mapToObj(place -> seconds(own, place))
                                .toList()
                        : null);
    }

    /** Spark divides cells and does them one after another; whoever has shares of cells needs no less than the longest cell. */
    private Double seconds(List<PlannedCell> own, int place) {
        if (workers.slots() != null) {
            return sum(own, cell -> cell.onWorkers().get(place));
        }
        double longest =
                own.stream().mapToDouble(cell -> or0(cell.seconds())).max().orElse(0);
        return Math.max(
                sum(own, cell -> or0(cell.seconds())) / workers.numbers().get(place), longest);
    }

    private static double or0(@Nullable Double number) {
        return number == null ? 0 : number;
    }

    private static double sum(List<PlannedCell> cells, ToDoubleFunction<PlannedCell> number) {
        return cells.stream().mapToDouble(number).sum();
    }

    /** The cells, and the models with their sum. */
    public List<Table> tables(List<String> notes) {
        return List.of(sheet().table("", cells, notes), sums().table("Plan", rows(), List.of(basis)));
    }

    /** All numbers of the cells. */
    public Table raw() {
        return sheet().raw(cells);
    }

    /** Cells and models for JSON, as docs/schema/plan-1.schema.json says. */
    public Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", "posbias/plan/1");
        document.put("basis", basis);
        document.put("slots", workers.slots() == null ? null : workers.slots().count());
        document.put("cells", sheet().records(cells));
        document.put("models", sums().records(rows()));
        return document;
    }

    private List<Sum> rows() {
        Map<String, List<PlannedCell>> models = new LinkedHashMap<>();
        cells.forEach(cell ->
                models.computeIfAbsent(cell.model(), model -> new ArrayList<>()).add(cell));
        List<Sum> rows = new ArrayList<>();
        models.forEach((model, own) -> rows.add(sum(model, own)));
        if (rows.size() > 1) {
            rows.add(sum("all", cells));
        }
        return rows;
    }

    private Sheet<PlannedCell> sheet() {
        return sheet(cells.stream().anyMatch(cell -> !cell.firstStage().isEmpty()), workers.slots() != null);
    }

    /** All columns that {@link #raw} may have, for the reference. */
    public static Sheet<?> columns() {
        return sheet(true, true);
    }

    private static Sheet<PlannedCell> sheet(boolean stages, boolean divided) {
        Sheet<PlannedCell> sheet =
                new Sheet<PlannedCell>().label("model", PlannedCell::model).label("dataset", PlannedCell::dataset);
        if (stages) {
            sheet.plain("first_stage", PlannedCell::firstStage)
                    .means("name of the first stage; empty where there is none")
                    .headed("first stage");
        }
        sheet.plain("cell", PlannedCell::state).means("what a run would do with the cell");
        written(sheet, "basis", cell -> Suggestions.word(cell.basis()))
                .means("where the numbers come from: the texts, what was published, or nowhere");
        written(sheet, "passages", cell -> Math.round(cell.passages()))
                .means(
                        "texts to encode, what strategies make of passages; where no model encodes, texts of the index",
                        "count");
        written(sheet, "queries", cell -> Math.round(cell.queries())).means("queries to answer", "count");
        written(sheet, "tokens", cell -> whole(cell.tokens()))
                .means("tokens that the model reads; empty where no model reads any, or nobody knows", "count");
        printed(sheet, "tokens", PlannedCell::tokens, Plan::grouped);
        if (divided) {
            blocks(sheet, "encode_blocks", "texts", PlannedCell.Blocks::encode);
            blocks(sheet, "search_blocks", "queries and passages to compare", PlannedCell.Blocks::search);
            blocks(sheet, "score_blocks", "pairs", PlannedCell.Blocks::score);
            printed(sheet, "blocks", cell -> allBlocks(cell), Plan::grouped);
        }
        written(sheet, "vector_bytes", cell -> Math.round(cell.vectorBytes()))
                .means("size of the vectors on disk", "bytes");
        written(sheet, "flops", PlannedCell::flops)
                .means("floating-point operations of the model; empty where nobody knows", "count");
        written(sheet, "seconds", PlannedCell::seconds)
                .means("time on one worker like the machine that was measured; empty where nothing was measured", "s");
        return printed(sheet, "time", PlannedCell::seconds, Plan::time);
    }

    private Sheet<Sum> sums() {
        Sheet<Sum> sheet = new Sheet<Sum>().label("model", Sum::model).plain("cells", Sum::cells);
        written(sheet, "cells_without_seconds", Sum::unknown);
        count(sheet, "passages", Sum::passages);
        count(sheet, "queries", Sum::queries);
        count(sheet, "tokens", Sum::tokens);
        if (workers.slots() != null) {
            count(sheet, "blocks", Sum::blocks);
        }
        written(sheet, "vector_bytes", sum -> Math.round(sum.vectorBytes()));
        printed(sheet, "vectors", Sum::vectorBytes, Plan::bytes);
        written(sheet, "flops", Sum::flops);
        printed(sheet, "FLOPs", Sum::flops, number -> power(number));
        for (int i = 0; i < workers.numbers().size(); i++) {
            int place = i;
            int number = workers.numbers().get(i);
            written(sheet, "hours_on_" + number, sum -> sum.hours(place));
            printed(sheet, "on " + number, sum -> sum.hours(place), hours -> time(hours * HOUR));
        }
        return sheet;
    }

    private static void blocks(
            Sheet<PlannedCell> sheet, String name, String what, ToLongFunction<PlannedCell.Blocks> count) {
        written(sheet, name, cell -> cell.blocks() == null ? null : (Long) count.applyAsLong(cell.blocks()))
                .means("blocks of " + what + " that Spark would be given; empty where nobody knows", "count");
    }

    private static @Nullable Double allBlocks(PlannedCell cell) {
        return cell.blocks() == null ? null : (Double) (double) cell.blocks().all();
    }

    private static <R> Sheet<R> written(Sheet<R> sheet, String name, Function<R, @Nullable Object> value) {
        return sheet.plain(name, value).only(Sheet.In.CSV, Sheet.In.JSON);
    }

    private static <R> Sheet<R> printed(
            Sheet<R> sheet, String header, Function<R, @Nullable Double> value, Function<Double, String> print) {
        return sheet.plain(header, row -> {
                    Double number = value.apply(row);
                    return number == null ? null : print.apply(number);
                })
                .only(Sheet.In.PRINT);
    }

    private static <R> void count(Sheet<R> sheet, String name, Function<R, @Nullable Double> value) {
        written(sheet, name, row -> whole(value.apply(row)));
        printed(sheet, name, value, Plan::grouped);
    }

    private static @Nullable Long whole(@Nullable Double number) {
        return number == null ? null : Long.valueOf(Math.round(number));
    }

    private static String grouped(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    private static String time(double seconds) {
        return seconds < 2 * MINUTE
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : seconds < 2 * HOUR
                        ? String.format(Locale.ROOT, "%.1f min", seconds / MINUTE)
                        : String.format(Locale.ROOT, "%,.1f h", seconds / HOUR);
    }

    private static String bytes(double bytes) {
        return bytes < GIGA
                ? String.format(Locale.ROOT, "%.1f MB", bytes / MEGA)
                : String.format(Locale.ROOT, "%,.1f GB", bytes / GIGA);
    }

    private static String power(double number) {
        return number == 0 ? "0" : String.format(Locale.ROOT, "%.1e", number).replace("e+", "e");
    }
}
