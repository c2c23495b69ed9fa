package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import io.posbias.base.files.StagingProcess;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import io.posbias.study.calibrate.PlantedBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EarlierCellTest {
    @TempDir
    static Path made;

    @TempDir
    Path temp;

    /** A fifth of the demo: numbers need not be precise, only the same. */
    private static Path demo() {
        return made.resolve("data");
    }

    @BeforeAll
    static void make() {
        Cli.run("data sample demo --n 240 --name demo --out", demo()).ok();
        eval(made.resolve("out")).ok();
        Cli.run("eval --model bm25-lucene --draws 0 --dataset", demo(), "--out", made.resolve("other"))
                .ok();
    }

    /** A copy of the cell that {@link #eval} makes, or of another one beside it. */
    private Path copy(String name) throws IOException {
        Path copy = Files.createDirectory(temp.resolve(name));
        try (Stream<Path> files = Files.list(made.resolve(name))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private static Cli.Ended eval(Path output, Object... more) {
        List<Object> command =
                new ArrayList<>(List.of("eval --model bm25 --blind none --dataset", demo(), "--out", output));
        if (!Cli.words(more).contains("--draws")) {
            command.addAll(List.of("--draws 200"));
        }
        command.addAll(List.of(more));
        return Cli.run(command.toArray());
    }

    private static Map<String, Object> numbers(Path folder) {
        return numbers(ResultFile.read(folder.resolve("result.json")).getFirst());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> numbers(Result result) {
        Map<String, Object> fields = Json.mapper().convertValue(result, Map.class);
        List.of("seconds", "environment").forEach(fields::remove);
        return fields;
    }

    @Test
    void moreMeasuresAreComputedFromTheRunAndTheFilesAreThoseOfAFreshEvaluation() throws IOException {
        Path out = copy("out");
        Cli.Ended more = eval(out, "--measures nDCG@10,R@10");
        assertThat(more.err())
                .containsSubsequence(
                        "bm25 on demo: ", "nDCG@10,R@10, ", "has nDCG@10; ", " -> ", out.resolve("run.trec.gz") + "\n")
                .hasLineCount(1);
        // As long as the other, so that lines break alike.
        Path fresh = temp.resolve("new");
        Cli.Ended again = eval(fresh, "--measures nDCG@10,R@10");
        assertThat(more.out()).isEqualTo(again.out().replace(fresh.toString(), out.toString()));
        for (String file : List.of("run.trec.gz", "queries.csv", "buckets.csv")) {
            assertThat(out.resolve(file)).hasSameBinaryContentAs(fresh.resolve(file));
        }
        assertThat(numbers(out)).isEqualTo(numbers(fresh));
        assertThat(ResultFileTest.violations(Files.readString(out.resolve("result.json"))))
                .isEmpty();
        assertThat(ResultFile.read(out.resolve("result.json"))
                        .getFirst()
                        .provenance()
                        .seconds())
                .containsKeys("index", "search", "read run");
        // What is there already is shown, as far as it is wanted, and the first that is asked for is the headline.
        Cli.Ended less = eval(out, "--measures R@10");
        assertThat(less.err()).contains("measures R@10,nDCG@10, ", "PSI of nDCG@10 ", " -> PSI of R@10 ");
        assertThat(less.out()).contains("demo, R@10").doesNotContain("nDCG@10 in points");
        assertThat(eval(out, "--measures R@10").err()).startsWith("bm25 on demo: finished before");
        assertThat(eval(out, "--measures nDCG@10").ok().out()).doesNotContain("R@10");
        assertThat(numbers(out)).isEqualTo(numbers(fresh));
    }

    /** Digests of the files, by which programs find the numbers that were printed. */
    @Test
    void thePrintedResultNamesTheFilesThatHoldIt() throws IOException {
        Path out = temp.resolve("out");
        Path run = Files.writeString(temp.resolve("a.trec"), "q0000 Q0 fair-birchlow 1 1 a\n");
        Object[] score = {
            "score --partial --dataset demo --blind none --draws 200 --name a --format json --run", run, "--out"
        };
        for (int times = 0; times < 2; times++) {
            for (Cli.Ended ended : List.of(
                    eval(out, "--format json").ok(),
                    Cli.run(Stream.concat(Stream.of(score), Stream.of(temp.resolve("score")))
                            .toArray()))) {
                Path printed = Files.writeString(
                        temp.resolve("printed.json"), ended.ok().out());
                Result result = ResultFile.read(printed).getFirst();
                Path folder = result.model().equals("a") ? temp.resolve("score") : out;
                assertThat(result.provenance().filesSha256())
                        .containsEntry("queries.csv", Checksums.sha256(folder.resolve("queries.csv")));
            }
        }
    }

    /** From its beginning on, or the second to finish would replace what the first wrote, unasked. */
    @Test
    void whoeverMakesACellKeepsOthersFromIt() {
        Path out = temp.resolve("out");
        try (Staging other = new ResultFolder(out).staging(Sessions.shared())) {
            assertThat(other.folder()).exists();
            eval(out, "--k 20").fails(1, out.toString());
        }
        assertThat(eval(out, "--k 20").code()).isZero();
    }

    /** What another process wrote after the check is not replaced unread. */
    @Test
    void aResultThatChangedMeanwhileIsNotReplaced() {
        ResultFolder folder = new ResultFolder(temp.resolve("out"));
        String none = folder.seal();
        eval(folder.path()).ok();
        assertThat(folder.replace(none, Sessions.shared(), Staging::folder)).isEmpty();
        assertThat(folder.replace(folder.seal(), Sessions.shared(), staging -> folder.isBeingWritten()))
                .contains(true);
        assertThat(folder.isBeingWritten()).isFalse();
    }

    /** A kill of the other process ends the wait for it. */
    @Test
    @Timeout(120)
    void whileAnotherProcessMakesACellTheOthersAreMade() throws Exception {
        Path results = temp.resolve("results");
        Path busy = results.resolve("demo/bm25");
        String command = "eval --model bm25,bm25-lucene --dataset demo --blind none --draws 200 --results";
        try (StagingProcess other = StagingProcess.within(busy);
                ExecutorService pool = Executors.newSingleThreadExecutor()) {
            assertThat(other.line()).startsWith("staged ");
            Future<Cli.Ended> waiting = pool.submit(() -> Cli.run(command, results));
            while (!Files.exists(results.resolve("demo/bm25-lucene/result.json")) && !waiting.isDone()) {
                Thread.sleep(20);
            }
            assertThat(waiting.isDone()).isFalse();
            assertThat(busy.resolve("result.json")).doesNotExist();
            other.kill();
            assertThat(waiting.get().ok().out())
                    .isEqualTo(Cli.run(command, temp.resolve("alone")).ok().out());
        }
        assertThat(busy.resolve("queries.csv")).hasSameBinaryContentAs(temp.resolve("alone/demo/bm25/queries.csv"));
        assertThat(busy.resolve(".posbias.lock")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--buckets thirds",
                "--draws 300",
                "--seed 7",
                "--confidence 0.8",
                "--cluster none",
                "--cluster article",
                "--thin-below 70",
                "--buckets relative:4 --measures nDCG,P@5 --draws 0"
            })
    void otherSettingsReplaceTheFindingsAndKeepTheRun(String options) throws IOException {
        Path out = copy("out");
        byte[] before = Files.readAllBytes(out.resolve("run.trec.gz"));
        Object[] other = (options + " --format json").split(" ", -1);
        Cli.Ended measured = eval(out, other).ok();
        String first = options.split(" ", -1)[0].substring(2);
        assertThat(measured.err())
                .contains(first + " ", ", the finished result has ", " -> ", "; measured from ")
                .hasLineCount(1);
        assertThat(out.resolve("run.trec.gz")).hasBinaryContent(before);
        Path fresh = temp.resolve("fresh");
        eval(fresh, other);
        Path printed = Files.writeString(temp.resolve("printed.json"), measured.out());
        assertThat(ResultFile.read(printed).getFirst().profiles())
                .isEqualTo(
                        ResultFile.read(fresh.resolve("result.json")).getFirst().profiles());
        // Stored measures stay, behind those that are asked for.
        Object[] both = options.replace("P@5", "P@5,nDCG@10").split(" ", -1);
        eval(fresh, both);
        assertThat(numbers(out)).isEqualTo(numbers(fresh));
        assertThat(eval(out, other).err()).startsWith("bm25 on demo: finished before");
    }

    /** The process that was killed between the files of a replaced cell had written them all. */
    @Test
    void aKillWhileFindingsAreReplacedCostsNoSearch() throws IOException {
        Path out = copy("out");
        Path fresh = temp.resolve("fresh");
        eval(fresh, "--buckets thirds");
        Path whole = out.resolve(".posbias-0123456789abcdef-whole");
        Files.createDirectories(whole.resolve(".seal"));
        Files.move(fresh.resolve("result.json"), whole.resolve(".seal/result.json"));
        Files.move(fresh.resolve("queries.csv"), whole.resolve("queries.csv"));
        Files.move(fresh.resolve("buckets.csv"), out.resolve("buckets.csv"), StandardCopyOption.REPLACE_EXISTING);
        Files.delete(out.resolve("result.json"));
        assertThat(eval(out, "--buckets thirds").err()).startsWith("bm25 on demo: finished before");
        assertThat(whole).doesNotExist();
    }

    @Test
    void anotherDepthIsAnotherRun() throws IOException {
        Path out = copy("out");
        eval(out, "--k 1000").fails(1, out.toString(), "100", "1000", "--overwrite", "--out");
        eval(out, "--k 50").fails(1, out.toString(), "100", "50", "--overwrite", "--out");
    }

    @Test
    void missingFilesAreMadeAgain() throws IOException {
        Path out = copy("out");
        Map<String, Object> whole = numbers(out);
        for (String file : List.of("run.trec.gz", "queries.csv", "buckets.csv")) {
            byte[] before = Files.readAllBytes(out.resolve(file));
            Files.delete(out.resolve(file));
            Cli.Ended ended = eval(out);
            assertThat(ended.err()).startsWith("bm25 on demo: " + file + " is missing; ");
            assertThat(ended.err().contains("index")).isEqualTo(file.equals("run.trec.gz"));
            assertThat(out.resolve(file)).hasBinaryContent(before);
            assertThat(numbers(out)).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut", "doubled", "huge", "zeroed"})
    void changedFilesAreRefusedByWhoeverReadsThem(String how) throws IOException {
        Path out = copy("out");
        Path other = copy("other");
        for (String name : List.of("queries.csv", "run.trec.gz", "buckets.csv")) {
            Path file = out.resolve(name);
            byte[] before = Files.readAllBytes(file);
            Files.write(file, changed(before, how));
            String line = "posbias: " + file
                    + " is not the file that result.json was written with (SHA-256): make the cell again with"
                    + " --overwrite\n";
            assertThat(eval(out)).isEqualTo(new Cli.Ended(1, "", line));
            if (name.equals("queries.csv")) {
                assertThat(Cli.run("compare", out, other, "--draws 0").err()).isEqualTo(line);
                assertThat(Cli.run("gate --allow-other-model --baseline", other, "--result", out)
                                .err())
                        .isEqualTo(line);
                assertThat(Cli.run("pool --name p --out", temp.resolve("p"), out)
                                .err())
                        .isEqualTo(line);
            }
            if (!name.equals("buckets.csv")) {
                Cli.Ended page = Cli.run("report page", out, "--texts", demo(), "--output", temp.resolve("page.html"));
                assertThat(page.err()).endsWith(line);
            }
            Files.write(file, before);
        }
        assertThat(eval(out).code()).isZero();
    }

    private static byte[] changed(byte[] bytes, String how) {
        String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
        String other = switch (how) {
            case "cut" -> text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1);
            case "doubled" -> text + text;
            case "huge" -> text.replaceFirst("[0-9]\n", "1e18\n") + "\n";
            default -> "";
        };
        return other.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    /** A result of an earlier version names no files: they are read unchecked, which is said. */
    @Test
    void runsOfResultsWithoutDigestsAreMadeAgain() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended first = eval(out);
        Path json = out.resolve("result.json");
        Files.writeString(json, Files.readString(json).replaceFirst("(?s)\"files_sha256\" : \\{.*?},\\s*", ""));
        Cli.Ended second = eval(out);
        assertThat(second.err()).contains("earlier version", "computed again");
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(numbers(out)).containsKey("files_sha256");
    }

    @Test
    void whatAnotherRecipeOrBenchmarkDiffersInIsSaid() throws IOException {
        Path out = temp.resolve("out");
        Path recipe = Files.writeString(temp.resolve("mine.yaml"), "name: mine\nkind: bm25\nk1: 1.2\nb: 0.75\n");
        Object[] command = {"eval --model", recipe, "--dataset demo --draws 0 --out", out};
        assertThat(Cli.run(command).code()).isZero();
        Files.writeString(recipe, "name: mine\nkind: bm25\nk1: 0.9\nb: 0.75\ndescription: another\n");
        Cli.run(command).fails(1, out.toString(), "k1 0.9", "1.2", "--overwrite", "--out");
    }

    @Test
    void contentHeldFixedIsKept() throws IOException {
        Path out = temp.resolve("out");
        Path fresh = temp.resolve("fresh");
        Object[] fixed = {"--content-fixed 30"};
        eval(out, fixed);
        eval(fresh, "--content-fixed 30 --measures nDCG@10,R@10");
        // Scores of another measure than the first are kept, and not fitted.
        eval(out, "--measures R@10");
        Result other = ResultFile.read(out.resolve("result.json")).getFirst();
        assertThat(other.settings().contentFixed()).isNull();
        assertThat(other.profiles()).allMatch(profile -> profile.contentFixed() == null);
        assertThat(StoredCell.read(out).queries().places()).isEmpty();
        assertThat(out.resolve("content-fixed.csv")).hasSameBinaryContentAs(fresh.resolve("content-fixed.csv"));
        eval(out, "--measures nDCG@10");
        assertThat(numbers(out)).isEqualTo(numbers(fresh));
        Files.delete(out.resolve("run.trec.gz"));
        eval(out);
        assertThat(numbers(out)).isEqualTo(numbers(fresh));
        assertThat(out.resolve("content-fixed.csv")).hasSameBinaryContentAs(fresh.resolve("content-fixed.csv"));

        Object[] thirds = {"--content-fixed 30 --buckets thirds --draws 150 --format json"};
        Cli.Ended refitted = eval(out, thirds);
        assertThat(refitted.err()).contains("measured from");
        Path third = temp.resolve("third");
        eval(third, "--content-fixed 30 --buckets thirds --draws 150 --measures nDCG@10,R@10");
        assertThat(numbers(out)).isEqualTo(numbers(third));
        // The placing has its own seed: another one for the draws leaves it.
        eval(out, "--seed 7 --buckets thirds --draws 150").ok();
        assertThat(eval(out, "--content-fixed 30 --seed 7").err()).contains("seed 42", "seed 7");
        eval(out, thirds).ok();
        assertThat(numbers(out)).isEqualTo(numbers(third));

        assertThat(eval(out, "--content-fixed 40").err()).containsSubsequence("30 queries", "40 queries");
        assertThat(eval(out, "--content-fixed 30 --measures R@10").code()).isEqualTo(1);
    }

    /** The verdict of a finished cell holds within its own bounds alone. */
    @Test
    void anotherEquivalenceIsAnotherVerdict() throws IOException {
        Path out = temp.resolve("out");
        PlantedBenchmark.write(planted(), 5, 60, true);
        Path reference = reference();
        Object[] usual = {"--content-fixed 60 --format json"};
        evalReference(reference, out, usual).ok();
        Map<String, Object> before = numbers(out);
        Cli.Ended wide = evalReference(reference, out, "--content-fixed 60 --equivalence 90 --format json")
                .ok();
        assertThat(wide.err())
                .contains("equivalence 90, ", "has 2;", " -> ", "measured from")
                .hasLineCount(1);
        Path fresh = temp.resolve("fresh");
        Cli.Ended made = evalReference(reference, fresh, "--content-fixed 60 --equivalence 90 --format json")
                .ok();
        assertThat(verdict(made)).isEqualTo("even").isNotEqualTo(verdict(evalReference(reference, out, usual)));
        assertThat(numbers(out)).isEqualTo(before);
        assertThat(evalReference(reference, fresh, "--content-fixed 60 --equivalence 90")
                        .err())
                .startsWith("reference-primacy-2 on planted: finished before");
        // The scores by place stay, though they are not asked for.
        evalReference(reference, out, "--equivalence 90").ok();
        assertThat(numbers(out)).isEqualTo(numbers(fresh));

        Path page = temp.resolve("page.html");
        Cli.run("report page --output", page, fresh).ok();
        assertThat(page).content().contains("\"verdict\":\"content\"").doesNotContain("\"verdict\":\"position\"");
    }

    private Path planted() {
        return temp.resolve("planted");
    }

    private Path reference() {
        Path references = temp.resolve("references");
        Cli.run("calibrate references --dataset", planted(), "--reference reference-primacy-2 --out", references)
                .ok();
        return references.resolve("reference-primacy-2/recipe.yaml");
    }

    private Cli.Ended evalReference(Path reference, Path out, Object... more) {
        return Cli.run(
                "eval --dataset",
                planted(),
                "--blind none --draws 50 --no-cache --model",
                reference,
                "--out",
                out,
                more);
    }

    private static String verdict(Cli.Ended json) throws IOException {
        return Json.mapper()
                .readTree(json.out())
                .at("/results/0/profiles/0/content_fixed/outcome")
                .asString();
    }

    @Test
    void scoreAndPoolAddMeasuresToo() throws IOException {
        Path out = copy("out");
        Path target = temp.resolve("s");
        List<Object> score = List.of(
                "score --run",
                out.resolve("run.trec.gz"),
                "--dataset",
                demo(),
                "--draws 200 --blind none --out",
                target);
        Cli.run(score.toArray());
        Object[] more = Stream.concat(score.stream(), Stream.of("--measures nDCG@10,R@10"))
                .toArray();
        assertThat(Cli.run(more).err()).endsWith("files in " + target + "\n");
        eval(out, "--measures nDCG@10,R@10");
        assertThat(target.resolve("queries.csv")).hasSameBinaryContentAs(out.resolve("queries.csv"));
        Object[] thirds =
                Stream.concat(score.stream(), Stream.of("--buckets thirds")).toArray();
        assertThat(Cli.run(thirds).err()).contains("buckets thirds", "relative:5", " -> ");

        Object[] pool = {"pool --name p --out", temp.resolve("p"), target};
        assertThat(Cli.run(pool).code()).isZero();
        assertThat(Cli.run(pool).err()).contains("finished before");
        Files.delete(temp.resolve("p/queries.csv"));
        assertThat(Cli.run(pool).err()).contains("1 result pooled");
        Cli.run(more).ok();
        assertThat(Cli.run(pool).err()).containsSubsequence("buckets relative:5", "thirds", " -> ", "1 result pooled");
        assertThat(Cli.run("pool --name q", target, out).err()).contains("results of different models");
    }
}
