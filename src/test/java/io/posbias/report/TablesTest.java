package io.posbias.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.measure.Profile;
import io.posbias.measure.Psi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every table in every format against a golden file. After a change that is meant, look at the difference and run
 * {@code mvn test -Dtest=TablesTest -Dposbias.golden=write}.
 */
class TablesTest {
    private static final List<Result> RESULTS = List.of(
            Results.of("bm25", "sparse", "fineweb-posq", 0.75),
            Results.of("my|model_1 & <co>", "reranker", "fineweb-posq", 1.0),
            Results.of("bm25", "sparse", "other", 0.6));

    private static void compare(String name, TableFormat format, String text) throws IOException {
        Path golden = Path.of("src/test/resources/io/posbias/report", name + "." + format + ".golden");
        if ("write".equals(System.getProperty("posbias.golden"))) {
            Files.writeString(golden, text);
        }
        assertThat(text).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(TableFormat.class)
    void profiles(TableFormat format) throws IOException {
        String text = ProfileTables.of(RESULTS).stream().map(format::render).collect(Collectors.joining("\n"));
        compare("profiles", format, text);
    }

    @ParameterizedTest
    @EnumSource(TableFormat.class)
    void leaderboardByPosition(TableFormat format) throws IOException {
        List<Result> all = new ArrayList<>(RESULTS);
        PublishedResults.posq().stream()
                .filter(result -> result.dataset().equals("fineweb-posq"))
                .limit(3)
                .forEach(all::add);
        compare("position", format, format.render(new Leaderboard(all, "nDCG@10").byPosition()));
    }

    @ParameterizedTest
    @EnumSource(TableFormat.class)
    void leaderboardByLength(TableFormat format) throws IOException {
        List<Result> some = PublishedResults.posir().stream()
                .filter(result ->
                        result.model().startsWith("bge") && result.dataset().contains("fra"))
                .toList();
        compare("length", format, format.render(new Leaderboard(some, "nDCG@10").byLength()));
    }

    @Test
    void theTidyTableHasOneRowForEachBucket() {
        String csv = TableFormat.CSV.render(ProfileTables.tidy(RESULTS.subList(0, 1)));
        assertThat(csv).isEqualTo("""
                        model,dataset,measure,stratum,bucket,queries,mean,thin
                        bm25,fineweb-posq,nDCG@10,all,beginning,100,0.75,false
                        bm25,fineweb-posq,nDCG@10,all,middle,80,0.5,false
                        bm25,fineweb-posq,nDCG@10,all,end,7,0.25,true
                        bm25,fineweb-posq,R@5,all,beginning,100,0.0,false
                        bm25,fineweb-posq,R@5,all,middle,80,0.0,false
                        bm25,fineweb-posq,R@5,all,end,0,,true
                        """);
    }

    @Test
    void csvQuotesWhatItMust() {
        String csv = CsvTable.lines(lines -> lines.accept(List.of("a,b", "say \"x\"", "two\nlines", "0-5%", "")));
        assertThat(csv).isEqualTo("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",0-5%,\n");
    }

    /** Table 2 of the PosIR paper, recomputed from the authors' full-precision output: plain means over languages. */
    @Test
    void tableTwoOfPosirComesOutOfTheMacroMean() {
        List<Result> monolingual = PublishedResults.posir().stream()
                .filter(result -> !result.dataset().endsWith("-eng-Latn"))
                .toList();
        Table table = new Leaderboard(monolingual, "nDCG@10").byLengthAveraged(PublishedResults.mmteb(), "MMTEB");
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
        List<Result> published = PublishedResults.posq();
        assertThat(published).hasSize(20 + 19);
        for (Result result : published) {
            Profile profile = Objects.requireNonNull(result.profile("nDCG@10", "all"));
            Double printed = profile.psi().value();
            Double computed = Psi.of(profile.buckets()).value();
            assertThat(Objects.requireNonNull(computed))
                    .as(result.model() + " on " + result.dataset())
                    .isCloseTo(Objects.requireNonNull(printed), within(0.001));
        }
    }
}
