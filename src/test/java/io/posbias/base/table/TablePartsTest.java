package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    /** Every cell and header is there, whole, and no line is wider than the page. */
    @Test
    void nothingIsLostBrokenOrTooWide() {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            int columns = 2 + random.nextInt(12);
            int page = 40 + random.nextInt(80);
            List<List<String>> rows = new ArrayList<>();
            for (int row = 0; row < 4; row++) {
                rows.add(IntStream.range(0, columns)
                        .mapToObj(column -> cell(random, column))
                        .toList());
            }
            Table table = table(
                    IntStream.range(0, columns)
                            .mapToObj(column -> "head" + column + " words")
                            .toList(),
                    rows);
            String text = render(table, page);
            assertThat(text.lines()).allMatch(line -> line.length() <= page, "at most " + page);
            Set<String> printed = Arrays.stream(text.split("\\s+")).collect(Collectors.toSet());
            List<String> words = new ArrayList<>(table.header());
            rows.forEach(words::addAll);
            assertThat(printed)
                    .containsAll(words.stream()
                            .flatMap(cell -> Arrays.stream(cell.split(" ")))
                            .toList());
        }
    }

    private static String cell(Random random, int column) {
        String number = random.nextInt(1000) + "." + random.nextInt(100);
        return column % 4 == 0 ? "name" + random.nextInt(99) + " of some words" : number;
    }
}
