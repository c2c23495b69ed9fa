package io.posbias.base.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.process.UsageException;
import io.posbias.report.Results;
import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.profile.CommandWords;
import io.posbias.report.profile.ProfileTables;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every table in every format against a golden file. After a change that is meant, look at the difference and run
 * {@code mvn test -Dtest=TablesTest -Dposbias.golden=write}.
 */
class TablesTest {
    private static final List<Result> RESULTS = List.of(
            Results.of("bm25", "sparse", "fineweb-posq", 0.75),
            Results.of("my|model_1 & <co>", "reranker", "fineweb-posq", 1.0),
            Results.of("bm25", "sparse", "other", 0.6));

    static String heading(TableFormat format) {
        return "==== " + format + "\n";
    }

    private static void compare(String name, Function<TableFormat, String> text) throws IOException {
        Path golden = Path.of("src/test/resources/io/posbias/report", name + ".golden");
        String all = Arrays.stream(TableFormat.values())
                .map(format -> heading(format) + text.apply(format))
                .collect(Collectors.joining());
        if ("write".equals(System.getProperty("posbias.golden"))) {
            Files.writeString(golden, all);
        }
        assertThat(all).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
    }

    @Test
    void profiles() throws IOException {
        compare("profiles", format -> tables(RESULTS, false, format));
    }

    @Test
    void profilesWithIntervals() throws IOException {
        compare("intervals", format -> tables(RESULTS.subList(0, 1), true, format));
    }

    private static String tables(List<Result> results, boolean intervals, TableFormat format) {
        return ProfileTables.of(
                        results,
                        List.of(),
                        new ProfileTables.Content(intervals, true, new Detail(1, true), CommandWords.NAMES))
                .stream()
                .map(format::render)
                .collect(Collectors.joining("\n"));
    }

    static List<Layout> layouts() {
        return Layout.all();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void layout(Layout layout) throws IOException {
        List<Result> own = own(layout);
        List<Result> all = new ArrayList<>(own);
        layout.published(own).stream()
                .filter(result -> SHOWN.stream().anyMatch(result.model()::startsWith))
                .forEach(all::add);
        Leaderboard board =
                new Leaderboard(all, measure(layout), layout.toString().equals("length"), 2);
        compare(layout.toString(), format -> format.render(layout.table(board)));
    }

    /** Models whose published rows are shown: golden files should be read, so they are short. */
    private static final List<String> SHOWN = List.of(
            "BM25",
            "bge-m3",
            "Qwen3-Embedding-0.6B",
            "ModernBERT-base",
            "bge-reranker-v2-m3",
            "Contriever",
            "mean of 8 models");

    private static final String BGE_RERANKER = "bge-reranker-v2-m3";
    private static final String TIE_AVERAGED = "nDCG_tieavg@10";

    private static List<Result> own(Layout layout) {
        return switch (layout.toString()) {
            case "position", "drop", "table1", "training-table1" ->
                List.of(
                        linked(result(layout, "bm25", "sparse", "fineweb-posq", 0.75), "posq", "BM25"),
                        linked(result(layout, "bge", "reranker", "fineweb-posq-tiny", 0.8), "posq", BGE_RERANKER),
                        result(layout, "my|model_1 & <co>", "reranker", "fineweb-posq-tiny", 1.0),
                        result(layout, "bm25", "sparse", "fineweb-posq-tiny", 0.7),
                        result(layout, "bm25", "sparse", "other", 0.6));
            case "colder-retrieval" ->
                List.of(
                        linked(Results.of("contriever", "dense", "redocred", 0.75), "colder", "Contriever"),
                        Results.of("bm25", "sparse", "redocred", 0.6));
            case "training-table2" ->
                List.of(
                        Results.of("mine", "dense", "scifact", 0.75),
                        Results.of("mine", "dense", "fever", 0.5),
                        Results.of("other", "dense", "scifact", 0.6));
            case "leaderboard" ->
                List.of(Results.withPlaces(
                        Results.of("mine", "dense", "wiki", 0.75),
                        List.of(new ContentFixed.Place(1, 0.8, null, 0.0), new ContentFixed.Place(2, 0.7, null, 0.5))));
            case "training-table3" -> List.of(Results.of("mine", "dense", "posir", 0.75));
            default ->
                List.of(
                        linked(Results.ofLengths("bge-m3-posir", "posir/fra-Latn", 0.6), "posir", "bge-m3"),
                        linked(Results.ofLengths("bge-m3-posir", "posir/fra-Latn-eng-Latn", 0.5), "posir", "bge-m3"),
                        Results.ofLengths("mine", "posir/fra-Latn", 0.4),
                        Results.ofLengths("mine", "posir/deu-Latn", 0.8));
        };
    }

    private static Result result(Layout layout, String model, String family, String dataset, double first) {
        return Results.of(measure(layout), model, family, dataset, first);
    }

    private static String measure(Layout layout) {
        return layout.toString().startsWith("direction") ? "nDCG@10" : layout.publishedMeasure();
    }

    private static Result linked(Result result, String paper, String model) {
        result.recipe().put("published-as", Map.of(paper, model));
        return result;
    }

    @Test
    void colourMarksTheBestAndTheVerdict() throws IOException {
        Table table = ProfileTables.of(RESULTS, List.of(), ProfileTables.Content.USUAL)
                .getFirst();
        String plain = TableFormat.TABLE.render(table);
        String coloured = TableFormat.TABLE.render(table, new TerminalStyle(true, 80));
        assertThat(coloured)
                .contains("\u001b[1m100.0\u001b[0m", "\u001b[4m75.0\u001b[0m")
                .contains("\u001b[32mcontent\u001b[0m");
        assertThat(coloured.replaceAll("\u001b\\[\\d+m", "")).isEqualTo(plain);
    }

    /** The stars of Table 1 of the SQuAD-PosQ paper, and no others. */
    @Test
    void starsStandWhereThePaperHasThem() {
        Table table = Layout.find("table1")
                .table(new Leaderboard(Layout.find("table1").published(List.of()), TIE_AVERAGED, false, 2));
        List<String> without = table.rows().stream()
                .map(row -> row.cells().getFirst())
                .filter(name -> name.endsWith(" (published)") && !name.contains("*"))
                .map(name -> name.replace(" (published)", ""))
                .toList();
        assertThat(without)
                .containsExactly(
                        "BM25",
                        "bge-reranker-v2-m3",
                        "Qwen3-Reranker-0.6B",
                        "gte-multilingual-reranker",
                        "Qwen3-Reranker-4B",
                        "bge-reranker-v2-gemma",
                        "Qwen3-Reranker-8B");
    }

    @Test
    void equalDigitsShareAMark() {
        Grid grid = new Grid();
        for (double value : new double[] {0.50001, 0.50004, 0.3, 0.2, 0.3}) {
            grid.add(List.of(
                    Cell.word("x"), Cell.points(Value.of(value), false, 2), Cell.psi(Value.of(value), false, 2)));
        }
        grid.mark();
        assertThat(grid.rows().stream().map(row -> row.mark(1)))
                .containsExactly(Mark.BEST, Mark.BEST, Mark.SECOND, Mark.NONE, Mark.SECOND);
        assertThat(grid.rows().stream().map(row -> row.mark(2)))
                .containsExactly(Mark.NONE, Mark.NONE, Mark.SECOND, Mark.BEST, Mark.SECOND);
    }

    /** Of a, b, c, d: only c is worse than a, d is worse than all; b and c are not told apart. */
    @Test
    void numbersWithTestsAreMarkedByThem() {
        Map<String, Set<String>> better =
                Map.of("a", Set.of(), "b", Set.of(), "c", Set.of("a"), "d", Set.of("a", "b", "c"));
        assertThat(tested(better, List.of("a", "b", "c", "d")).stream().map(row -> row.mark(0)))
                .containsExactly(Mark.BEST, Mark.BEST, Mark.SECOND, Mark.NONE);
        assertThat(tested(better, List.of("a", "b", "c", "d")).stream()
                        .map(row -> row.cells().getFirst()))
                .containsExactly("70.0 cd", "69.0 d ", "68.0 d ", "67.0   ");
        // Without a difference there is nothing to mark; without d, c is the only one that is worse.
        assertThat(tested(better, List.of("b", "c")).stream().map(row -> row.mark(0)))
                .containsOnly(Mark.NONE);
        assertThat(tested(better, List.of("a", "c")).stream().map(row -> row.mark(0)))
                .containsExactly(Mark.BEST, Mark.SECOND);
    }

    /** One number without tests leaves the column to its values. */
    @Test
    void numbersWithoutTestsAreMarkedByValue() {
        Grid grid = new Grid();
        grid.add(List.of(cell(0.7).with(new Standing("a", "a", Set.of()))));
        grid.add(List.of(cell(0.69).with(new Standing("b", "b", Set.of()))));
        grid.add(List.of(cell(0.71)));
        grid.mark();
        assertThat(grid.rows().stream().map(row -> row.mark(0))).containsExactly(Mark.SECOND, Mark.NONE, Mark.BEST);
        assertThat(grid.byValue()).containsExactly(0);
        assertThat(grid.tested()).isEmpty();
    }

    private static Cell cell(double value) {
        return Cell.points(Value.of(value), false, 1);
    }

    private static List<Table.Row> tested(Map<String, Set<String>> better, List<String> names) {
        Grid grid = new Grid();
        for (String name : names) {
            grid.add(List.of(cell(0.7 - 0.01 * (name.charAt(0) - 'a'))
                    .with(new Standing(name, name, Objects.requireNonNull(better.get(name))))));
        }
        grid.mark();
        assertThat(grid.tested()).containsExactly(0);
        return grid.rows();
    }

    /** Tables 10 and 11 of the PosIR paper, all 1,800 numbers, from the authors' full-precision output. */
    @Test
    void tablesTenAndElevenOfPosirAreThePapers() {
        Map<String, String> printed = printedByLanguage();
        Map<String, String> made = new HashMap<>();
        for (Layout layout : List.of(Layout.find("posir-table10"), Layout.find("posir-table11"))) {
            made.putAll(byLanguage(layout.table(
                    new Leaderboard(Layout.find("posir-table2").published(List.of()), "nDCG@10", false, 2))));
        }
        assertThat(printed).hasSize(1_800);
        assertThat(made.keySet()).isEqualTo(printed.keySet());
        printed.forEach((place, number) -> assertThat(Double.parseDouble(made.getOrDefault(place, "NaN")))
                .as(place)
                .isCloseTo(Double.parseDouble(number), within(place.endsWith("PSI") ? 0.0056 : 0.0051)));
    }

    private static Map<String, String> printedByLanguage() {
        Map<String, String> languages = Map.of(
                "Arabic",
                "ara-Arab",
                "Chinese",
                "cmn-Hans",
                "German",
                "deu-Latn",
                "English",
                "eng-Latn",
                "French",
                "fra-Latn",
                "Italian",
                "ita-Latn",
                "Korean",
                "kor-Kore",
                "Portuguese",
                "por-Latn",
                "Russian",
                "rus-Cyrl",
                "Spanish",
                "spa-Latn");
        Map<String, String> numbers = new HashMap<>();
        String name = "data/published/posir-table10-11.csv";
        for (Fields row : CsvRows.read(Path.of(name), Configs.read(name))) {
            String band = row.text("length_bucket").equals("all") ? "all lengths" : row.text("length_bucket");
            String place = band.replace('q', 'Q') + ", " + row.text("mode") + " retrieval/"
                    + row.text("model").replace("KaLM-Embedding-12B", "KaLM-Embedding-Gemma3-12B-2511") + "/"
                    + languages.get(row.text("language")) + " ";
            numbers.put(place + "nDCG@10", row.text("ndcg@10"));
            numbers.put(place + "PSI", row.text("psi"));
        }
        return numbers;
    }

    private static Map<String, String> byLanguage(Table table) {
        Map<String, String> numbers = new HashMap<>();
        String section = "";
        for (Table.Row row : table.rows()) {
            if (row.isHeading()) {
                section = row.cells().getFirst();
                continue;
            }
            for (int column = 1; column < row.cells().size(); column++) {
                if (!row.cells().get(column).equals("-")) {
                    numbers.put(
                            section + "/" + row.cells().getFirst().replace(" (published)", "") + "/"
                                    + table.flatHeader().get(column),
                            row.cells().get(column));
                }
            }
        }
        return numbers;
    }

    /**
     * Ours less the published, by hand: of the same model on the same set, of which the tiny subset is another one, in the
     * measure that the paper scored with.
     */
    @Test
    void differencesAreOursLessThePublished() {
        List<Result> own = own(Layout.find("table1"));
        List<Result> all = new ArrayList<>(own);
        all.addAll(Layout.find("table1").published(own));
        Map<String, List<String>> rows =
                Layout.find("table1").table(new Leaderboard(all, TIE_AVERAGED, false, 2)).rows().stream()
                        .filter(row -> row.cells().size() > 2)
                        .collect(Collectors.toMap(
                                row -> row.cells().get(0) + ", " + row.cells().get(1),
                                row -> row.cells().subList(2, 6)));
        // On the full set the paper has BM25: 75.00 - 89.40, 50.00 - 90.80, 25.00 - 88.36, 0.667 - 0.027.
        assertThat(rows)
                .containsEntry("bm25*, full", List.of("75.00", "50.00", "25.00", "0.667"))
                .containsEntry("BM25 (published), full", List.of("89.40", "90.80", "88.36", "0.027"))
                .containsEntry("bm25 minus published, full", List.of("-14.40", "-40.80", "-63.36", "+0.640"))
                // On the tiny one it has rerankers, and not BM25: 80.00 - 94.25 and so on.
                .containsKey("bm25*, tiny")
                .doesNotContainKeys("BM25 (published), tiny", "bm25 minus published, tiny")
                .containsEntry("bge minus published, tiny", List.of("-14.25", "-46.10", "-69.87", "+0.669"));
        // Nothing is compared in a measure that the paper did not score with.
        assertThat(new Leaderboard(all, "nDCG@10", false, 2).isEmpty()).isTrue();
        assertThat(Layout.find("table1").whyNone(own, TIE_AVERAGED)).isEmpty();
        assertThat(Layout.find("table1").whyNone(own, "nDCG@10"))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("fineweb-posq, fineweb-posq-tiny", "nDCG_tieavg@10, not nDCG@10"));
    }

    /** Section 4.1 of the SQuAD-PosQ paper says which models ran on which sets; footnote 5 leaves one out. */
    @Test
    void publishedRowsAreOfTheSetTheyWereComputedOn() {
        Map<String, List<String>> models = Layout.find("table1").published(List.of()).stream()
                .collect(Collectors.groupingBy(
                        Result::dataset, Collectors.mapping(Result::family, Collectors.toList())));
        assertThat(models.get("squad-posq")).hasSize(11).containsOnly("sparse", "dense");
        assertThat(models.get("fineweb-posq")).hasSize(11).containsOnly("sparse", "dense");
        assertThat(models.get("squad-posq-tiny")).hasSize(9).containsOnly("late-interaction", "reranker");
        assertThat(models.get("fineweb-posq-tiny")).hasSize(8).containsOnly("late-interaction", "reranker");
    }

    @Test
    void unknownLayoutsAreSuggested() {
        assertThatThrownBy(() -> Layout.find("posir-tabel2"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("\"posir-tabel2\"", "did you mean posir-table2", "report --help-all");
    }

    @Test
    void theTidyTableHasOneRowForEachBucket() {
        String csv = TableFormat.CSV.render(CsvFiles.buckets(List.of(Results.of("bm25", "sparse", "other", 0.75))));
        assertThat(csv).isEqualTo("""
            model,dataset,measure,stratum,bucket,queries,mean,thin,\
            mean_low,mean_high,query_mean,bucket_mean,psi,psi_low,psi_high,psi_p_value,psi_noise95,verdict
            bm25,other,nDCG@10,all,beginning,100,0.75,false,0.71,0.79,0.6543,0.5,PSI
            bm25,other,nDCG@10,all,middle,80,0.5,false,0.44,0.56,0.6543,0.5,PSI
            bm25,other,nDCG@10,all,end,7,0.25,true,0.0,0.75,0.6543,0.5,PSI
            bm25,other,R@5,all,beginning,100,0.0,false,,,0.0,0.0,,,,,,
            bm25,other,R@5,all,middle,80,0.0,false,,,0.0,0.0,,,,,,
            bm25,other,R@5,all,end,0,,true,,,0.0,0.0,,,,,,
            """.replace("PSI", "0.6666666666666667,0.4,0.8,4.0E-4,0.2,content"));
    }

    @Test
    void csvQuotesWhatItMust() {
        String csv = TableFormat.CSV.render(
                new Table("", List.of(), List.of("a,b", "say \"x\"", "two\nlines", "0-5%", ""), List.of(), List.of()));
        assertThat(csv).isEqualTo("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",0-5%,\n");
    }

    @Test
    void aMeanCountsEachBenchmarkOnce() {
        Psi psi = Psi.of(0.2);
        Profile large = new Profile("nDCG@10", "all", 1000, 0.4, 0.3, psi, List.of());
        Profile small = new Profile("nDCG@10", "all", 10, 0.8, null, psi, List.of());
        List<Profile> both = List.of(large, small);
        assertThat(Profile.mean(both, Profile::queryMean)).isCloseTo(0.6, within(1e-12));
        assertThat(Profile.mean(both, Profile::bucketMean)).isNull();
    }

    /** Table 2 of the PosIR paper, recomputed from the authors' full-precision output: plain means over languages. */
    @Test
    void tableTwoOfPosirComesOutOfTheMacroMean() {
        List<Result> monolingual = Layout.find("posir-table2").published(List.of()).stream()
                .filter(result -> !result.dataset().endsWith("-eng-Latn"))
                .toList();
        Table table = Layout.find("length-mean").table(new Leaderboard(monolingual, "nDCG@10", false, 2));
        Table beside = Layout.find("posir-table2")
                .table(new Leaderboard(Layout.find("posir-table2").published(List.of()), "nDCG@10", false, 2));
        for (int row = 0; row < table.rows().size(); row++) {
            assertThat(beside.rows().get(row).padded(7).cells().subList(2, 7))
                    .isEqualTo(table.rows().get(row).padded(12).cells().subList(2, 7));
        }
        Map<String, List<String>> rows = table.rows().stream()
                .filter(row -> !row.isHeading())
                .collect(Collectors.toMap(
                        row -> row.cells().getFirst().replace(" (published)", ""),
                        row -> row.cells().subList(2, 7)));
        // Printed in the paper: posir, Q1 to Q4.
        assertThat(rows)
                .containsEntry("bge-m3", List.of("43.22", "57.16", "43.48", "35.13", "29.72"))
                .containsEntry("gte-multilingual-base", List.of("47.37", "61.28", "48.79", "39.21", "32.01"))
                .containsEntry("Qwen3-Embedding-0.6B", List.of("53.63", "62.93", "54.41", "48.11", "43.32"))
                .containsEntry("inf-retriever-v1-1.5b", List.of("58.81", "67.82", "58.40", "53.90", "51.20"))
                .containsEntry("Qwen3-Embedding-4B", List.of("62.26", "71.63", "62.91", "56.74", "50.96"))
                .containsEntry("inf-retriever-v1", List.of("65.01", "74.71", "65.03", "59.82", "54.68"))
                .containsEntry("NV-Embed-v2", List.of("45.02", "70.48", "47.12", "26.33", "16.27"))
                .containsEntry("llama-embed-nemotron-8b", List.of("64.09", "75.76", "64.16", "57.47", "52.28"))
                .containsEntry("Qwen3-Embedding-8B", List.of("64.08", "72.68", "64.33", "59.00", "53.87"))
                .containsEntry("KaLM-Embedding-Gemma3-12B-2511", List.of("51.87", "74.01", "54.64", "35.11", "27.65"));
        // Printed: rho 0.62 0.73 0.71 0.44 0.39, p 0.054 0.016 0.022 0.200 0.260.
        assertThat(rows)
                .containsEntry("Spearman's rho", List.of("0.624", "0.733", "0.709", "0.442", "0.394"))
                .containsEntry("p-value", List.of("0.054", "0.016", "0.022", "0.200", "0.260"));
    }

    /** PSI of every published row, from its bucket values, to the three digits printed. */
    @Test
    void everyPublishedPsiComesOutOfItsBuckets() {
        List<Result> published = Layout.find("table1").published(List.of());
        assertThat(published).hasSize(20 + 19);
        for (Result result : published) {
            Profile profile = Objects.requireNonNull(result.profile(TIE_AVERAGED, "all"));
            Double printed = profile.psi().value();
            Double computed = Psi.of(profile.buckets()).value();
            assertThat(Objects.requireNonNull(computed))
                    .as(result.model() + " on " + result.dataset())
                    .isCloseTo(Objects.requireNonNull(printed), within(0.001));
        }
    }
}
