package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.store.ModelFinder;
import io.posbias.run.experiment.Experiment;
import io.posbias.score.measure.Measure;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RunCommandTest {
    @TempDir
    Path temp;

    private Path experiment(String yaml) throws IOException {
        return Files.writeString(temp.resolve("mine.yaml"), yaml);
    }

    private Cli.Ended run(Object experiment, Object... more) {
        return Cli.run("run", experiment, "--results", temp.resolve("out"), more);
    }

    private String table(String name) throws IOException {
        return Files.readString(temp.resolve("out/tables/mine").resolve(name));
    }

    @Test
    void evaluatesWhatIsMissingAndWritesTables() throws IOException {
        Path yaml = experiment("""
            name: mine
            models: [bm25, bm25-lucene]
            datasets: [demo]
            settings: {draws: 0}
            tables:
              - {file: a.md}
              - {file: b.tex, layout: table1, format: latex}
              - {file: c.json, format: json}
            """);
        // One cell is there before, made by eval.
        Cli.Ended eval = Cli.run(
                "eval", "--model", "bm25", "--dataset", "demo", "--draws", 0, "--out", temp.resolve("out/demo/bm25"));
        assertThat(eval.code()).isZero();
        assertThat(run(yaml, "--dry-run").out())
                .startsWith("Forecast by model\n")
                .containsPattern("\nbm25 +1 cell +1 finished +0 ")
                .containsPattern("\nall +2 cells +1 finished, 1 missing +0 ");
        assertThat(run(yaml, "--dry-run", "--verbose").out().replaceAll(" +[0-9.]+ s", " T"))
                .startsWith("""
                    Forecast
                    model        dataset  cell      texts  pairs  calls   time
                    ----------------------------------------------------------
                    bm25         demo     finished      0      0      0 T
                    bm25-lucene  demo     missing       0      0      0 T
                    all                                 0      0      0 T
                    """)
                .contains("""
                    position as markdown: OUT/tables/mine/a.md
                    table1 as latex: OUT/tables/mine/b.tex
                    results as json: OUT/tables/mine/c.json
                    """.replace("OUT", temp.resolve("out").toString()));
        assertThat(temp.resolve("out/tables")).doesNotExist();

        Cli.Ended ended = run(yaml).ok();
        assertThat(ended.err())
                .startsWith("cell 1 of 2: bm25 on demo\n")
                .containsSubsequence(
                        "\nbm25 on demo: finished before", "\ncell 2 of 2: ", "\nbm25-lucene on demo: load ")
                .endsWith("table in " + temp.resolve("out/tables/mine/c.json") + "\n");
        assertThat(table("a.md")).contains("| bm25 | <ins>67.99</ins> |", "| bm25-lucene | **69.68** |");
        assertThat(table("b.tex")).contains("bm25* & \\underline{67.99}");
        assertThat(ResultFileTest.violations(table("c.json"))).isEmpty();
        assertThat(ResultFile.read(temp.resolve("out/tables/mine/c.json"))).hasSize(2);

        byte[] before = Files.readAllBytes(temp.resolve("out/demo/bm25-lucene/result.json"));
        assertThat(run(yaml).err()).contains("bm25-lucene on demo: finished before");
        assertThat(temp.resolve("out/demo/bm25-lucene/result.json")).hasBinaryContent(before);
    }

    @Test
    void aFailingCellDoesNotStopTheOthersAndTheExitCodeTells() throws IOException {
        Files.writeString(temp.resolve("broken.yaml"), "name: broken\nkind: counting\nfail_at: q0123\n");
        Path yaml = experiment("""
            name: mine
            models: [broken.yaml, bm25]
            datasets: [demo]
            settings: {draws: 0}
            tables:
              - {file: a.csv, format: csv}
              - {file: none.csv, format: csv, datasets: [squad-posq]}
            """);
        Cli.Ended ended = run(yaml);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .contains("posbias: broken on demo: query q0123 failed: out of luck")
                .contains("\nmine: 2 failed:\n  broken on demo: ")
                .containsPattern("none.csv: not written: .*\n\\z");
        assertThat(table("a.csv"))
                .startsWith("model,")
                .contains("\nbm25,67.99,")
                .doesNotContain("broken");
        assertThat(temp.resolve("out/tables/mine/none.csv")).doesNotExist();
    }

    @Test
    void oneCellThatFailsIsToldAsOneOfSeveral() throws IOException {
        Files.writeString(temp.resolve("broken.yaml"), "name: broken\nkind: counting\nfail_at: q0123\n");
        Cli.Ended ended = run(experiment("name: mine\nmodels: broken.yaml\ndatasets: demo\n"));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).startsWith("cell 1 of 1: broken on demo\n").contains("\nmine: 1 failed:\n");
    }

    @Test
    void aCellOfOtherSettingsIsMeasuredFromItsRun() throws IOException {
        Path cell = temp.resolve("out/demo/bm25");
        Path yaml = experiment("""
            name: mine
            models: [bm25]
            datasets: [demo]
            settings: {draws: 0}
            tables: [{file: a.csv, format: csv}]
            """);
        Cli.run("eval", "--model", "bm25", "--dataset", "demo", "--draws", 1, "--out", cell);
        byte[] before = Files.readAllBytes(cell.resolve("run.trec.gz"));
        assertThat(run(yaml, "--dry-run", "--verbose").out()).containsPattern("demo     run there +0 +0 +0 +0.0 s\n");
        Cli.Ended measured = run(yaml);
        assertThat(measured.code()).as(measured.err()).isZero();
        assertThat(measured.err()).contains("draws 0, ", " has 1; ", "; measured from " + cell.resolve("run.trec.gz"));
        assertThat(table("a.csv")).contains("\nbm25,67.99,");
        assertThat(cell.resolve("run.trec.gz")).hasBinaryContent(before);
        assertThat(run(yaml).err()).contains("finished before");
        assertThat(run(yaml, "--overwrite", "--dry-run", "--verbose").out()).containsPattern("demo     missing +0");
        assertThat(run(yaml, "--overwrite").code()).isZero();
        assertThat(run(yaml).err()).contains("finished before");
    }

    @Test
    void whatACellLacksIsSaidBeforeItFailsAndFitsATerminal() throws IOException {
        Path yaml = experiment("name: mine\nmodels: [bm25]\ndatasets: [demo]\nk: 200\nsettings: {draws: 0}\n");
        Path cell = temp.resolve("out/demo/bm25");
        Cli.run("eval --model bm25 --dataset demo --draws 0 --out", cell);
        Cli.Ended refused = run(yaml);
        assertThat(refused.code()).isEqualTo(1);
        String line = "bm25 on demo: the result in " + cell + " has k 100, not 200";
        assertThat(refused.err()).contains("posbias: " + line + ": use --overwrite");
        Cli.Ended dry = run(yaml, "--dry-run", "--verbose");
        assertThat(dry.out()).containsPattern("demo     would fail +0").doesNotContain("Settings[");
        assertThat(dry.err()).contains(line);
        assertThat(dry.out().lines()).allMatch(each -> each.length() <= 80);
    }

    @Test
    void poolsWhatBelongsTogether() throws IOException {
        for (String part : List.of("both/a", "both/b")) {
            Path folder = temp.resolve(part);
            Cli.run("data build demo --seed", part.length() + part.hashCode() % 7, "--name", part, "--out", folder)
                    .ok();
        }
        Path yaml = experiment("""
            name: mine
            models: [bm25]
            datasets: [./both/a, ./both/b]
            pool: [both]
            settings: {draws: 0}
            tables: [{file: a.csv, format: csv}]
            """);
        Cli.Ended ended = run(yaml).ok();
        assertThat(ended.err())
                .contains("2 results pooled", temp.resolve("out/both/bm25").toString());
        assertThat(table("a.csv")).startsWith("model,both 0-20%,").doesNotContain("both/a");
        assertThat(ResultFile.read(temp.resolve("out/both/bm25/result.json"))
                        .getFirst()
                        .queries()
                        .judged())
                .isEqualTo(2400);
    }

    static List<String> shipped() {
        return Experiment.builtIn();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyShippedExperimentIsSound(String name) {
        Experiment experiment = Experiment.find(name);
        assertThat(experiment.name()).isEqualTo(name);
        assertThat(experiment.title()).isNotEmpty();
        assertThat(experiment.tables()).isNotEmpty();
        Datasets known = new Datasets(Sessions.in(Path.of("unused")));
        List<String> datasets = new ArrayList<>();
        for (Experiment.ExperimentGroup group : experiment.groups()) {
            assertThat(group.models().stream().map(RecipeBook::find))
                    .extracting(Recipe::name)
                    .containsExactlyElementsOf(group.models());
            assertThat(group.datasets())
                    .allSatisfy(dataset -> assertThat(known.sources(dataset)).isNotEmpty());
            datasets.addAll(group.datasets());
        }
        assertThat(experiment.pools()).allSatisfy(pool -> assertThat(datasets).contains(pool + "/*"));
    }

    /** Section 4.1 and footnote 5 of the paper, and its authors' README for the first stages. */
    @Test
    void tableOneIsThePapers() {
        Experiment experiment = Experiment.find("posq-table1");
        List<String> cells = new ArrayList<>();
        Map<String, List<String>> families = new LinkedHashMap<>();
        ModelFinder finder = new ModelFinder(Session.quiet(Map.of(), temp));
        for (Experiment.ExperimentGroup group : experiment.groups()) {
            assertThat(group.settings().measures())
                    .extracting(Measure::toString)
                    .containsExactly("nDCG_tieavg@10");
            for (Recipe recipe : group.recipes(finder)) {
                group.datasets().forEach(dataset -> cells.add(recipe.family() + " " + dataset));
                families.computeIfAbsent(recipe.family(), family -> new ArrayList<>())
                        .add(recipe.name());
                if (recipe.family().equals("reranker")) {
                    String first = group.datasets().contains("squad-posq-tiny") ? "bm25" : "nv-embed-v2";
                    assertThat(recipe.settings().text("first-stage")).isEqualTo(first);
                }
            }
        }
        assertThat(cells.stream().distinct())
                .containsExactly(
                        "sparse squad-posq",
                        "sparse fineweb-posq",
                        "dense squad-posq",
                        "dense fineweb-posq",
                        "late-interaction squad-posq-tiny",
                        "late-interaction fineweb-posq-tiny",
                        "reranker squad-posq-tiny",
                        "reranker fineweb-posq-tiny");
        // 39 rows of numbers: 20 models on SQuAD-PosQ, all but colbertv2.0 on FineWeb-PosQ.
        assertThat(cells).hasSize(39);
        assertThat(families.get("late-interaction")).containsOnlyOnce("colbertv2.0-512");
    }

    @Test
    void groupsHaveTheirOwnModelsDatasetsMeasuresAndFirstStages() throws IOException {
        TwoWordBenchmark.write(temp.resolve("words"));
        Cli.run("data sample", temp.resolve("words"), "--n 6 --name few --out", temp.resolve("few"));
        WordTokenizer tokenizer = WordTokenizer.of(TwoWordBenchmark.words());
        Path counter = StandInRerankers.write(
                temp.resolve("counter"),
                "counter",
                StandInRerankers.overlap(tokenizer.size(), 1),
                tokenizer.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\n");
        TwoWordBenchmark.badFirstStage(temp);
        Path yaml = experiment("""
            name: mine
            models: [COUNTER]
            datasets: [./words]
            measures: [nDCG_tieavg@10]
            settings: {draws: 0}
            groups:
              - {models: [bm25]}
              - {first-stage: bm25-lucene}
              - {datasets: [./few], first-stage: bad.yaml, measures: [R@1]}
            tables:
              - {file: a.csv, format: csv}
              - {file: b.csv, format: csv, measure: R@1}
            """.replace("COUNTER", counter.toString()));
        Cli.Ended plan = run(yaml, "--dry-run --verbose");
        assertThat(plan.out().lines().map(line -> line.replaceAll(" +", " ")))
                .as(plan.err())
                .anyMatch(line -> line.matches("model dataset cell texts pairs calls time"))
                .anyMatch(line -> line.matches("bm25 words missing 0 0 0 .*"))
                .anyMatch(line -> line.matches("counter words missing 0 [0-9,]+ 0 .*"));
        Cli.Ended ended = run(yaml).ok();
        assertThat(ended.err()).contains("cell 1 of 3: bm25 on words\n", "cell 3 of 3: counter on few\n");
        assertThat(table("a.csv")).startsWith("model,words 0-20%,").doesNotContain("few");
        assertThat(table("b.csv")).startsWith("model,few 0-20%,").doesNotContain("words");
        Result words =
                ResultFile.read(temp.resolve("out/words/counter/result.json")).getFirst();
        Result few =
                ResultFile.read(temp.resolve("out/few/counter/result.json")).getFirst();
        assertThat(words.recipe()).containsEntry("first-stage", "bm25-lucene");
        assertThat(few.recipe())
                .containsEntry("first-stage", temp.resolve("bad.yaml").toString());
        assertThat(few.measures()).containsExactly("R@1");
    }

    /** The SQuAD-PosQ paper scored with tie-averaged nDCG: only that is compared with its rows, and shown unasked. */
    @Test
    void publishedRowsAreShownInTheMeasureOfThePaper() throws IOException {
        Cli.run("data sample demo --n 40 --name squad-posq --out", temp.resolve("set"));
        Cli.Ended ended = run(experiment("""
            name: mine
            models: [bm25]
            datasets: [./set]
            settings: {draws: 0}
            measures: [nDCG@10, nDCG_tieavg@10]
            tables:
              - {file: a.csv, format: csv, published: true}
              - {file: b.csv, format: csv, published: true, measure: nDCG_tieavg@10}
            """)).ok();
        assertThat(ended.err())
                .contains("note: a.csv: ", " nDCG_tieavg@10, not nDCG@10")
                .doesNotContain("note: b.csv");
        assertThat(table("a.csv")).doesNotContain("published");
        assertThat(table("b.csv")).contains("BM25 (published)", "bm25 minus published", "NV-embed-v2 (published)");
        Path results = temp.resolve("out/squad-posq");
        assertThat(Cli.run("report", results).out()).startsWith("nDCG@10 in points");
        assertThat(Cli.run("report", results, "--with-published").out())
                .startsWith("nDCG_tieavg@10 in points")
                .contains("bm25 minus published")
                .doesNotContain("colbertv2.0");
    }

    @Test
    void listsWhatIsKnownByName() {
        Cli.Ended ended = Cli.run("run --list").ok();
        assertThat(ended.out()).containsPattern("\ndemo +Two BM25s and MiniLM");
    }

    @Test
    void groupsMayNotHaveOneCellTwiceNorAFirstStageThatNobodyTakes() throws IOException {
        Path twice = experiment("name: mine\ndatasets: [demo]\nmodels: [bm25]\ngroups: [{}, {models: [bm25]}]\n");
        run(twice).fails(2, twice + " names bm25 on demo in two groups");
        Path stage = experiment("name: mine\ndatasets: [demo]\nmodels: [bm25]\nfirst-stage: bm25-lucene\n");
        run(stage).fails(2, "first-stage bm25-lucene", "bm25");
        Path none = experiment("name: mine\ndatasets: [demo]\nmodels: [ms-marco-minilm-l6-v2]\nfirst-stage: bm52\n");
        run(none).fails(2, "\"bm52\"", "did you mean bm25?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "modles: [bm25]|unknown field \"modles\"; did you mean models? Known: ",
                "models: []|field \"models\" is missing or empty; an experiment needs one at least",
                "measures: [nDGC@10]|field \"measures\" is wrong: unknown measure \"nDGC@10\"; did you mean nDCG@10?",
                "k: 5|field \"k\" is wrong: nDCG@10 looks at 10 passages, but k is 5",
                "buckets: odd|field \"buckets\" is wrong: buckets \"odd\": unknown kind",
                "settings: {draw: 1}|unknown field \"settings.draw\"; known: thin-below, draws, seed, confidence",
                "settings: {confidence: 2}|field \"settings.confidence\" is 2; it is between 0 and 1",
                "tables: [{file: a/b}]|field \"tables[0].file\" is \"a/b\"; it must be the name of a file",
                "tables: [{file: a, layout: tabel1}]|field \"tables[0].layout\" is wrong: unknown layout \"tabel1\"; did you mean table1?",
                "tables: [{file: a}, {file: a}]|field \"tables\" has two of one file; the second would "
                        + "replace the first",
                "groups: []|field \"groups\" is empty; leave it out, or give a list of groups",
                "groups: [{model: bm25}]|unknown field \"groups[0].model\"; known: models, datasets, measures,"
                        + " first-stage",
                "groups: [{measures: [nDGC@10]}]|field \"groups[0].measures\" is wrong: unknown measure",
                "groups: [{measures: [R@100]}, {measures: [R@200]}]|field \"k\" is wrong: R@200 looks at 200",
                "tables: [{file: a, measure: R@5}]|field \"tables[0].measure\" is R@5; the experiment measures "
                        + "nDCG@10",
                "tables: [{file: a, format: mteb}]|field \"tables[0].format\" is \"mteb\"; it is one of markdown",
                "tables: [{file: a, published: 1}]|field \"tables[0].published\" is 1; it must be true or false",
                "tables: [{file: a, format: json, layout: table1}]|field \"tables[0].layout\" has no "
                        + "meaning with format json",
            })
    void whatIsWrongInAFileIsNamed(String line, String message) throws IOException {
        String rest = (line.startsWith("models") ? "" : "models: [bm25]\n") + "datasets: [demo]\nname: mine\n";
        Cli.Ended ended = run(experiment(line + "\n" + rest));
        assertThat(ended.err())
                .startsWith("posbias: " + temp.resolve("mine.yaml"))
                .contains(message);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(temp.resolve("out")).doesNotExist();
    }
}
