package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.result.ResultFileTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherCommandsTest {
    @TempDir
    Path temp;

    private Path cell = Path.of("");

    @BeforeEach
    void evaluate() {
        cell = temp.resolve("cell");
        Cli.run("eval --model bm25 --dataset demo --out", cell);
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
                "score --run", cell.resolve("run.trec.gz"), "--dataset demo --blind none --out", temp.resolve("s"));
        Cli.Ended eval = Cli.run("eval --model bm25 --dataset demo --out", cell);
        assertThat(score.code()).isZero();
        assertThat(numbers(score.out())).isEqualTo(numbers(eval.out())).hasSize(2);
        assertThat(temp.resolve("s/queries.csv")).hasSameTextualContentAs(cell.resolve("queries.csv"));
        assertThat(ResultFileTest.violations(Files.readString(temp.resolve("s/result.json"))))
                .isEmpty();
    }

    @Test
    void scoreAndPoolKeepOtherResultsUnlessToldToOverwrite() throws IOException {
        Path run = cell.resolve("run.trec.gz");
        Path target = temp.resolve("s");
        String[] score = {"score --run", run.toString(), "--dataset demo --out", target.toString()};
        Cli.Ended first = Cli.run((Object[]) score);
        Cli.Ended again = Cli.run((Object[]) score);
        assertThat(again.out()).isEqualTo(first.out());
        assertThat(again.err())
                .startsWith("run on demo: finished before, see " + target + " ")
                .hasLineCount(1);
        Path other = Files.writeString(temp.resolve("run.trec"), "q0000 Q0 village-larkhill 1 2.5 x\n");
        Cli.run("score --run", other, "--dataset demo --out", target)
                .fails(1, target.toString(), "file run.trec -> run.trec.gz");
        Cli.run("pool --name demo --out", target, cell).fails(1, target.toString(), "another model or dataset");
        Cli.Ended replaced = Cli.run("pool --name demo --out", target, "--overwrite", cell);
        assertThat(replaced.err()).isEqualTo("1 result pooled; files in " + target + "\n");
        Cli.Ended pooledBefore = Cli.run("pool --name demo --out", target, cell);
        assertThat(pooledBefore.err()).startsWith("bm25 on demo: finished before, see ");
        assertThat(pooledBefore.out()).isEqualTo(replaced.out());
    }

    @Test
    void scoreWritesTheFilesOfACell() {
        Cli.Ended ended =
                Cli.run("score --run", cell.resolve("run.trec.gz"), "--dataset demo --name bm25 --results", temp);
        Path folder = temp.resolve("demo/bm25");
        assertThat(ended.err()).endsWith("; files in " + folder + "\n");
        for (String file : List.of("run.trec.gz", "queries.csv", "buckets.csv")) {
            assertThat(folder.resolve(file)).hasSameBinaryContentAs(cell.resolve(file));
        }
        Cli.run("score --run", cell.resolve("run.trec.gz"), "--dataset demo --name", "a b", "--results", temp)
                .fails(2, "\"a b\"", "--name", "--out");
    }

    @Test
    void severalRunsMakeOneTable() throws IOException {
        Path one = Files.writeString(temp.resolve("one.trec"), "q0000 Q0 village-larkhill 1 2.5 x\n");
        Path two = Files.writeString(temp.resolve("two.json"), "{\"q0000\": {\"village-larkhill\": 2.5}}");
        Path all = temp.resolve("all");
        Cli.Ended both = Cli.run(
                        "score --run", one, two, "--partial --dataset demo --draws 0 --blind none --results", all)
                .ok();
        assertThat(both.out()).contains("\none ", "\ntwo ");
        assertThat(all.resolve("demo/one/queries.csv")).hasSameTextualContentAs(all.resolve("demo/two/queries.csv"));
        Files.delete(all.resolve("demo/one/run.trec.gz"));
        Cli.Ended again = Cli.run(
                "score --run", one, "--run", two, "--partial --dataset demo --draws 0 --blind none --results", all);
        assertThat(again.out()).isEqualTo(both.out());
        assertThat(again.err())
                .contains("files in " + all.resolve("demo/one"))
                .contains("two on demo: finished before");
        assertThat(all.resolve("demo/one/run.trec.gz")).exists();

        Cli.Ended named = Cli.run(
                "score --run", one, one, "--name a,b --partial --dataset demo --draws 0 --blind none --results", all);
        assertThat(named.out()).contains("\na ", "\nb ");
        Cli.run("score --run", one, "--run", one, "--dataset demo").fails(2, "\"one\"", "--name");
        Cli.run("score --run", one, two, "--name a --dataset demo").fails(2, "--name", "1", "2 runs");
        assertThat(Cli.run("score --run", one, two, "--dataset demo --out", all).code())
                .isEqualTo(2);
    }

    @Test
    void scoreNotesNegativeScoresAndRefusesBadRuns() throws IOException {
        Path run = Files.writeString(temp.resolve("logits.trec"), "q0000 Q0 village-larkhill 1 -2.5 x\n");
        Cli.Ended negative = Cli.run(
                        "score --run", run, "--partial --dataset demo --draws 0 --results", temp.resolve("n"))
                .ok();
        assertThat(negative.err())
                .contains(
                        "note: negative scores",
                        "1 of 1 score\n",
                        "\nlogits on demo: 1 hit; the run lacks 1,199 of 1,200 queries; ");
        assertThat(negative.out()).contains("logits found nothing for 1199 ");
        Files.writeString(run, "q0000 Q0 village-larkhill 1 NaN x\n");
        Cli.run("score --run", run, "--dataset demo --out", temp.resolve("none"))
                .fails(1, run + ":1: ", "score \"NaN\"");
        assertThat(temp.resolve("none")).doesNotExist();
    }

    @Test
    void twoResultsOfOneCellAreRefused() throws IOException {
        Path copy = Files.createDirectory(temp.resolve("copy")).resolve("result.json");
        Path result = cell.resolve("result.json");
        Files.copy(result, copy);
        Cli.run("report", temp, result).fails(2, "bm25 on demo: ", result + " and " + copy);
        Cli.run("gate --baseline", cell, "--result", result, "--result", result)
                .fails(2, "two results of bm25 on demo");
    }

    @Test
    void reportsFindResultsInFoldersAndAddWhatIsPublished() {
        Cli.Ended found = Cli.run("report", temp, "--format csv");
        assertThat(found.out()).startsWith("model,demo 0-20%,").contains("\nbm25,67.99,");
        Cli.Ended tidy = Cli.run("report", temp, "--format tidy-csv");
        assertThat(tidy.out())
                .startsWith("model,dataset,measure,stratum,bucket,queries,mean,thin")
                .containsPattern("\nbm25,demo,nDCG@10,all,80-100%,240,0\\.6811[^\n]*,even\n");
        Cli.Ended nothing = Cli.run("report", temp, "--with-published");
        assertThat(nothing.err()).isEqualTo("note: no published results on demo\n");
        Cli.Ended all = Cli.run("report --with-published --format markdown");
        assertThat(all.out()).contains("| BM25 (published) | 76.6 |", "| 79.5 | 79.8 | 0.059 | 89.4 |");
        Cli.run("report", temp, "--layout posir-table11").fails(2, "Q4");
        Cli.run("report", temp, "--dataset squad-posq").fails(2, "squad-posq", "demo");
        Cli.run("report", temp, "--measure AP@10").fails(2, "AP@10");
    }

    @Test
    void reportsGoIntoFilesWholeAndIntoMtebsFolders() throws IOException {
        Path file = temp.resolve("new/folder/table.md");
        Cli.Ended written = Cli.run("report", temp, "--format markdown --output", file);
        assertThat(written.out()).isEmpty();
        assertThat(file).hasContent(Cli.run("report", temp, "--format markdown").out());
        Cli.run("report", temp, "--output", temp).fails(1, temp + ": it is a folder");
        assertThat(ResultFileTest.violations(
                        Cli.run("report", temp, "--format json").out()))
                .isEmpty();
        assertThat(Cli.run("report mteb", temp).code()).isEqualTo(2);
        Cli.Ended mteb = Cli.run("report mteb", temp, "--output", temp.resolve("mteb"));
        assertThat(mteb.err()).isEqualTo("2 files in " + temp.resolve("mteb") + "\n");
    }

    @Test
    void poolingTheHalvesOfABenchmarkGivesTheWhole() {
        for (String half : List.of("a", "b")) {
            // Two benchmarks of the same kind: places and facts drawn with other seeds.
            Cli.run("data build demo --seed", half.equals("a") ? 1 : 2, "--out", temp.resolve(half));
            Cli.run("eval --model bm25 --dataset", temp.resolve(half), "--out", temp.resolve("cell-" + half));
        }
        Cli.Ended pooled = Cli.run(
                        "pool --name both --out",
                        temp.resolve("pooled"),
                        "--width 200",
                        temp.resolve("cell-a"),
                        temp.resolve("cell-b"))
                .ok();
        assertThat(pooled.out()).containsPattern("queries( +480){5} +2400");
        // Their identifiers are the same, as those of translations, so that a passage of both is one cluster.
        assertThat(pooled.err()).contains("translations");
        Fields profile = Json.readJson(temp.resolve("pooled/result.json"))
                .records("results")
                .getFirst()
                .records("profiles")
                .getFirst();
        assertThat(profile.integer("clusters", 0)).isEqualTo(240);
        Cli.Ended turned = Cli.run(
                "pool --name both --out",
                temp.resolve("turned"),
                "--width 200",
                temp.resolve("cell-b"),
                temp.resolve("cell-a"));
        assertThat(turned.out()).isEqualTo(pooled.out());
        assertThat(temp.resolve("turned/queries.csv")).hasSameTextualContentAs(temp.resolve("pooled/queries.csv"));
        Cli.run("pool --name x", temp.resolve("cell-a"), temp.resolve("cell-a")).fails(2, "a, a");
        Cli.run("pool --name x", temp).fails(2, temp + " is not a finished cell", "result.json", "queries.csv");
    }

    @Test
    void benchmarksAreListedDescribedVerifiedAndSampled() throws IOException {
        assertThat(Cli.run("data list --all").out().replaceAll("\\s+", " "))
                .containsPattern(
                        "not pinned .*: climate-fever, fever, fineweb-posq, fineweb-posq-raw, hotpotqa, posir/LANGUAGE/DOMAIN,"
                                + " posir/LANGUAGE-LANGUAGE/DOMAIN, scifact, squad-posq; [^:]*\\z");
        assertThat(Cli.run("data list").out())
                .contains("demo ", "posir/LANGUAGE/DOMAIN ", "0 of 434")
                .containsPattern("squad-posq-tiny +no +");
        assertThat(Cli.run("data info demo").out())
                .containsPattern("# queries +1,200\\n")
                .containsPattern("mean passage length +254\\.72\\n")
                .contains("0-20%");
        assertThat(Cli.run("data info demo --format json").out()).contains("\"in_no_bucket\" : 0");
        Path small = temp.resolve("small");
        assertThat(Cli.run("data sample demo --n 20 --out", small).err())
                .isEqualTo("small: 240 passages, 20 queries in " + small + "\n");
        Cli.run("data sample demo --n 20 --out", small).fails(2, "--out " + small, "--overwrite");
        Cli.Ended perBucket = Cli.run("data sample demo --n 4 --per-bucket --overwrite --out", small);
        assertThat(perBucket.err()).startsWith("small: 240 passages, 20 queries");
        assertThat(Cli.run("data verify", small).out())
                .startsWith("small: 240 passages, 20 queries, 20 ")
                .contains(": sound\n");
        Files.writeString(
                small.resolve("queries.jsonl"),
                Files.readString(small.resolve("queries.jsonl")).replace("?", "!"));
        Cli.Ended tampered = Cli.run("data verify", small);
        assertThat(tampered.code()).isEqualTo(1);
        assertThat(tampered.err())
                .contains("queries.jsonl: has SHA-256 ")
                .contains("the file changed since it was recorded");
        assertThat(Cli.run("data verify --write", small).code()).isZero();
        assertThat(Cli.run("data verify", small).code()).isZero();
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
        Cli.Ended sound = Cli.run("data verify", tiny.folder()).ok();
        assertThat(sound.out().lines().toList().getLast())
                .startsWith("fineweb-posq-tiny (compared with ")
                .contains("dataset.yaml", "as published: 3,000 queries in 3 buckets, ", "13,902 passages");
        tiny.write("dataset.yaml", "name: mine\nbucketing: labels:beginning,middle,end\n");
        assertThat(Cli.run("data verify", tiny.folder()).out()).doesNotContain("published");
        assertThat(Cli.run("data verify", tiny.folder(), "--as fineweb-posq-tiny")
                        .out())
                .containsPattern(
                        "\nmine \\(compared with fineweb-posq-tiny, .*--as.*: 3,000 .* 3 .* 13,902 passages\n\\z");
        Cli.run("data verify", tiny.folder(), "--as mine").fails(2, "--as mine");
        tiny.write("dataset.yaml", "name: fineweb-posq-tiny\nbucketing: labels:beginning,middle,end\n");
        tiny.write("queries.jsonl", queries.toString().replace("\"end\"", "\"middle\""));
        Cli.Ended wrong = Cli.run("data verify", tiny.folder());
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err())
                .containsSubsequence("posbias: fineweb-posq-tiny ", "not as published", "middle has 1,999 ", "1,000")
                .hasLineCount(1);
    }

    @Test
    void aFoldersNameIsNoReasonToCompare() throws IOException {
        TinyBenchmark plain = TinyBenchmark.in(temp.resolve("squad-posq"));
        Files.delete(plain.folder().resolve("dataset.yaml"));
        Cli.Ended ended = Cli.run("data verify", plain.folder()).ok();
        assertThat(ended.out().lines().toList().getLast()).contains("squad-posq", "only its folder", "--as squad-posq");
    }

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
        Cli.Ended verified = posbias.run("data verify posir/eng-Latn");
        assertThat(verified.out().lines().filter(line -> line.endsWith(": sound")))
                .hasSize(31);
        assertThat(verified.err())
                .startsWith("posbias: posir/eng-Latn ")
                .containsSubsequence("62 queries", "42,015", "93 passages", "1,719,701")
                .hasLineCount(1);
        assertThat(verified.code()).isEqualTo(1);
        assertThat(posbias.run("data pull posir/eng-Latn").out().lines()).hasSize(31);
        posbias.run("eval --model bm25 --dataset posir/eng-Latn --draws 0 --results", temp.resolve("en"))
                .ok();
        assertThat(temp.resolve("en/posir/eng-Latn/fineweb/bm25/result.json")).exists();
        posbias.run("data info posir/eng-Latn").fails(2, "posir/eng-Latn", "31 datasets", domains.getFirst());
    }

    @Test
    void onlyBenchmarksAreOverwrittenAndOnlyNamesAreNames() throws IOException {
        Path home = Files.createDirectory(temp.resolve("home"));
        Path thesis = Files.writeString(home.resolve("thesis.tex"), "years of work");
        for (String overwrite : List.of("--gzip", "--overwrite")) {
            Cli.run("data build demo --out", home, overwrite).fails(2, "--out " + home, "thesis.tex");
        }
        assertThat(thesis).hasContent("years of work");
        Cli.run("data build demo --out", temp.resolve("my demo")).fails(2, "\"my demo\"", "--name");
        assertThat(Cli.run("data build demo --name my-demo --out", temp.resolve("my demo"))
                        .code())
                .isZero();
    }
}
