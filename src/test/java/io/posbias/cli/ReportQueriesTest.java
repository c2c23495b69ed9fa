package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.base.process.ExitCode;
import io.posbias.data.dataset.TinyBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ReportQueriesTest {
    private static final int PASSAGES = 30;
    private static final int WORDS = 24;

    /** Evidence begins at or after this code point in the queries of the part. */
    private static final int START = 40;

    @TempDir
    static Path temp;

    /** Two queries on each passage, which count as one; and the same with judgements of some queries alone. */
    @BeforeAll
    static void evaluate() {
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder all = new StringBuilder("query-id\tcorpus-id\tscore\n");
        StringBuilder part = new StringBuilder(all);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < PASSAGES; i++) {
            List<String> words = new ArrayList<>();
            for (int word = 0; word < WORDS - i % 3; word++) {
                words.add("w" + (10 + random.nextInt(20)));
            }
            corpus.append("{\"_id\": \"p%d\", \"text\": \"%s\"}\n".formatted(i, String.join(" ", words)));
            for (int place : new int[] {random.nextInt(10), 10 + random.nextInt(10)}) {
                String id = "q" + i + (place < 10 ? "a" : "b");
                int start = 4 * place;
                queries.append("{\"_id\": \"%s\", \"text\": \"%s\", \"pos_char_span\": [%d, %d]}\n"
                        .formatted(id, String.join(" ", words.subList(place, place + 2)), start, start + 7));
                all.append(id + "\tp" + i + "\t1\n");
                part.append(start >= START ? id + "\tp" + i + "\t1\n" : "");
            }
        }
        for (String name : List.of("all", "part")) {
            Path folder = TinyBenchmark.in(temp.resolve(name))
                    .write("dataset.yaml", "name: " + name + "\nlanguage: de\nbucketing: relative:4\n")
                    .write("corpus.jsonl", corpus.toString())
                    .write("queries.jsonl", queries.toString())
                    .write("qrels/test.tsv", (name.equals("all") ? all : part).toString())
                    .folder();
            eval("bm25", folder, "results-" + name);
        }
        Path tiny = TinyBenchmark.in(temp.resolve("tiny")).folder();
        eval("bm25", tiny, "results-tiny");
        eval("bm25-lucene", tiny, "results-tiny");
    }

    private static void eval(String model, Path dataset, String results) {
        Cli.run("eval --model", model, "--dataset", dataset, "--draws 300 --results", temp.resolve(results))
                .ok();
    }

    private static Cli.Ended report(String results, Object... more) {
        return Cli.run("report", temp.resolve(results), more);
    }

    private static String printed(String results, Object... more) {
        Cli.Ended ended = report(results, more).ok();
        return ended.out();
    }

    private static JsonNode json(String results, Object... more) {
        Object[] all =
                Stream.concat(Arrays.stream(more), Stream.of("--format json")).toArray();
        return Json.mapper().readTree(printed(results, all));
    }

    /** The corpus is the same, so that scores are; intervals, PSI's noise and units follow from the queries alone. */
    @Test
    void someQueriesAreProfiledAsABenchmarkOfThemAlone() throws IOException {
        JsonNode cell = json("results-all", "--where", "start >= " + START).at("/cells/0");
        JsonNode alone = Json.mapper()
                .readTree(Files.readString(temp.resolve("results-part/part/bm25/result.json")))
                .at("/results/0");
        assertThat(cell.get("profiles").toPrettyString())
                .isEqualTo(alone.get("profiles").toPrettyString());
        assertThat(cell.get("queries").asInt()).isEqualTo(PASSAGES);
        assertThat(cell.get("of").asInt()).isEqualTo(2 * PASSAGES);
        assertThat(printed("results-all", "--where", "start >= " + START, "--format tidy-csv"))
                .isEqualTo(Files.readString(temp.resolve("results-part/part/bm25/buckets.csv"))
                        .replace("bm25,part,", "bm25,all,"));
    }

    @Test
    void groupsHoldTheMeansOfTheirQueries() throws IOException {
        double[] sums = new double[2];
        int[] counts = new int[2];
        for (String line : Files.readAllLines(temp.resolve("results-all/all/bm25/queries.csv")).stream()
                .skip(1)
                .toList()) {
            String[] cells = line.split(",", -1);
            int group = Integer.parseInt(cells[4]) < START ? 0 : 1;
            sums[group] += Double.parseDouble(cells[cells.length - 1]);
            counts[group]++;
        }
        JsonNode document = json("results-all", "--by start:" + START);
        for (int group = 0; group < 2; group++) {
            JsonNode cell = document.at("/cells/" + group);
            assertThat(cell.get("value").asString()).isEqualTo(group == 0 ? "<40" : ">=40");
            assertThat(cell.get("queries").asInt()).isEqualTo(counts[group]);
            assertThat(cell.at("/profiles/0/query_mean").asDouble())
                    .isCloseTo(sums[group] / counts[group], within(1e-12));
        }
        assertThat(printed("results-all", "--by start:" + START))
                .startsWith("all, nDCG@10 in points")
                .contains("<40 ", ">=40 ", "† fewer than 30 queries");
        assertThat(printed("results-all", "--by start:" + START, "--format csv"))
                .startsWith("start,model,dataset,measure,stratum,bucket,queries,")
                .contains("\n<40,bm25,all,nDCG@10,all,0-25%,")
                .contains("\n>=40,bm25,all,nDCG@10,all,75-100%,");
        for (String format : List.of("markdown", "latex")) {
            assertThat(printed("results-all", "--by start:" + START, "--format", format))
                    .contains("noise95", "verdict");
        }
    }

    /** Interval and p: scripts/tests/direction_change.py. */
    @Test
    void fieldsOfAFileGroupQueriesByTheirPassage() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < PASSAGES; i++) {
            rows.append("{\"id\": \"p%d\", \"language\": \"de\", \"rating\": %d, \"system\": \"s%d\"}\n"
                    .formatted(i, i % 5, i % 2));
            rows.append("{\"id\": \"p%d\", \"language\": \"fr\", \"rating\": 9, \"system\": \"s\"}\n".formatted(i));
        }
        Path file = Files.writeString(temp.resolve("ratings.jsonl"), rows.toString());
        double[][] sums = new double[2][2];
        int[][] counts = new int[2][2];
        for (String line : Files.readAllLines(temp.resolve("results-all/all/bm25/queries.csv")).stream()
                .skip(1)
                .toList()) {
            String[] cells = line.split(",", -1);
            int high = Integer.parseInt(cells[3].substring(1)) % 5 >= 3 ? 1 : 0;
            double place = (Integer.parseInt(cells[4]) + Integer.parseInt(cells[5])) / 2.0 / Integer.parseInt(cells[6]);
            if (place < 1.0 / 3 || place >= 2.0 / 3) {
                sums[high][place < 0.5 ? 0 : 1] += Double.parseDouble(cells[cells.length - 1]);
                counts[high][place < 0.5 ? 0 : 1]++;
            }
        }
        JsonNode document = json("results-all", "--values", file, "--by rating:3");
        assertThat(document.at("/cells/0/queries").asInt()
                        + document.at("/cells/1/queries").asInt())
                .isEqualTo(2 * PASSAGES);
        JsonNode change = document.at("/changes/0/front_minus_back");
        double low = sums[0][0] / counts[0][0] - sums[0][1] / counts[0][1];
        double high = sums[1][0] / counts[1][0] - sums[1][1] / counts[1][1];
        assertThat(change.at("/first/value").asDouble()).isCloseTo(low, within(1e-12));
        assertThat(change.at("/second/value").asDouble()).isCloseTo(high, within(1e-12));
        assertThat(change.at("/change/value").asDouble()).isCloseTo(high - low, within(1e-12));
        assertThat(json("results-all", "--values", file, "--where", "system = s1")
                        .at("/cells/0/queries")
                        .asInt())
                .isEqualTo(PASSAGES / 2 * 2);

        Path table = Files.writeString(temp.resolve("groups.csv"), "id,group\np1,1\np2,b\np3,1\n");
        JsonNode groups = json("results-all", "--values", table, "--by group");
        assertThat(groups.at("/cells/0/value").asString()).isEqualTo("1");
        assertThat(groups.at("/cells/0/queries").asInt()).isEqualTo(4);
        assertThat(groups.at("/cells/1/value").asString()).isEqualTo("b");

        assertThat(report("results-all", "--values", temp.resolve("none.jsonl"), "--by x")
                        .code())
                .isEqualTo(ExitCode.USAGE);
        Path mixed = Files.writeString(
                temp.resolve("mixed.jsonl"),
                "{\"id\": \"p1\", \"x\": 1}\n{\"id\": \"p2\", \"language\": \"de\", \"x\": 2}\n");
        assertThat(report("results-all", "--values", mixed, "--by x").code()).isEqualTo(ExitCode.FAILURE);
        Path twice = Files.writeString(temp.resolve("twice.jsonl"), "{\"id\": \"p1\", \"x\": 1}\n".repeat(2));
        assertThat(report("results-all", "--values", twice, "--by x").code()).isEqualTo(ExitCode.FAILURE);
        Path taken = Files.writeString(temp.resolve("taken.jsonl"), "{\"id\": \"p1\", \"words\": 1}\n");
        assertThat(report("results-all", "--values", taken, "--by words").code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void selectionsFollowTheirSchema() throws IOException {
        for (String choice : List.of("where", "by")) {
            String value = choice.equals("where") ? "start >= 0" : "start:0";
            SchemaCheck.check("selection-2", printed("results-all", "--" + choice, value, "--format json"));
        }
    }

    /** Passages have 22 to 24 words, ten each; a benchmark that is not there leaves them unknown, and so says the note. */
    @Test
    void wordsAndLanguageComeFromTheBenchmark() throws IOException {
        JsonNode document = json("results-all", "--by words:23,24 --where", "language = de");
        for (int group = 0; group < 3; group++) {
            assertThat(document.at("/cells/" + group + "/queries").asInt()).isEqualTo(20);
        }
        assertThat(printed("results-all", "--where", "words > 22", "--where", "query_words = 2"))
                .contains("all: 40 of 60 queries where words > 22 and");
        Files.move(temp.resolve("all"), temp.resolve("elsewhere"));
        try {
            Cli.Ended without = report("results-all", "--where", "words > 22");
            assertThat(without.code()).isEqualTo(2);
            assertThat(without.err())
                    .contains("note: no words of all: ", "--texts FOLDER")
                    .contains(
                            "no query matches \"words > 22\": all: 0 of 60 ",
                            " 60 queries without these fields left out");
        } finally {
            Files.move(temp.resolve("elsewhere"), temp.resolve("all"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        --where;wrods > 3                        | --where "wrods > 3": unknown field "wrods"; did you mean words?
        --where;start > 1000                     | no query matches "start > 1000": all: 0 of 60 queries
        --by;starts                              | --by: unknown field "starts"; did you mean start?
        --by;query_id                            | --by query_id: the queries have 60 values
        --where;start > 1;--with-published       | --where and --by make tables
        --by;start;--layout;length               | --by makes its own table
        --by;start;--baseline;bm25               | --by makes its own table
        --texts;nowhere                          | --texts belongs to --where or --by
        """)
    void whatMakesNoSenseIsRefused(String options, String error) {
        Cli.Ended ended = report("results-all", (Object[]) options.split(";"));
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("posbias: " + error);
        assertThat(ended.out()).isEmpty();
    }

    private static Cli.Ended show(Object... more) {
        return Cli.run("report", "show", more);
    }

    @Test
    void aQueryIsShownWithItsEvidenceAndEachRanking() {
        Cli.Ended ended = show("q2", temp.resolve("results-tiny")).ok();
        assertThat(ended.out())
                .startsWith("""
                    tiny, query q2: what does the owl hunt
                    bucket middle; evidence at 15 to 19 of 41 characters

                    relevant: p2, Owls
                      An owl 🦉 hunts [[mice]] in the barn at night.

                    """)
                .contains("q2, bm25-lucene: nDCG@10 1.000\n", "q2, bm25: nDCG@10 1.000\n")
                .contains("first relevant passage at rank 1 of ")
                .containsPattern("1     p2 +[0-9.]+ +2  An owl 🦉 hunts \\[\\[mice]] ")
                .doesNotContain("\u001b");
        assertThat(show("q2", temp.resolve("results-tiny"), "--model bm25 --color always")
                        .out())
                .contains("hunts \u001b[1;33mmice\u001b[0m in")
                .doesNotContain("bm25-lucene");
    }

    @Test
    void aQueryIsJsonAndCsvToo() {
        Cli.Ended ended = show("q2", temp.resolve("results-tiny"), "--k 1 --format json");
        JsonNode query = Json.mapper().readTree(ended.out()).at("/queries/0");
        assertThat(query.get("text").asString()).isEqualTo("what does the owl hunt");
        assertThat(query.at("/relevant/0/passage").asString()).isEqualTo("p2");
        assertThat(query.at("/models/0/model").asString()).isEqualTo("bm25");
        assertThat(query.at("/models/0/scores/nDCG@10").asDouble()).isEqualTo(1);
        assertThat(query.at("/models/0/first_relevant").asInt()).isEqualTo(1);
        assertThat(query.at("/models/0/ranking").size()).isEqualTo(1);
        assertThat(query.at("/models/0/ranking/0/grade").asInt()).isEqualTo(2);
        assertThat(show("q2", temp.resolve("results-tiny"), "--k 1 --format csv")
                        .out())
                .startsWith("dataset,query,model,rank,passage,score,grade\ntiny,q2,bm25,1,p2,")
                .endsWith(",2\n");
    }

    @Test
    void singleQueriesFollowTheirSchema() throws IOException {
        Object[] command = {"q2", temp.resolve("results-tiny"), "--format json"};
        SchemaCheck.check("query-1", show(command).out());
        Files.move(temp.resolve("tiny"), temp.resolve("elsewhere"));
        try {
            String without = show(command).out();
            assertThat(without).contains("\"missing\" : ", "\"found\" : null");
            SchemaCheck.check("query-1", without);
        } finally {
            Files.move(temp.resolve("elsewhere"), temp.resolve("tiny"));
        }
    }

    @Test
    void unknownQueriesAndModelsHaveSuggestions() {
        show("Q1", temp.resolve("results-tiny")).fails(2, "\"Q1\"", "did you mean q1");
        show("q1", temp.resolve("results-tiny"), "--model bm52").fails(2, "\"bm52\"", "did you mean bm25?");
    }

    @Test
    void withoutTheBenchmarkItSaysWhatIsMissing() throws IOException {
        Files.move(temp.resolve("tiny"), temp.resolve("elsewhere"));
        try {
            Cli.Ended ended = show("q2", temp.resolve("results-tiny")).ok();
            assertThat(ended.err()).contains("note: no texts and rankings of tiny");
            assertThat(ended.out())
                    .startsWith("tiny, query q2\nbucket middle; ")
                    .contains(" 15 to 19 of 41 characters\n")
                    .contains("bm25: nDCG@10 1.000", "no ranking: ");
        } finally {
            Files.move(temp.resolve("elsewhere"), temp.resolve("tiny"));
        }
    }
}
