package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.posbias.SharedData;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.retrieve.RecipeBook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnoseEvidenceTest {
    @TempDir
    Path temp;

    /**
     * Sentences of ten code points with a space between them, 43 in all: middles at 5, 16, 27 and 38. Span of q1: "delta"
     * in the third sentence; of q2: in the last, where its words are not; of q3: over the first two.
     */
    private Path benchmark(boolean spans) {
        String one = spans ? ", \"pos_char_span\": [22, 27]" : "";
        String two = spans ? ", \"pos_char_span\": [36, 40]" : "";
        String three = spans ? ", \"pos_char_span\": [8, 13]" : "";
        return TinyBenchmark.in(temp.resolve(spans ? "spans" : "bare"))
                .write("dataset.yaml", "name: tiny\nlanguage: en\n")
                .write("corpus.jsonl", """
                        {"_id": "p1", "title": "Delta", "text": "Alpha pen. Gamma one. Delta 🦉 y. Kappa ten."}
                        {"_id": "p2", "text": "Nothing at all. Here it is."}
                        {"_id": "p3", "text": "Zeta alone"}
                        """)
                .write(
                        "queries.jsonl",
                        "{\"_id\": \"q1\", \"text\": \"delta\"" + one + "}\n"
                                + "{\"_id\": \"q2\", \"text\": \"gamma\"" + two + "}\n"
                                + "{\"_id\": \"q3\", \"text\": \"alpha kappa\"" + three + "}\n"
                                + "{\"_id\": \"q4\", \"text\": \"unheard\"}\n"
                                + "{\"_id\": \"q5\", \"text\": \"kappa zeta\"}\n"
                                + "{\"_id\": \"q6\", \"text\": \"gamma\"}\n")
                .write("qrels/test.tsv", """
                        query-id\tcorpus-id\tscore
                        q1\tp1\t1
                        q2\tp1\t1
                        q3\tp1\t1
                        q4\tp2\t1
                        q5\tp3\t1
                        q5\tp1\t1
                        q6\tp2\t0
                        """)
                .folder();
    }

    private static Cli.Ended evidence(Object dataset, Object... more) {
        return Cli.run("diagnose evidence --dataset", dataset, "--width 200", more);
    }

    private Fields json(Object dataset, Object... more) {
        List<Object> options = new ArrayList<>(List.of(more));
        options.addAll(List.of("--format json"));
        Cli.Ended ended = evidence(dataset, options.toArray()).ok();
        return Json.parse(temp.resolve("out.json"), ended.out().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * q1 in the third sentence (27/43), q2 in the second (16/43), q3 in the first, for it ties with the last (5/43), q5 in
     * the last of p1, for p1 comes before p3 (38/43); q4 has no word of its passage, q6 no relevant passage.
     */
    @Test
    void theBestSentenceIsTakenForTheEvidence() {
        Fields found = json(benchmark(false), "--model bm25 --bins 4");
        assertThat(found.integer("queries")).isEqualTo(4);
        assertThat(found.integer("without_position")).isEqualTo(1);
        assertThat(found.records("bins").stream().map(bin -> bin.integer("queries")))
                .containsExactly(1, 1, 1, 1);
        assertThat(found.number("mean")).isCloseTo((27 + 16 + 5 + 38) / 4.0 / 43, within(1e-12));
        Fields by = found.record("estimated_by");
        assertThat(by.text("model")).isEqualTo("bm25");
        assertThat(by.text("recipe_sha256")).isEqualTo(RecipeBook.fingerprint(RecipeBook.find("bm25")));
        assertThat(by.integer("several_relevant")).isEqualTo(1);
        assertThat(by.integer("several_best")).isEqualTo(1);
        assertThat(by.has("against_spans")).isFalse();
        Cli.Ended table = evidence(benchmark(false), "--model bm25");
        assertThat(table.out())
                .contains("tiny, estimated by bm25\n", "\nan estimate: ")
                .containsPattern("several relevant passages: 1\\b")
                .containsPattern("several best sentences: 1\\b")
                .containsPattern("(?m)^left out .*: 1 query$")
                .doesNotContain("overlaps the span");
        assertThat(table.err()).startsWith("bm25 on tiny: 5 queries, 18 sentences, ");
    }

    /** Of three queries with a span, q1 and q3 agree; at random 1/4, 1/4 and 2/4 of them would. */
    @Test
    void theEstimateIsHeldAgainstSpans() {
        Path benchmark = benchmark(true);
        Fields found = json(benchmark, "--model bm25");
        Fields against = found.record("estimated_by").record("against_spans");
        assertThat(against.record("overlap").integer("queries")).isEqualTo(2);
        assertThat(against.record("overlap").number("share")).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(against.number("by_chance")).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(against.record("spans").integer("queries")).isEqualTo(3);
        assertThat(against.record("spans").number("mean")).isCloseTo((24.5 + 38 + 10.5) / 3 / 43, within(1e-12));
        assertThat(evidence(benchmark, "--model bm25").out())
                .containsPattern("overlaps the span +2 +0\\.667 +\\[0\\.208, 0\\.939\\]")
                .containsPattern("a random one overlaps it +3 +0\\.333")
                .contains("first third, by spans", "mean position, by spans");
        // Without --model the spans alone count, as before.
        assertThat(json(benchmark).has("estimated_by")).isFalse();
        assertThat(json(benchmark).integer("queries")).isEqualTo(3);
    }

    @Test
    void picturesShowEstimateAndSpans() {
        Path pictures = temp.resolve("pictures");
        Cli.Ended spans = evidence(benchmark(true), "--plots", pictures);
        assertThat(spans.err()).contains("written: " + pictures.resolve("evidence.svg"));
        assertThat(pictures.resolve("evidence.svg")).content().contains("position of the evidence: tiny", "n = 3");
        assertThat(pictures.resolve("starts.svg")).content().contains("start of the evidence: tiny", "n = 3");
        evidence(benchmark(true), "--plots", pictures, "--model bm25");
        assertThat(pictures.resolve("evidence.svg"))
                .content()
                .contains(
                        "as estimated: tiny", "estimated by bm25, n = 4", "by spans, n = 3", "Dashed: evenly spread.");
        assertThat(pictures.resolve("evidence.png")).isNotEmptyFile();
    }

    @Test
    void anyRetrieverEstimatesAndThreadsChangeNothing() {
        Path model = DemoModels.dense(temp);
        String one = evidence("demo", "--model", model, "--n 30 --threads 1 --no-cache")
                .out();
        assertThat(one).contains(" demo, estimated by " + DemoModels.DENSE + "\n");
        assertThat(evidence("demo", "--model", model, "--n 30 --threads 3 --no-cache")
                        .out())
                .isEqualTo(one);
        assertThat(evidence("demo", "--model bm25 --n 30 --seed 7").err()).startsWith("bm25 on demo: 30 queries, ");
    }

    @Test
    void realQuestionsAreMostlyFound() {
        Path out = temp.resolve("xq");
        Cli.run("data build squad-posq --input", SharedData.file("squad-format/xquad.en.json"), "--out", out)
                .ok();
        Fields against = json(out, "--model bm25").record("estimated_by").record("against_spans");
        assertThat(against.record("overlap").number("share")).isBetween(0.75, 0.82);
        assertThat(against.number("by_chance")).isBetween(0.2, 0.3);
    }

    @Test
    void whatCannotBeIsOneLine() {
        Path benchmark = benchmark(false);
        for (String option : List.of("--n", "--seed", "--depth")) {
            evidence(benchmark, option, 3).fails(2, option + " ", "--model");
        }
        evidence(benchmark, "--model bm25 --n 1").fails(2, "--n ", "2", "1");
        Path wordless = TinyBenchmark.in(temp.resolve("wordless"))
                .write("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"x\"}\n{\"_id\": \"q2\", \"text\": \"y\"}\n")
                .write("corpus.jsonl", "{\"_id\": \"p1\", \"text\": \"One two. Three four.\"}\n")
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp1\t1\n")
                .folder();
        Cli.Ended none = evidence(wordless, "--model bm25");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err().lines().toList().getLast())
                .contains("posbias: tiny: bm25 ", "0 of 2 queries", "at least 2");
    }

    private static final String ROWS = """
            {"anchor": "alpha", "positive": "Alpha runs. Bees hum. Cats purr.", "negative": "Dogs bark."}
            {"anchor": "alpha", "positive": "Alpha runs. Bees hum. Cats purr.", "negative": "Eels swim."}
            {"anchor": "foxes", "positive": "Gnus eat. Hens lay. A bird hides. Foxes run.", "negative": "Dogs bark."}
            """;

    private Path file(String name, String text) throws IOException {
        Path file = temp.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    /** Sentences of "alpha" are at 0 to 11 of 32, of "foxes" at 34 to 44 of 44; one query in two rows counts once. */
    @Test
    void filesThatTrainSayWhereTheirEvidenceLies() throws IOException {
        String triples = ROWS.replaceAll("\\{\"anchor\": \"|\"}", "").replaceAll("\", \"[a-z]+\": \"", "\t");
        String tevatron = """
                {"query_id": "1", "query": "alpha", "positive_passages": [{"docid": "a", "title": "", "text": "Alpha runs. \
                Bees hum. Cats purr."}], "negative_passages": [{"docid": "b", "text": "Dogs bark."}]}
                {"query_id": "2", "query": "foxes", "positive_passages": [{"docid": "c", "text": "Gnus eat. Hens lay. A bird \
                hides. Foxes run."}]}
                """;
        String flag = """
                {"query": "alpha", "pos": ["Alpha runs. Bees hum. Cats purr."], "neg": ["Dogs bark."]}
                {"query": "foxes", "pos": ["Gnus eat. Hens lay. A bird hides. Foxes run."], "neg": []}
                """;
        List<Path> files = List.of(
                file("pairs.jsonl", ROWS),
                file("triples.tsv", "query\tpositive\tnegative\n" + triples),
                file("M_B/train.jsonl", tevatron),
                file("flag.jsonl", flag));
        for (Path file : files) {
            Cli.Ended ended = Cli.run(
                            "diagnose evidence", file, "--model bm25 --language en --lengths 40 --format json")
                    .ok();
            Fields found = Json.parse(file, ended.out().getBytes(StandardCharsets.UTF_8));
            assertThat(found.integer("queries")).as(file.toString()).isEqualTo(2);
            assertThat(found.number("mean")).isCloseTo((5.5 / 32 + 39.0 / 44) / 2, within(1e-12));
            assertThat(found.records("lengths"))
                    .extracting(
                            band -> band.text("characters"),
                            band -> band.record("front").integer("queries"),
                            band -> band.record("back").integer("queries"))
                    .containsExactly(tuple("all", 1, 1), tuple("1-40", 1, 0), tuple("41-44", 0, 1));
        }
        assertThat(Cli.run("diagnose evidence", temp.resolve("M_B"), "--model bm25 --language en")
                        .ok()
                        .out())
                .startsWith("Positions of evidence in M_B, estimated by bm25\n");
        Cli.run("eval --model bm25 --language en --dataset", files.getFirst(), "--results", temp.resolve("results"))
                .ok();
    }

    @Test
    void positionsOfTheStart() {
        Fields found = json(benchmark(true), "--at start");
        assertThat(found.text("at")).isEqualTo("start");
        assertThat(found.number("mean")).isCloseTo((22 + 36 + 8) / 3.0 / 43, within(1e-12));
    }

    /** A file whose evidence is all at the back, a model that scores the back higher, and one that does not. */
    @Test
    void trainedModelsShowWhatWasExpected() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            rows.append("{\"anchor\": \"word")
                    .append(i)
                    .append("\", \"positive\": \"Cows moo. Owls hoot. Cats purr. Word")
                    .append(i)
                    .append(" runs.\"}\n");
        }
        Path file = file("train.jsonl", rows.toString());
        Map<String, Object> trained = Map.of("model", "before", "data", Checksums.sha256(file));
        cell("before", Map.of(), 0, 1);
        cell("after", Map.of("trained", trained), 0.5, 2);
        cell("same", Map.of("trained", trained), 0, 3);
        cell("other", Map.of("trained", Map.of("model", "before", "data", "else")), 0.5, 4);
        Cli.Ended ended = Cli.run(
                        "diagnose evidence",
                        file,
                        "--model bm25 --language en --format json --trained",
                        temp.resolve("results"))
                .ok();
        SchemaCheck.check("evidence-positions-1", ended.out());
        assertThat(Json.parse(file, ended.out().getBytes(StandardCharsets.UTF_8))
                        .records("trained"))
                .extracting(row -> row.text("model"), row -> row.text("expected", "-"), row -> row.text("found"))
                .containsExactlyInAnyOrder(
                        tuple("before", "-", "neither"),
                        tuple("after", "back", "back"),
                        tuple("same", "back", "neither"));
        Cli.run("diagnose evidence", file, "--model bm25 --language en --trained", temp.resolve("results/other"))
                .fails(2, "--trained", "no result");
    }

    private void cell(String model, Map<String, Object> recipe, double rise, long seed) throws IOException {
        SyntheticCell cell = new SyntheticCell(300);
        cell.model = model;
        cell.recipe.putAll(recipe);
        SplittableRandom random = new SplittableRandom(seed);
        cell.write(
                temp.resolve("results").resolve(model),
                i -> 0.2 + rise * (i % cell.buckets) / (cell.buckets - 1) + 0.2 * random.nextDouble());
    }

    @Test
    void whatIsNoTrainingFileIsOneLine() throws IOException {
        Cli.run("diagnose evidence").fails(2, "FILE", "--dataset");
        Cli.run("diagnose evidence", file("a.tsv", "what is it\tIt is.\nwho\tHe.\n"))
                .fails(2, "a.tsv", "positive");
        Cli.run("diagnose evidence", file("b.jsonl", ROWS)).fails(2, "--model");
        Cli.run("diagnose evidence", file("c.jsonl", ROWS + "{\"anchor\": \"x\"}\n"), "--model bm25 --language en")
                .fails(1, "c.jsonl:4");
        Cli.run("diagnose evidence --dataset demo --trained", temp).fails(2, "--trained", "FILE");
        Cli.run("diagnose evidence --dataset demo --lengths 3,2").fails(2, "--lengths");
    }
}
