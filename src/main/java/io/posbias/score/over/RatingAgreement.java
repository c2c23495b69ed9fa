package io.posbias.score.over;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.RaterAgreement;
import io.posbias.base.stats.RaterAgreement.Agreement;
import io.posbias.base.stats.RaterAgreement.Metric;
import io.posbias.base.table.Meaning;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Agreement of raters on the same items, as in Tables 8 and 9 of PosIR (arXiv:2601.08363). Each rater is a file of rows: CSV, JSON
 * lines, TSV or Parquet. Items are matched by the columns of their identifier; all other columns with numbers in each file are
 * ratings.
 *
 * @param id columns that identify an item; those that a file lacks are ignored
 * @param by column whose values form groups; empty for none
 */
public record RatingAgreement(List<String> id, String by, int draws, long seed, double confidence) {
    private static final String ALL = "all";
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

    /** Default columns of the identifier. */
    public static final List<String> ID = List.of("id", "language", "system");

    /** Agreement on one column of ratings. */
    public record Row(
            @Meaning("value of the column `--by`; `all` without it")
            String group,

            @Meaning("column of the ratings") String rating,
            @Meaning("items with at least two ratings") int items,

            @Meaning(value = "mean rating of each file over the items, in the order of the files", unit = "number")
            Map<String, Double> means,

            @Meaning(value = "Krippendorff's alpha, ordinal, and its interval", unit = "number")
            Agreement alpha,

            @Meaning(value = "Krippendorff's alpha, interval, and its interval", unit = "number")
            Agreement alphaInterval,

            @Meaning(value = "Cohen's kappa, mean over pairs of raters, and its interval", unit = "number")
            Agreement kappa,

            @Meaning(value = "Spearman's rho, mean over pairs of raters, and its interval", unit = "number")
            Agreement rho,

            @JsonProperty("within_1")
            @Meaning(
                    value =
                            "share of items whose ratings differ by at most 1, mean over pairs of raters, and its interval",
                    unit = "number")
            Agreement within,

            @Meaning(value = "mean absolute difference, mean over pairs of raters, and its interval", unit = "number")
            Agreement mae) {}

    /** The means of raters by their name in a file. */
    public static Map<String, Double> means(List<Double> ofRaters) {
        Map<String, Double> means = new LinkedHashMap<>();
        ofRaters.forEach(mean -> means.put("mean_" + (means.size() + 1), mean));
        return means;
    }

    private record Rater(Path file, Map<String, Fields> items) {}

    /**
     * Compares files of ratings.
     *
     * @param files at least two
     * @param ratings columns to compare; empty for all numeric columns that each file has
     */
    public List<Row> rows(List<Path> files, List<String> ratings) {
        List<Rater> raters = files.stream().map(this::read).toList();
        Set<String> items = new LinkedHashSet<>();
        raters.forEach(rater -> items.addAll(rater.items().keySet()));
        List<String> shared = items.stream()
                .filter(item -> raters.stream()
                                .filter(rater -> rater.items().containsKey(item))
                                .count()
                        > 1)
                .toList();
        if (shared.isEmpty()) {
            throw new PosbiasException("the files share no item: identifiers are the columns " + String.join(", ", id));
        }
        List<String> columns = ratings.isEmpty() ? numeric(raters) : ratings;
        Map<String, List<String>> groups = new TreeMap<>();
        if (!by.isEmpty()) {
            shared.forEach(item -> groups.computeIfAbsent(group(item, raters), none -> new ArrayList<>())
                    .add(item));
        }
        List<Row> rows = new ArrayList<>();
        groups.forEach((group, own) -> columns.forEach(column -> rows.add(row(group, column, own, raters))));
        columns.forEach(column -> rows.add(row(ALL, column, shared, raters)));
        return rows;
    }

    private String group(String item, List<Rater> raters) {
        return raters.stream()
                .flatMap(rater -> Stream.ofNullable(rater.items().get(item)))
                .findFirst()
                .orElseThrow()
                .text(by);
    }

    private Rater read(Path file) {
        Map<String, Fields> items = new LinkedHashMap<>();
        RowFile.open(file).forEach(row -> {
            List<String> parts = id.stream().filter(row::has).map(row::id).toList();
            if (parts.isEmpty()) {
                throw row.bad(id.getFirst(), "is missing", "--id names the columns that identify an item");
            }
            String key = String.join(" ", parts);
            if (items.put(key, row) != null) {
                throw row.bad(
                        id.getFirst(),
                        "gives the item " + Printable.quoted(key) + " a second time",
                        "--id names the columns that identify an item");
            }
        });
        if (items.isEmpty()) {
            throw new BadInputException(
                    Location.of(file), "contains no rating", "give rows with an identifier and ratings");
        }
        return new Rater(file, items);
    }

    private List<String> numeric(List<Rater> raters) {
        List<String> columns = new ArrayList<>(
                raters.getFirst().items().values().iterator().next().names());
        columns.removeAll(id);
        columns.remove(by);
        columns.removeIf(column -> raters.stream().anyMatch(rater -> {
            List<String> cells = rater.items().values().stream()
                    .map(row -> cell(row, column))
                    .filter(cell -> !cell.isEmpty())
                    .toList();
            return cells.isEmpty()
                    || !cells.stream().allMatch(cell -> NUMBER.matcher(cell).matches());
        }));
        if (columns.isEmpty()) {
            throw new UsageException("the files share no column of numbers besides " + String.join(", ", id));
        }
        return columns;
    }

    private static String cell(@Nullable Fields row, String column) {
        return row == null || !row.has(column) ? "" : String.valueOf(row.raw(column));
    }

    private Row row(String group, String column, List<String> items, List<Rater> raters) {
        double[][] ratings = items.stream()
                .map(item -> raters.stream()
                        .mapToDouble(rater -> value(rater.items().get(item), column))
                        .toArray())
                .filter(row ->
                        Arrays.stream(row).filter(value -> !Double.isNaN(value)).count() > 1)
                .toArray(double[][]::new);
        if (ratings.length == 0) {
            throw new UsageException("no item has two ratings " + Printable.quoted(column));
        }
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < raters.size(); i++) {
            int rater = i;
            means.add(Arrays.stream(ratings)
                    .mapToDouble(row -> row[rater])
                    .filter(value -> !Double.isNaN(value))
                    .average()
                    .orElse(Double.NaN));
        }
        boolean whole = Arrays.stream(ratings)
                .flatMapToDouble(Arrays::stream)
                .allMatch(value -> Double.isNaN(value) || value == Math.rint(value));
        return new Row(
                group,
                column,
                ratings.length,
                means(means),
                estimate(ratings, all -> RaterAgreement.alpha(all, Metric.ORDINAL)),
                estimate(ratings, all -> RaterAgreement.alpha(all, Metric.INTERVAL)),
                whole ? estimate(ratings, RaterAgreement::kappa) : new Agreement(null, null),
                estimate(ratings, RaterAgreement::spearman),
                estimate(ratings, all -> RaterAgreement.within(all, 1)),
                estimate(ratings, RaterAgreement::meanAbsoluteDifference));
    }

    private Agreement estimate(double[][] ratings, ToDoubleFunction<double[][]> coefficient) {
        return RaterAgreement.estimate(ratings, coefficient, draws, seed, confidence);
    }

    private static double value(@Nullable Fields row, String column) {
        String cell = cell(row, column);
        if (row == null || cell.isEmpty()) {
            return Double.NaN;
        }
        if (!NUMBER.matcher(cell).matches()) {
            throw row.bad(column, "is " + Printable.quoted(cell), "it must be a number");
        }
        return Double.parseDouble(cell);
    }
}
