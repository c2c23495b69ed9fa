package io.posbias.diagnose;

import io.posbias.dataset.DatasetPool;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which parts of documents scores come from, as tables. */
final class TokenTables {
    private static final String ALL = "all";

    private final TokenPairs pairs;
    private final Map<String, TokensDiagnosis.Found> found;
    private final double confidence;
    private final List<Row> rows = new ArrayList<>();

    TokenTables(TokenPairs pairs, Map<String, TokensDiagnosis.Found> found, double confidence) {
        this.pairs = pairs;
        this.found = found;
        this.confidence = confidence;
        found.forEach((model, own) -> own.profile().slices().forEach(slice -> rows.add(new Row(model, slice))));
    }

    /** Some pairs of a model. */
    private record Row(String model, TokenProfile.Slice slice) {
        String bucket() {
            return Objects.requireNonNullElse(slice.bucket(), ALL);
        }

        String text() {
            return Objects.requireNonNullElse(slice.text(), "");
        }

        boolean isAll() {
            return slice.bucket() == null;
        }

        TokenProfile.@Nullable Shares shares() {
            return slice.shares();
        }

        TokenProfile.EvidenceShare evidence() {
            return Objects.requireNonNull(slice.evidence());
        }
    }

    /**
     * A number of some pairs.
     *
     * @param pairs that it is of
     * @param pValue null where the null hypothesis that it is 0 says nothing
     */
    private record Line(
            Row row,
            String part,
            int pairs,
            double value,
            @Nullable Interval interval,
            @Nullable Double pValue) {
        static Line of(Row row, String part, int pairs, TokenProfile.Share share) {
            return new Line(row, part, pairs, share.value(), share.interval(), null);
        }

        static Stream<Line> of(Row row, String part, int pairs, @Nullable Estimate estimate) {
            return estimate == null
                    ? Stream.of()
                    : Stream.of(new Line(row, part, pairs, estimate.value(), estimate.interval(), estimate.pValue()));
        }
    }

    private static Stream<Line> parts(Row row) {
        TokenProfile.Shares shares = row.shares();
        int pairs = row.slice().pairs();
        return shares == null
                ? Stream.of()
                : Stream.of(
                                Stream.of(
                                        Line.of(row, "first third", pairs, shares.first()),
                                        Line.of(row, "middle third", pairs, shares.middle()),
                                        Line.of(row, "last third", pairs, shares.last()),
                                        Line.of(row, "special tokens", pairs, shares.special())),
                                Line.of(row, "first - last", pairs, shares.firstMinusLast()),
                                Stream.of(Line.of(row, "query's special tokens", pairs, shares.querySpecial())))
                        .flatMap(lines -> lines);
    }

    private static Stream<Line> evidenceLines(Row row) {
        TokenProfile.EvidenceShare evidence = row.slice().evidence();
        return evidence == null
                ? Stream.of()
                : Stream.of(
                                Stream.of(
                                        Line.of(row, "evidence", evidence.pairs(), evidence.share()),
                                        Line.of(row, "evidence if even", evidence.pairs(), evidence.even())),
                                Line.of(row, "evidence - even", evidence.pairs(), evidence.difference()))
                        .flatMap(lines -> lines);
    }

    private Sheet<Row> sheet() {
        Sheet<Row> sheet = new Sheet<Row>().label("model", Row::model);
        return hasTexts() ? sheet.label("text", Row::text) : sheet;
    }

    private boolean hasTexts() {
        return rows.stream().anyMatch(row -> row.slice().text() != null);
    }

    private boolean hasBuckets() {
        return rows.stream().anyMatch(row -> !row.isAll());
    }

    /** Tables for people. */
    List<Table> tables() {
        List<Table> tables = new ArrayList<>(List.of(shares()));
        List<Row> evident =
                rows.stream().filter(row -> row.slice().evidence() != null).toList();
        if (!evident.isEmpty()) {
            tables.add(evidence(evident));
        }
        if (hasBuckets()) {
            tables.add(buckets());
        }
        return tables;
    }

    private Table shares() {
        Sheet<Line> sheet = new Sheet<Line>().label("model", line -> line.row().model());
        if (hasTexts()) {
            sheet.label("text", line -> line.row().text());
        }
        return sheet.label("part of the document", Line::part)
                .plain("n", Line::pairs)
                .number("share", NumberFormat.POINTS, Line::value)
                .interval("interval", NumberFormat.POINTS, Line::interval)
                .table(
                        "Share of the score by part of the document, %",
                        rows.stream()
                                .filter(Row::isAll)
                                .flatMap(TokenTables::parts)
                                .toList(),
                        notes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("sums over pairs by the sum of scores; " + interval());
        notes.add("special tokens: with those of a prompt; the query's: their share with the whole document");
        found.forEach((model, own) -> notes.add(String.format(
                Locale.ROOT,
                "%s: matrices sum to the scores of %d pairs; largest difference %.1e",
                model,
                own.profile().pairs(),
                own.profile().largestDifference())));
        rows.stream()
                .filter(row -> row.isAll() && row.shares() == null)
                .forEach(row -> notes.add(row.model() + ": the mean score is not above 0, so there are no shares"));
        found.forEach((model, own) -> {
            if (own.profile().cut() > 0) {
                notes.add(
                        model + ": " + own.profile().cut() + " of "
                                + own.profile().pairs()
                                + " pairs have a document longer than the model reads; what it reads is taken for the document");
            }
        });
        notes.addAll(DatasetPool.note(pairs.pooled()));
        return notes;
    }

    private String interval() {
        return "interval: " + NumberFormat.percent(confidence) + ", t over units, linearised";
    }

    private Table evidence(List<Row> evident) {
        Sheet<Row> sheet = sheet();
        if (hasBuckets()) {
            sheet.label("evidence at", Row::bucket);
        }
        return sheet.plain("n", row -> row.evidence().pairs())
                .number("tokens", NumberFormat.POINTS, row -> row.evidence().tokens())
                .number(
                        "share",
                        NumberFormat.POINTS,
                        row -> row.evidence().share().value())
                .number(
                        "even",
                        NumberFormat.POINTS,
                        row -> row.evidence().even().value())
                .estimate(
                        "difference",
                        "",
                        "",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.evidence().difference())
                .table(
                        "Share of the evidence in the score, %",
                        evident,
                        List.of(
                                "tokens: its share of the document's own tokens; even: its share of the score if all of"
                                        + " these had the same; difference: share - even",
                                interval()));
    }

    private Table buckets() {
        return sheet().label("evidence at", Row::bucket)
                .plain("n", row -> row.slice().pairs())
                .number("first", NumberFormat.POINTS, row -> share(row, TokenProfile.Shares::first))
                .number("middle", NumberFormat.POINTS, row -> share(row, TokenProfile.Shares::middle))
                .number("last", NumberFormat.POINTS, row -> share(row, TokenProfile.Shares::last))
                .number("special", NumberFormat.POINTS, row -> share(row, TokenProfile.Shares::special))
                .estimate(
                        "first - last",
                        "",
                        "",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.shares() == null ? null : row.shares().firstMinusLast())
                .table(
                        "Share of the score by third of the document and position of the evidence, %",
                        rows, List.of(interval()));
    }

    private static @Nullable Double share(Row row, Function<TokenProfile.Shares, TokenProfile.Share> part) {
        TokenProfile.Shares shares = row.shares();
        return shares == null ? null : (Double) part.apply(shares).value();
    }

    /** All numbers as one table, for CSV. */
    Table raw() {
        return RAW.raw(rows.stream()
                .flatMap(row -> Stream.concat(parts(row), evidenceLines(row)))
                .toList());
    }

    private static final Sheet<Line> RAW = new Sheet<Line>()
            .plain("model", line -> line.row().model())
            .plain("text", line -> line.row().text())
            .means("which text of a probe's item; empty elsewhere")
            .plain("bucket", line -> line.row().bucket())
            .means("position bucket of the evidence, or `all`")
            .plain("part", Line::part)
            .means("which part of the document, or which difference")
            .plain("n", Line::pairs)
            .means("pairs of query and document", "count")
            .number("share", NumberFormat.FRACTION, Line::value)
            .means("its share of the score: sum over pairs by the sum of scores; may be below 0 or above 1")
            .interval("interval", NumberFormat.FRACTION, Line::interval)
            .number("p_value", NumberFormat.P, Line::pValue)
            .means("of differences: t test against 0");

    /** The columns of {@link #raw}, for the reference. */
    static Sheet<?> columns() {
        return RAW;
    }
}
