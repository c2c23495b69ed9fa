package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TablePartsTest {
    private static String render(Table table, int width) {
        return TableFormat.TABLE.render(table, TerminalStyle.PLAIN.wide(width));
    }

    private static Table table(List<String> header, List<List<String>> rows) {
        return new Table(
                "title",
                List.of(),
                header,
                rows.stream().map(Table.Row::new).toList(),
                List.of("a note of 1,234 words"));
    }

    private static final Table NUMBERS = table(
            List.of("model", "query mean", "bucket mean", "verdict"),
            List.of(List.of("one", "1.00", "2.00", "none"), List.of("another", "10.00", "20.00", "undecided")));

    /** A table of labels has no columns to stack: it is printed wider than the page. */
    @Test
    void labelsAloneArePrinted() {
        Columns<String> labels =
                new Columns<String>().label("model", row -> row).label("dataset", row -> row + row);
        assertThat(render(labels.table("title", List.of("abcdefgh"), List.of()), 20))
                .isEqualTo("""
                title
                model     dataset
                --------------------------
                abcdefgh  abcdefghabcdefgh
                """);
    }

    /** A long last column hangs below its row; the heading over it may be its own or go over others, too. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void groupsAreShownAtEveryWidth(int over) {
        String prose = "a verdict of many words that hangs below its row where the page is narrow";
        Table plain = table(
                List.of("model", "first", "second", "third", "verdict"),
                List.of(List.of("one-of-a-long-name", "1.00", "2.00", "3.00", prose)));
        Table grouped = new Table(
                plain.title(),
                List.of(new Table.Group("", 5 - over), new Table.Group("a benchmark", over)),
                plain.header(),
                plain.rows(),
                plain.notes(),
                1,
                Set.of());
        for (int width = 30; width <= 140; width++) {
            assertThat(render(grouped, width).replaceAll("\\s+", " "))
                    .as("%d columns", width)
                    .contains("1.00", "3.00", prose.substring(0, 18));
        }
    }

    @Test
    void headersGiveWayThenSpacesThenColumns() {
        assertThat(render(NUMBERS, 45)).startsWith("""
                title
                model    query mean  bucket mean  verdict
                -------------------------------------------
                one            1.00         2.00  none
                """);
        assertThat(render(NUMBERS, 35)).startsWith("""
                title
                         query  bucket
                model     mean    mean  verdict
                ---------------------------------
                one       1.00    2.00  none
                """);
        assertThat(render(NUMBERS, 30)).startsWith("""
                title
                        query bucket
                model    mean   mean verdict
                ------------------------------
                one      1.00   2.00 none
                """);
        assertThat(render(NUMBERS, 25)).isEqualTo("""
                title
                         query  bucket
                model     mean    mean
                ----------------------
                one       1.00    2.00
                another  10.00   20.00

                model    verdict
                ------------------
                one      none
                another  undecided
                a note of 1,234 words
                """);
    }

    /** An interval alone would be of nothing; a group that has room stays together; a row without a value is left out. */
    @Test
    void whatBelongsTogetherStaysTogether() {
        Table table = new Table(
                "",
                List.of(new Table.Group("", 1), new Table.Group("first", 2), new Table.Group("second", 2)),
                List.of("model", "mean", "interval", "mean", "PSI"),
                List.of(
                        new Table.Row(List.of("Dense")),
                        new Table.Row(List.of("a", "10.00", "[9.0, 11.0]", "-", "-")),
                        new Table.Row(List.of("b", "10.00", "[9.0, 11.0]", "30.00", "0.100"))),
                List.of(),
                1,
                Set.of(2));
        assertThat(render(table, 40)).isEqualTo("""
                       first               second
                model   mean     interval   mean    PSI
                ---------------------------------------
                Dense
                a      10.00  [9.0, 11.0]      -      -
                b      10.00  [9.0, 11.0]  30.00  0.100
                """);
        assertThat(render(table, 30)).isEqualTo("""
                       first
                model   mean     interval
                -------------------------
                Dense
                a      10.00  [9.0, 11.0]
                b      10.00  [9.0, 11.0]

                       second
                model   mean    PSI
                -------------------
                Dense
                b      30.00  0.100
                """);
    }

    @Test
    void proseHangsBelowItsRow() {
        Table table = table(
                List.of("model", "kind", "description"),
                List.of(List.of("all-minilm-l6-v2", "dense", "small and quick, with texts up to 512 tokens")));
        assertThat(render(table, 45)).startsWith("""
                title
                model             kind   description
                ---------------------------------------------
                all-minilm-l6-v2  dense  small and quick,
                                         with texts up to 512
                                         tokens
                """);
        assertThat(render(table, 30)).startsWith("""
                title
                model             kind
                -----------------------
                all-minilm-l6-v2  dense
                    small and quick, with
                    texts up to 512 tokens
                """);
    }

    /** A verdict stays on its line while the gap can give way. */
    @Test
    void shortCellsAreNotWrappedWhileTheGapGivesWay() {
        Table table = table(
                List.of("strategy", "mean", "outcome"),
                List.of(List.of("mirrored", "81.70", "trade-off truncation"), List.of("chunked", "89.40", "improves")));
        assertThat(render(table, 36)).startsWith("""
                title
                strategy  mean outcome
                -----------------------------------
                mirrored 81.70 trade-off truncation
                """);
        assertThat(render(table, 34)).startsWith("""
                title
                strategy   mean  outcome
                ----------------------------------
                mirrored  81.70  trade-off
                                 truncation
                """);
    }

    /**
     * Every cell, header and heading is there, whole, and no line is wider than the page: tables of all shapes at all widths
     * of terminals. A last column that hangs below its row has no header.
     */
    @Test
    void nothingIsLostBrokenOrTooWide() {
        assertWhole(20, 3);
    }

    @Tag("slow")
    @Test
    void nothingIsLostBrokenOrTooWideAtAnyWidth() {
        assertWhole(60, 1);
    }

    private static void assertWhole(int tables, int step) {
        Random random = new Random(7);
        for (int i = 0; i < tables; i++) {
            Table table = randomTable(random);
            for (int page = 60; page <= 140; page += step) {
                String text = render(table, page);
                int most = page;
                assertThat(text.lines().filter(line -> line.length() > most))
                        .as("at %s:\n%s", page, text)
                        .isEmpty();
                Set<String> printed = Arrays.stream(text.split("\\s+")).collect(Collectors.toSet());
                List<String> missing = new ArrayList<>(
                        words(table.header().subList(0, table.header().size() - 1)));
                table.rows().forEach(row -> missing.addAll(words(row.cells())));
                missing.removeIf(printed::contains);
                assertThat(missing).as("at %s:\n%s", page, text).isEmpty();
            }
        }
    }

    private static List<String> words(List<String> texts) {
        return texts.stream()
                .flatMap(text -> Arrays.stream(text.split(" ")))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Table randomTable(Random random) {
        int columns = 2 + random.nextInt(14);
        int labels = 1 + random.nextInt(Math.min(2, columns - 1));
        boolean prose = random.nextBoolean();
        List<Table.Row> rows = new ArrayList<>();
        for (int row = 0; row < 4; row++) {
            if (random.nextInt(3) == 0) {
                rows.add(new Table.Row(List.of("Heading" + row + " of rows")));
            }
            rows.add(new Table.Row(IntStream.range(0, columns)
                    .mapToObj(column -> prose && column == columns - 1
                            ? "differ 57% of 80-100% truncated, a verdict with its reason"
                            : cell(random, column))
                    .toList()));
        }
        List<Table.Group> groups = new ArrayList<>();
        int left = random.nextBoolean() ? columns : 0;
        while (left > 0) {
            int span = 1 + random.nextInt(Math.min(6, left));
            groups.add(new Table.Group(random.nextInt(3) == 0 ? "" : "group " + left, span));
            left -= span;
        }
        return new Table(
                "title",
                groups.stream().allMatch(group -> group.name().isEmpty()) ? List.of() : groups,
                IntStream.range(0, columns)
                        .mapToObj(column -> "head" + column + " words")
                        .toList(),
                rows,
                List.of("a note of 1,234 words"),
                labels,
                IntStream.range(labels + 1, columns - 1)
                        .filter(column -> random.nextInt(4) == 0)
                        .boxed()
                        .collect(Collectors.toSet()));
    }

    private static String cell(Random random, int column) {
        String number = random.nextInt(1000) + "." + random.nextInt(100);
        return column % 4 == 0 ? "name" + random.nextInt(99) + " of some words" : number;
    }
}
