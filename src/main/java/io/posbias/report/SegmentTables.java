package io.posbias.report;

import io.posbias.probe.PairTest;
import io.posbias.probe.SegmentCosines;
import io.posbias.probe.SegmentSimilarity;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How near texts are to their segments, as tables. Cosines have four decimals, as in the paper. */
public final class SegmentTables {
    private static final double DIGITS = 1e4;

    private static final List<String> TIDY = List.of(
            "model",
            "dataset",
            "words",
            "n",
            "cut",
            "beginning",
            "beginning_low",
            "beginning_high",
            "middle",
            "middle_low",
            "middle_high",
            "end",
            "end_low",
            "end_high",
            "less_middle",
            "less_middle_low",
            "less_middle_high",
            "less_middle_p_value",
            "less_end",
            "less_end_low",
            "less_end_high",
            "less_end_p_value");

    private SegmentTables() {}

    /**
     * How passages were chosen.
     *
     * @param above texts have more words than this
     * @param below and fewer than this
     * @param seed of the shuffle
     * @param lengths how the bands of length were made
     * @param confidence of all intervals, between 0 and 1
     */
    public record Setup(int above, int below, int seed, String lengths, double confidence) {}

    /**
     * A benchmark.
     *
     * @param name what results call it
     * @param sha256 of its files, by name
     * @param passages of its corpus
     * @param fit different texts within the limits
     */
    public record Source(String name, Map<String, String> sha256, int passages, int fit) {}

    /**
     * What a model did not see, besides the whole texts that {@link SegmentCosines#cut} marks.
     *
     * @param maxTokens its limit; 0 where the recipe does not say
     * @param segments segments that were cut
     * @param known whether the model tells; where it does not (a vendor's), all counts are 0 and mean nothing
     */
    public record Cut(int maxTokens, int segments, boolean known) {}

    /** A model on a benchmark. */
    public record Cell(
            String model, Source dataset, SegmentSimilarity similarity, Cut cut, List<SegmentCosines> cosines) {
        /** Copies the list. */
        public Cell {
            cosines = List.copyOf(cosines);
        }
    }

    /**
     * The mean cosines.
     *
     * @param published whether what the paper printed follows
     */
    public static Table means(Setup setup, List<Cell> cells, boolean published) {
        List<Table.Row> rows = new ArrayList<>();
        for (Cell cell : cells) {
            for (SegmentSimilarity.Band band : cell.similarity().bands()) {
                List<String> row = start(cell, band);
                row.add(cell.cut().known() ? String.valueOf(band.cut()) : Numbers.NONE);
                for (SegmentSimilarity.Mean mean : band.segments()) {
                    row.add(cosine(mean.value()));
                    row.add(mean.interval() == null ? Numbers.NONE : interval(mean.interval(), "%.4f"));
                }
                rows.add(new Table.Row(row));
            }
        }
        if (published) {
            PublishedSegments.rows().forEach(one -> rows.add(published(one)));
        }
        return new Table(
                "Segment similarity: cosine of the whole text and its segments",
                List.of(
                        new Table.Group("", 5),
                        new Table.Group("beginning", 2),
                        new Table.Group("middle", 2),
                        new Table.Group("end", 2)),
                List.of(
                        "model",
                        "dataset",
                        "words",
                        "n",
                        "cut",
                        "mean",
                        "interval",
                        "mean",
                        "interval",
                        "mean",
                        "interval"),
                rows,
                notes(setup, cells, published));
    }

    private static Table.Row published(PublishedSegments printed) {
        List<String> row = new ArrayList<>(List.of(
                printed.model(),
                printed.dataset() + " (published)",
                printed.words(),
                String.valueOf(PublishedSegments.PASSAGES),
                Numbers.NONE));
        for (double cosine : printed.segments()) {
            row.add(cosine(cosine));
            row.add(Numbers.NONE);
        }
        return new Table.Row(row);
    }

    private static List<String> notes(Setup setup, List<Cell> cells, boolean published) {
        List<String> notes = new ArrayList<>(List.of(
                "segments: thirds by characters; words: more than " + setup.above() + " and fewer than " + setup.below()
                        + ", " + setup.lengths(),
                "cut: whole texts of which the model did not see all; interval: " + Numbers.percent(setup.confidence())
                        + ", t"));
        if (published) {
            notes.add("published: " + PublishedSegments.SOURCE + " and its appendix A.4, without intervals");
        }
        cells.stream().map(SegmentTables::cut).filter(note -> !note.isEmpty()).forEach(notes::add);
        return notes;
    }

    /** A sentence on what a model did not see; empty where it saw all. */
    public static String cut(Cell cell) {
        Cut cut = cell.cut();
        String who = cell.model() + " on " + cell.dataset().name() + ": ";
        if (!cut.known()) {
            return who + "the service may have cut texts"
                    + (cut.maxTokens() > 0 ? " past " + cut.maxTokens() + " tokens" : "") + " and does not say which";
        }
        int wholes = cell.similarity().bands().getFirst().cut();
        return wholes + cut.segments() == 0
                ? ""
                : who + wholes + " of " + cell.cosines().size() + " whole texts and " + cut.segments()
                        + " segments were cut at " + cut.maxTokens()
                        + " tokens; the vector of the whole knows nothing of what lies past the cut";
    }

    /** Beginning less middle and less end. */
    public static Table differences(Setup setup, List<Cell> cells) {
        List<Table.Row> rows = new ArrayList<>();
        for (Cell cell : cells) {
            for (SegmentSimilarity.Band band : cell.similarity().bands()) {
                List<String> row = start(cell, band);
                row.addAll(difference(band.lessMiddle()));
                row.addAll(difference(band.lessEnd()));
                rows.add(new Table.Row(row));
            }
        }
        return new Table(
                "Segment similarity: beginning less middle and less end",
                List.of(
                        new Table.Group("", 4),
                        new Table.Group("beginning - middle", 3),
                        new Table.Group("beginning - end", 3)),
                List.of("model", "dataset", "words", "n", "mean", "interval", "p", "mean", "interval", "p"),
                rows,
                List.of("interval: " + Numbers.percent(setup.confidence())
                        + ", t, paired by text; p without correction for the number of rows"));
    }

    private static List<String> start(Cell cell, SegmentSimilarity.Band band) {
        return new ArrayList<>(List.of(cell.model(), cell.dataset().name(), band.words(), String.valueOf(band.n())));
    }

    private static List<String> difference(PairTest test) {
        Estimate difference = test.difference();
        return difference == null
                ? List.of(signed(test.first() - test.second()), Numbers.NONE, Numbers.NONE)
                : List.of(
                        signed(difference.value()),
                        interval(difference.interval(), "%+.4f"),
                        Numbers.pValue(difference.pValue()));
    }

    private static String cosine(double value) {
        return number("%.4f", value);
    }

    private static String signed(double value) {
        return number("%+.4f", value);
    }

    private static String interval(Interval interval, String format) {
        return "[" + number(format, interval.low()) + ", " + number(format, interval.high()) + "]";
    }

    /** Adding 0 turns a negative zero into a plain one. */
    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, Math.rint(value * DIGITS) / DIGITS + 0.0);
    }

    /**
     * All numbers in full precision, a row for each model, benchmark and band of length.
     *
     * @param published whether what the paper printed follows
     */
    public static Table tidy(List<Cell> cells, boolean published) {
        List<Table.Row> rows = new ArrayList<>();
        for (Cell cell : cells) {
            for (SegmentSimilarity.Band band : cell.similarity().bands()) {
                List<String> row = start(cell, band);
                row.add(cell.cut().known() ? String.valueOf(band.cut()) : "");
                band.segments().forEach(mean -> {
                    row.add(String.valueOf(mean.value()));
                    row.addAll(Plain.ends(mean.interval()));
                });
                row.addAll(plain(band.lessMiddle()));
                row.addAll(plain(band.lessEnd()));
                rows.add(new Table.Row(row));
            }
        }
        if (published) {
            PublishedSegments.rows().forEach(one -> rows.add(plain(one)));
        }
        return new Table("", List.of(), TIDY, rows, List.of());
    }

    private static Table.Row plain(PublishedSegments printed) {
        List<String> row = new ArrayList<>(published(printed).cells().subList(0, 4));
        row.add("");
        for (double cosine : printed.segments()) {
            row.add(String.valueOf(cosine));
            row.addAll(Plain.ends(null));
        }
        return Plain.row(row, TIDY.size());
    }

    private static List<String> plain(PairTest test) {
        Estimate difference = test.difference();
        List<String> cells = new ArrayList<>(List.of(String.valueOf(test.first() - test.second())));
        cells.addAll(Plain.ends(difference == null ? null : difference.interval()));
        cells.add(difference == null ? "" : String.valueOf(difference.pValue()));
        return cells;
    }
}
