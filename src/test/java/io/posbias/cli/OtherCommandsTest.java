package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.dataset.TinyBenchmark;
import io.posbias.dataset.convert.Catalog;
import io.posbias.dataset.convert.CatalogEntry;
import io.posbias.result.ResultFileTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** score, gate, report, pool, models and the data verbs on the demo. */
class OtherCommandsTest {
    @TempDir
    Path temp;

    private Path cell = Path.of("");

    @BeforeEach
    void evaluate() {
        cell = temp.resolve("cell");
        Cli.run("eval", "--model", "bm25", "--dataset", "demo", "--output", cell);
    }

    private static List<String> numbers(String table) {
        return table.lines()
                .filter(line -> line.startsWith("bm25 ") || line.startsWith("run "))
                .map(line -> line.replaceFirst("^\\S+ +", ""))
                .toList();
    }

    @Test
    void scoringARunGivesTheNumbersOfTheEvaluationThatWroteIt() throws IOException {
        Cli.Ended score = Cli.run(
                "score",
                "--run",
                cell.resolve("run.trec.gz"),
                "--dataset",
                "demo",
                "--blind",
                "none",
                "--output",
                temp.resolve("s"));
        Cli.Ended eval = Cli.run("eval", "--model", "bm25", "--dataset", "demo", "--output", cell);
        assertThat(score.code()).isZero();
        assertThat(numbers(score.out())).isEqualTo(numbers(eval.out())).hasSize(1);
        assertThat(temp.resolve("s/queries.csv")).hasSameTextualContentAs(cell.resolve("queries.csv"));
        assertThat(ResultFileTest.violations(Files.readString(temp.resolve("s/result.json"))))
                .isEmpty();
    }

    @Test
    void scoreAndPoolKeepOtherResultsUnlessToldToOverwrite() throws IOException {
        Path run = cell.resolve("run.trec.gz");
        Path target = temp.resolve("s");
        String[] score = {"score", "--run", run.toString(), "--dataset", "demo", "--output", target.toString()};
        Cli.Ended first = Cli.run((Object[]) score);
        Cli.Ended again = Cli.run((Object[]) score);
        assertThat(again.out()).isEqualTo(first.out());
        assertThat(again.err())
                .isEqualTo("run on demo: finished before, see " + target + " (--overwrite computes it again)\n");
        Path other = Files.writeString(temp.resolve("run.trec"), "q000 Q0 village-larkhill 1 2.5 x\n");
        Cli.Ended refused = Cli.run("score", "--run", other, "--dataset", "demo", "--output", target);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err())
                .startsWith(
                        "posbias: the result in " + target
                                + " was made with another recipe or run: file run.trec, the finished result has run.trec.gz; sha256 ");
        Cli.Ended pool = Cli.run("pool", "--name", "demo", "--output", target, cell);
        assertThat(pool.code()).isEqualTo(1);
        assertThat(pool.err()).startsWith("posbias: the result in " + target + " belongs to another model or dataset");
        Cli.Ended replaced = Cli.run("pool", "--name", "demo", "--output", target, "--overwrite", cell);
        assertThat(replaced.err()).isEqualTo("1 results pooled; files in " + target + "\n");
        Cli.Ended pooledBefore = Cli.run("pool", "--name", "demo", "--output", target, cell);
        assertThat(pooledBefore.err()).startsWith("bm25 on demo: finished before, see ");
        assertThat(pooledBefore.out()).isEqualTo(replaced.out());
    }

    /** A run that eval wrote comes back in the same bytes. */
    @Test
    void scoreWritesTheFilesOfACell() {
        Cli.Ended ended = Cli.run(
                "score",
                "--run",
                cell.resolve("run.trec.gz"),
                "--dataset",
                "demo",
                "--name",
                "bm25",
                "--results",
                temp);
        Path folder = temp.resolve("demo/bm25");
        assertThat(ended.err()).endsWith("; files in " + folder + "\n");
        for (String file : List.of("run.trec.gz", "queries.csv", "buckets.csv")) {
            assertThat(folder.resolve(file)).hasSameBinaryContentAs(cell.resolve(file));
        }
        Cli.Ended named = Cli.run(
                "score", "--run", cell.resolve("run.trec.gz"), "--dataset", "demo", "--name", "a b", "--results", temp);
        assertThat(named.code()).isEqualTo(2);
        assertThat(named.err()).isEqualTo("posbias: \"a b\" cannot name a folder: give --name or --output\n");
    }

    @Test
    void severalRunsMakeOneTable() throws IOException {
        Path one = Files.writeString(temp.resolve("one.trec"), "q000 Q0 village-larkhill 1 2.5 x\n");
        Path two = Files.writeString(temp.resolve("two.json"), "{\"q000\": {\"village-larkhill\": 2.5}}");
        Path all = temp.resolve("all");
        Cli.Ended both = Cli.run(
                "score", "--run", one, two, "--dataset", "demo", "--draws", 0, "--blind", "none", "--results", all);
        assertThat(both.code()).as(both.err()).isZero();
        assertThat(both.out()).contains("\none ", "\ntwo ");
        assertThat(all.resolve("demo/one/queries.csv")).hasSameTextualContentAs(all.resolve("demo/two/queries.csv"));
        Files.delete(all.resolve("demo/one/run.trec.gz"));
        Cli.Ended again = Cli.run(
                "score",
                "--run",
                one,
                "--run",
                two,
                "--dataset",
                "demo",
                "--draws",
                0,
                "--blind",
                "none",
                "--results",
                all);
        assertThat(again.out()).isEqualTo(both.out());
        assertThat(again.err())
                .startsWith("one on demo: run.trec.gz is missing; computed again\n")
                .contains("two on demo: finished before");
        assertThat(all.resolve("demo/one/run.trec.gz")).exists();

        Cli.Ended named = Cli.run(
                "score", "--run", one, one, "--name", "a,b", "--dataset", "demo", "--draws", 0, "--blind", "none");
        assertThat(named.out()).contains("\na ", "\nb ");
        Cli.Ended twins = Cli.run("score", "--run", one, "--run", one, "--dataset", "demo");
        assertThat(twins.err()).isEqualTo("posbias: two runs are called \"one\": give each a --name\n");
        assertThat(twins.code()).isEqualTo(2);
        assertThat(Cli.run("score", "--run", one, two, "--name", "a", "--dataset", "demo")
                        .err())
                .isEqualTo("posbias: --name gives 1 names for 2 runs\n");
        assertThat(Cli.run("score", "--run", one, two, "--dataset", "demo", "--output", all)
                        .code())
                .isEqualTo(2);
    }

    @Test
    void scoreNotesNegativeScoresAndRefusesBadRuns() throws IOException {
        Path run = Files.writeString(temp.resolve("logits.trec"), "q000 Q0 village-larkhill 1 -2.5 x\n");
        Cli.Ended negative = Cli.run("score", "--run", run, "--dataset", "demo", "--draws", 0);
        assertThat(negative.code()).isZero();
        assertThat(negative.err())
                .startsWith(
                        "note: 1 of 1 scores are negative; they rank below all others\nlogits on demo: 1 hits; load ");
        assertThat(negative.out()).contains("logits found nothing for 299 queries: they score 0");
        Files.writeString(run, "q000 Q0 village-larkhill 1 NaN x\n");
        Cli.Ended nan = Cli.run("score", "--run", run, "--dataset", "demo", "--output", temp.resolve("none"));
        assertThat(nan.code()).isEqualTo(1);
        assertThat(nan.err()).isEqualTo("posbias: " + run + ":1: score \"NaN\"; scores are finite numbers\n");
        assertThat(temp.resolve("none")).doesNotExist();
        Cli.Ended missing = Cli.run("score", "--run", "none.trec", "--dataset", "demo");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).isEqualTo("posbias: --run none.trec: no such file\n");
    }

    @Test
    void theGateOpensForTheSameNumbersAndShutsForOthers() throws IOException {
        Path baseline = temp.resolve("baseline.json");
        Path result = cell.resolve("result.json");
        Cli.Ended written = Cli.run("gate", "--write", "--baseline", baseline, "--result", result);
        assertThat(written.out()).isEqualTo("8 numbers written to " + baseline + "\n");
        Cli.Ended same = Cli.run("gate", "--baseline", baseline, "--result", result);
        assertThat(same.out()).isEqualTo("8 numbers compared, 0 differ: pass\n");
        assertThat(same.code()).isZero();

        String text = Files.readString(baseline);
        Files.writeString(baseline, text.replace("0.526", "0.506"));
        Cli.Ended better = Cli.run("gate", "--baseline", baseline, "--result", result);
        assertThat(better.code()).isEqualTo(3);
        assertThat(better.out())
                .isEqualTo(
                        "better: bm25 on demo, nDCG@10, all, bucket 0-20%: 0.5267, baseline 0.5067 (+0.0200, tolerance"
                                + " 0.005)\n8 numbers compared, 1 differ: fail\n");
        assertThat(Cli.run("gate", "--baseline", baseline, "--result", result, "--allow-better")
                        .code())
                .isZero();
        assertThat(Cli.run("gate", "--baseline", baseline, "--result", result, "--tolerance", "0.03")
                        .code())
                .isZero();

        Files.writeString(baseline, text.replace("0.526", "0.546"));
        Cli.Ended worse = Cli.run("gate", "--baseline", baseline, "--result", result, "--allow-better");
        assertThat(worse.code()).isEqualTo(3);
        assertThat(worse.out()).startsWith("worse: bm25 on demo, nDCG@10, all, bucket 0-20%: 0.5267, baseline 0.5467");

        Files.writeString(baseline, text.replace("\"bm25\"", "\"dense\""));
        Cli.Ended missing = Cli.run("gate", "--baseline", baseline, "--result", result);
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.out()).startsWith("missing: dense on demo: no result\n");
        assertThat(Cli.run("gate", "--baseline", temp.resolve("none"), "--result", result)
                        .code())
                .isEqualTo(2);
        assertThat(Cli.run("gate", "--baseline", baseline, "--result", temp.resolve("none"))
                        .err())
                .isEqualTo("posbias: --result " + temp.resolve("none") + ": no such file\n");
    }

    @Test
    void twoResultsOfOneCellAreRefused() throws IOException {
        Path copy = Files.createDirectory(temp.resolve("copy")).resolve("result.json");
        Path result = cell.resolve("result.json");
        Files.copy(result, copy);
        assertThat(Cli.run("report", temp, result).err())
                .isEqualTo(
                        "posbias: two results of bm25 on demo: " + result + " and " + copy + "; a table shows one\n");
        Path baseline = temp.resolve("baseline.json");
        Cli.run("gate", "--write", "--baseline", baseline, "--result", result);
        assertThat(Cli.run("gate", "--baseline", baseline, "--result", result, "--result", copy)
                        .err())
                .isEqualTo("posbias: two results of bm25 on demo: give one\n");
    }

    @Test
    void reportsFindResultsInFoldersAndAddWhatIsPublished() {
        Cli.Ended found = Cli.run("report", temp, "--format", "csv");
        assertThat(found.out()).startsWith("model,demo 0-20%,").contains("\nbm25,52.67,");
        Cli.Ended tidy = Cli.run("report", temp, "--format", "tidy-csv");
        assertThat(tidy.out())
                .startsWith("model,dataset,measure,stratum,bucket,queries,mean,thin")
                .containsPattern("\nbm25,demo,nDCG@10,all,80-100%,60,0\\.5487[^\n]*,undecided\n");
        Cli.Ended nothing = Cli.run("report", temp, "--with-published");
        assertThat(nothing.err()).isEqualTo("note: no published results on demo\n");
        Cli.Ended all = Cli.run("report", "--with-published", "--format", "markdown");
        assertThat(all.out())
                .contains(
                        "| BM25 (published) | 76.62 | 79.37 | 80.61 | 81.06 | 81.43 | 79.49 | 79.76 | 0.059 | 89.40 |");
        assertThat(Cli.run("report", "--with-published", "--measure", "nDCG@10").err())
                .isEqualTo("note: the published results on squad-posq, fineweb-posq, squad-posq-tiny, fineweb-posq-tiny"
                        + " are nDCG_tieavg@10, not nDCG@10: evaluate with that measure to compare\n"
                        + "posbias: no result has the measure nDCG@10\n");
        assertThat(Cli.run("report").code()).isEqualTo(2);
        assertThat(Cli.run("report", temp, "--average").err())
                .isEqualTo("posbias: --average belongs to --layout length\n");
        assertThat(Cli.run("report", temp, "--layout", "postion").err())
                .startsWith("posbias: unknown layout \"postion\"; did you mean position? Known: position, length, ");
        assertThat(Cli.run("report", temp, "--layout", "posir-table11").err())
                .isEqualTo("posbias: no result has the bands of length that this layout shows: Q4\n");
        assertThat(Cli.run("report", temp, "--dataset", "squad-posq").err())
                .isEqualTo("posbias: no result is on squad-posq; there are results on demo\n");
        assertThat(Cli.run("report", "--with-published", "--format", "json").err())
                .isEqualTo("posbias: give result.json files or folders that hold some\n");
        assertThat(Cli.run("report", temp, "--measure", "AP@10").err())
                .isEqualTo("posbias: no result has the measure AP@10\n");
    }

    @Test
    void reportsGoIntoFilesWholeAndIntoMtebsFolders() throws IOException {
        Path file = temp.resolve("new/folder/table.md");
        Cli.Ended written = Cli.run("report", temp, "--format", "markdown", "--output", file);
        assertThat(written.out()).isEmpty();
        assertThat(file)
                .hasContent(Cli.run("report", temp, "--format", "markdown").out());
        assertThat(Cli.run("report", temp, "--output", temp).err())
                .isEqualTo("posbias: cannot write " + temp + ": it is a folder\n");
        assertThat(ResultFileTest.violations(
                        Cli.run("report", temp, "--format", "json").out()))
                .isEmpty();
        assertThat(Cli.run("report", temp, "--format", "mteb").err())
                .isEqualTo("posbias: --format mteb writes a folder: give --output DIR\n");
        Cli.Ended mteb = Cli.run("report", temp, "--format", "mteb", "--output", temp.resolve("mteb"));
        assertThat(mteb.err()).isEqualTo("2 files in " + temp.resolve("mteb") + "\n");
    }

    @Test
    void poolingTheHalvesOfABenchmarkGivesTheWhole() {
        for (String half : List.of("a", "b")) {
            // Two benchmarks of the same kind: places and facts drawn with other seeds.
            Cli.run("data", "build", "demo", "--seed", half.equals("a") ? 1 : 2, "--out", temp.resolve(half));
            Cli.run(
                    "eval",
                    "--model",
                    "bm25",
                    "--dataset",
                    temp.resolve(half),
                    "--output",
                    temp.resolve("cell-" + half));
        }
        Cli.Ended pooled = Cli.run(
                "pool",
                "--name",
                "both",
                "--output",
                temp.resolve("pooled"),
                "--width",
                200,
                temp.resolve("cell-a"),
                temp.resolve("cell-b"));
        assertThat(pooled.code()).isZero();
        assertThat(pooled.out()).contains("queries           120     120     120     120      120         600");
        Cli.Ended twice = Cli.run("pool", "--name", "x", temp.resolve("cell-a"), temp.resolve("cell-a"));
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).isEqualTo("posbias: the results must be of different datasets: a, a\n");
        Cli.Ended none = Cli.run("pool", "--name", "x", temp);
        assertThat(none.err())
                .isEqualTo("posbias: " + temp + " is no finished cell: it lacks result.json or queries.csv\n");
    }

    @Test
    void poolingOneResultChangesNothing() {
        Cli.Ended eval = Cli.run("eval", "--model", "bm25", "--dataset", "demo", "--output", cell);
        Cli.Ended pooled = Cli.run("pool", "--name", "demo", "--output", temp.resolve("pooled"), cell);
        assertThat(numbers(pooled.out())).isEqualTo(numbers(eval.out()));
    }

    @Test
    void benchmarksAreListedDescribedVerifiedAndSampled() throws IOException {
        assertThat(Cli.run("data", "list", "--all").out().replaceAll("\\s+", " "))
                .endsWith(" not pinned to a commit or to digests of all files, so their servers may change them:"
                        + " climate-fever, fever, fineweb-posq, hotpotqa, posir/LANGUAGE/DOMAIN,"
                        + " posir/LANGUAGE-LANGUAGE/DOMAIN, scifact, squad-posq; dataset.yaml and results hold the"
                        + " digests of what came ");
        assertThat(Cli.run("data", "list").out())
                .contains("demo ", "posir/LANGUAGE/DOMAIN ", "0 of 310")
                .containsPattern("squad-posq-tiny +no +");
        assertThat(Cli.run("data", "info", "demo").out())
                .contains(
                        "# queries                           300", "mean passage length              163.49", "0-20%");
        assertThat(Cli.run("data", "info", "demo", "--format", "json").out()).contains("\"in_no_bucket\" : 0");
        Path small = temp.resolve("small");
        assertThat(Cli.run("data", "sample", "demo", "--n", 20, "--out", small).err())
                .isEqualTo("small: 240 passages, 20 queries in " + small + "\n");
        assertThat(Cli.run("data", "sample", "demo", "--n", 20, "--out", small).err())
                .isEqualTo("posbias: --out " + small + " holds a benchmark: use --overwrite to replace it\n");
        Cli.Ended perBucket =
                Cli.run("data", "sample", "demo", "--n", 4, "--per-bucket", "--overwrite", "--out", small);
        assertThat(perBucket.err()).startsWith("small: 240 passages, 20 queries");
        assertThat(Cli.run("data", "verify", small).out())
                .startsWith("small: 240 passages, 20 queries, 20 with judgements: sound\n");
        Files.writeString(
                small.resolve("queries.jsonl"),
                Files.readString(small.resolve("queries.jsonl")).replace("?", "!"));
        Cli.Ended tampered = Cli.run("data", "verify", small);
        assertThat(tampered.code()).isEqualTo(1);
        assertThat(tampered.err())
                .contains("queries.jsonl: has SHA-256 ")
                .contains("the file changed since it was recorded");
        assertThat(Cli.run("data", "verify", "--write", small).code()).isZero();
        assertThat(Cli.run("data", "verify", small).code()).isZero();
    }

    /** A set of the catalogue's name has to have the counts that its paper prints; of this one, at most so many queries. */
    @Test
    void verifyComparesWithWhatThePaperPrints() throws IOException {
        StringBuilder passages = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder judgments = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int i = 0; i < 13_902; i++) {
            passages.append("{\"_id\": \"p").append(i).append("\", \"text\": \"text\"}\n");
        }
        String[] labels = {"beginning", "middle", "end"};
        for (int i = 0; i < 2_999; i++) {
            queries.append("{\"_id\": \"q").append(i).append("\", \"text\": \"query\", \"span_class\": \"");
            queries.append(labels[i % 3]).append("\"}\n");
            judgments.append("q").append(i).append("\tp").append(i).append("\t1\n");
        }
        TinyBenchmark tiny = TinyBenchmark.in(temp.resolve("sets/fineweb"))
                .write("dataset.yaml", "name: fineweb-posq-tiny\nbucketing: labels:beginning,middle,end\n")
                .write("corpus.jsonl", passages.toString())
                .write("queries.jsonl", queries.toString())
                .write("qrels/test.tsv", judgments.toString());
        Cli.Ended sound = Cli.run("data", "verify", tiny.folder());
        assertThat(sound.code()).as(sound.err()).isZero();
        assertThat(sound.out())
                .endsWith(
                        "fineweb-posq-tiny (compared with fineweb-posq-tiny, which dataset.yaml names): as published: 3,000"
                                + " queries in 3 buckets, 13,902 passages\n");
        tiny.write("dataset.yaml", "name: mine\nbucketing: labels:beginning,middle,end\n");
        assertThat(Cli.run("data", "verify", tiny.folder()).out()).doesNotContain("published");
        assertThat(Cli.run("data", "verify", tiny.folder(), "--as", "fineweb-posq-tiny")
                        .out())
                .endsWith("mine (compared with fineweb-posq-tiny, which --as names): as published: 3,000 queries in 3"
                        + " buckets, 13,902 passages\n");
        assertThat(Cli.run("data", "verify", tiny.folder(), "--as", "mine").err())
                .startsWith("posbias: --as mine: nothing was published under this name");
        tiny.write("dataset.yaml", "name: fineweb-posq-tiny\nbucketing: labels:beginning,middle,end\n");
        tiny.write("queries.jsonl", queries.toString().replace("\"end\"", "\"middle\""));
        Cli.Ended wrong = Cli.run("data", "verify", tiny.folder());
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err())
                .isEqualTo(
                        "posbias: fineweb-posq-tiny (compared with fineweb-posq-tiny, which dataset.yaml names) is not as published: middle has 1,999 queries, published are"
                                + " 1,000\n");
    }

    /** That a folder is called as a published set says nothing about what is in it. */
    @Test
    void aFoldersNameIsNoReasonToCompare() throws IOException {
        TinyBenchmark plain = TinyBenchmark.in(temp.resolve("squad-posq"));
        Files.delete(plain.folder().resolve("dataset.yaml"));
        Cli.Ended ended = Cli.run("data", "verify", plain.folder());
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out())
                .endsWith(
                        "  not compared with the published squad-posq, as only its folder is called so: --as squad-posq"
                                + " does\n");
    }

    /** A language of PosIR is its 31 domains, wherever a benchmark is named; the paper prints their sums. */
    @Test
    void aLanguageOfPosirStandsForItsDomains() {
        Posbias posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        List<String> domains = Catalog.read().matching("posir/eng-Latn").stream()
                .map(CatalogEntry::name)
                .toList();
        for (String domain : domains) {
            TinyBenchmark.in(posbias.home().resolve("datasets").resolve(domain))
                    .write("dataset.yaml", "name: " + domain + "\nlanguage: en\nbucketing: relative:2\n");
        }
        Cli.Ended verified = posbias.run("data", "verify", "posir/eng-Latn");
        assertThat(verified.out().lines().filter(line -> line.endsWith(": sound")))
                .hasSize(31);
        assertThat(verified.err())
                .isEqualTo("posbias: posir/eng-Latn is not as published: it has 62 queries, published are 42,015;"
                        + " it has 93 passages, published are 1,719,701\n");
        assertThat(verified.code()).isEqualTo(1);
        assertThat(posbias.run("data", "pull", "posir/eng-Latn").out().lines()).hasSize(31);
        Cli.Ended evaluated = posbias.run(
                "eval",
                "--model",
                "bm25",
                "--dataset",
                "posir/eng-Latn",
                "--draws",
                0,
                "--results",
                temp.resolve("en"));
        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        assertThat(temp.resolve("en/posir/eng-Latn/fineweb/bm25/result.json")).exists();
        assertThat(posbias.run("data", "info", "posir/eng-Latn").err())
                .isEqualTo("posbias: posir/eng-Latn names 31 datasets; give one, such as " + domains.getFirst() + "\n");
    }

    @Test
    void onlyBenchmarksAreOverwrittenAndOnlyNamesAreNames() throws IOException {
        Path home = Files.createDirectory(temp.resolve("home"));
        Path thesis = Files.writeString(home.resolve("thesis.tex"), "years of work");
        for (String overwrite : List.of("--gzip", "--overwrite")) {
            Cli.Ended refused = Cli.run("data", "build", "demo", "--out", home, overwrite);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err())
                    .isEqualTo("posbias: --out " + home
                            + " holds thesis.tex, which is no part of a benchmark: give a new folder\n");
        }
        assertThat(thesis).hasContent("years of work");
        for (List<String> command : List.of(List.of("data", "build", "demo", "--out", "x"), List.of("pool", "x"))) {
            List<Object> words = new ArrayList<>(command);
            words.addAll(List.of("--name", "../out"));
            assertThat(Cli.run(words.toArray()).err())
                    .isEqualTo("posbias: --name is \"../out\": a name is made of letters, digits and . _ - / and does"
                            + " not leave its folder\n");
        }
        Cli.Ended spaced = Cli.run("data", "build", "demo", "--out", temp.resolve("my demo"));
        assertThat(spaced.code()).isEqualTo(2);
        assertThat(spaced.err())
                .startsWith("posbias: a benchmark cannot be called \"my demo\" after its folder: give --name;");
        assertThat(Cli.run("data", "build", "demo", "--name", "my-demo", "--out", temp.resolve("my demo"))
                        .code())
                .isZero();
    }

    @Test
    void samplesNeedToKnowHowMany() {
        Path out = temp.resolve("x");
        assertThat(Cli.run("data", "sample", "demo", "--out", out).err())
                .isEqualTo("posbias: give --recipe, or --n with at least 1\n");
        assertThat(Cli.run("data", "sample", "demo", "--recipe", "tiny", "--out", out)
                        .err())
                .isEqualTo("posbias: unknown recipe \"tiny\"; known: squad-posq-tiny, fineweb-posq-tiny\n");
        assertThat(Cli.run("data", "sample", "demo", "--recipe", "squad-posq-tiny", "--n", 3, "--out", out)
                        .err())
                .isEqualTo("posbias: --recipe fixes what is drawn: leave out --n and --per-bucket\n");
    }

    @Test
    void inputsThatAreNotThereAreUsageErrors() {
        Cli.Ended ended = Cli.run("data", "build", "squad-posq", "--input", "none.json", "--out", temp.resolve("x"));
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).isEqualTo("posbias: --input none.json: no such file or folder\n");
    }

    @Test
    void modelsAreListedAndShown() {
        assertThat(Cli.run("models", "list").out()).contains("bm25-lucene", "Kinds that a recipe may name: bm25");
        assertThat(Cli.run("models", "info", "bm25").out()).contains("k1: 1.5\n", "stemmer: \"porter2\"\n");
    }

    @Test
    void aShownRecipeIsARecipe() throws IOException {
        Path recipe = Files.writeString(
                temp.resolve("mine.yaml"), Cli.run("models", "info", "bm25").out());
        Cli.Ended ended = Cli.run("eval", "--model", recipe, "--dataset", "demo", "--output", temp.resolve("mine"));
        assertThat(temp.resolve("mine/run.trec.gz")).hasSameBinaryContentAs(cell.resolve("run.trec.gz"));
        assertThat(ended.code()).isZero();
    }
}
