package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class GateQueriesTest {
    private static final int QUERIES = 6000;
    private static final String CONDITIONS = "psi>+0.01,nDCG@10<-0.005";
    private static final double[] BASE = SyntheticCell.scores(QUERIES);

    @TempDir
    Path temp;

    private Path before;

    @BeforeEach
    void baseline() throws IOException {
        before = new SyntheticCell(QUERIES).write(temp.resolve("before"), i -> BASE[i]);
    }

    /** Two queries in ten score otherwise, up as often as down. */
    private static double[] noisy() {
        SplittableRandom random = new SplittableRandom(9);
        double[] scores = BASE.clone();
        for (int i = 0; i < scores.length; i++) {
            if (random.nextInt(5) == 0) {
                scores[i] = random.nextInt(5) / 4.0 * 0.8 + 0.2;
            }
        }
        return scores;
    }

    /** In the third bucket one query in ten loses 0.2: two points. */
    private static double[] dropped() {
        double[] scores = noisy();
        for (int i = 2; i < scores.length; i += 6) {
            if (i / 6 % 10 == 0) {
                scores[i] = Math.max(0, scores[i] - 0.2);
            }
        }
        return scores;
    }

    /** Intervals by another unit have another width. */
    @Test
    void aBaselineOfAnotherUnitIsRefused() throws IOException {
        Path other = cell("other", BASE);
        Path file = other.resolve("result.json");
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("\"cluster\"( ?): \"none\"", "\"cluster\"$1: \"passage\""));
        assertThat(Files.readString(file)).isNotEqualTo(text);
        Cli.Ended ended = Cli.run("gate", "--baseline", before.toString(), "--result", other.toString());
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.out()).contains("none -> passage");
        assertThat(Cli.run("gate", "--baseline", before.toString(), "--result", other.toString(), "--cluster", "none")
                        .code())
                .isZero();
    }

    private Path cell(String name, double[] scores) throws IOException {
        return new SyntheticCell(QUERIES).write(temp.resolve(name), i -> scores[i]);
    }

    /** With a tenth of the usual draws. */
    private static Cli.Ended gate(Object... more) {
        return Cli.run("gate --draws 1000", more);
    }

    @Test
    void noisePasses() throws IOException {
        Cli.Ended gate = gate("--baseline", before, "--result", cell("after", noisy()), "--fail-on", CONDITIONS);
        // What changed no further than it may is shown, PSI first.
        assertThat(gate.out())
                .startsWith(
                        "PASS: none of 8 checks worse, 8 not decided (query by query, intervals of 99.38%)\n\nmodel on made-up\n")
                .containsPattern("\nnot decided +psi of nDCG@10 +0\\.029 +0\\.034 +\\+0\\.005 \\[")
                .containsPattern("\nnot decided +nDCG@10, query_mean +59\\.9 +59\\.6 +-0\\.2 \\[")
                .hasLineCount(13);
        assertThat(gate.code()).isZero();
    }

    /** With 1,000 draws no p is below 0.05 / 336, so that PSI could never fail. */
    @Test
    void aCertainChangeOfPsiFailsAmongHundredsOfNumbers() throws IOException {
        List<Object> arguments = new ArrayList<>(List.of("--fail-on", CONDITIONS));
        for (int model = 0; model < 8; model++) {
            SyntheticCell cell = new SyntheticCell(1200);
            cell.buckets = 40;
            cell.model = "m" + model;
            boolean last = model == 7;
            arguments.addAll(List.of(
                    "--baseline",
                    cell.write(temp.resolve("before" + model), i -> BASE[i]),
                    "--result",
                    cell.write(temp.resolve("after" + model), i -> last && i % 40 == 39 ? BASE[i] / 10 : BASE[i])));
        }
        Cli.Ended gate = gate(arguments.toArray());
        assertThat(gate.code()).isEqualTo(3);
        assertThat(gate.out())
                .containsPattern("(?m)^m7 on made-up\n(?s:.*)^WORSE +psi of nDCG@10 ")
                .contains("FAIL: 2 of 336 checks worse", "13440 draws");
    }

    /** A bucket of a single query would count as certain. */
    @Test
    void aPsiOfTooFewQueriesIsNotedAndNotTheSame() throws IOException {
        SyntheticCell cell = new SyntheticCell(11);
        Path was = cell.write(temp.resolve("was"), i -> BASE[i]);
        Path is = cell.write(temp.resolve("is"), i -> i == 5 ? 0.1 : BASE[i]);
        assertThat(gate("--baseline", was, "--result", is, "--fail-on", CONDITIONS)
                        .out())
                .containsPattern("(?m)^note: model on made-up: psi of nDCG@10: too few");
        Cli.Ended alone = gate("--baseline", was, "--result", is, "--fail-on psi>+0.01");
        assertThat(alone.code()).isEqualTo(3);
        assertThat(alone.out()).containsPattern("(?m)^missing: model on made-up: psi of nDCG@10: too few");
        assertThat(Cli.run("compare", was, cell("other", "o", 11), "--draws 100")
                        .out())
                .contains("p too few\n");
    }

    private Path cell(String folder, String model, int queries) throws IOException {
        SyntheticCell cell = new SyntheticCell(queries);
        cell.model = model;
        return cell.write(temp.resolve(folder), i -> BASE[queries - 1 - i]);
    }

    @Test
    void anotherModelIsComparedOnPurposeOnly() throws IOException {
        SyntheticCell other = new SyntheticCell(QUERIES);
        other.model = "other";
        double[] scores = noisy();
        Path after = other.write(temp.resolve("other"), i -> scores[i]);
        gate("--baseline", before, "--result", after)
                .fails(2, "of model on made-up", "of other on made-up", "--allow-other-model");
        assertThat(gate("--baseline", before, "--result", after, "--allow-other-model")
                        .code())
                .isZero();
    }

    @Test
    void anyChangeIsOneWhereNoneIsAllowed() throws IOException {
        assertThat(gate("--baseline", before, "--result", before, "--fail-on any")
                        .code())
                .isZero();
        double[] scores = BASE.clone();
        int lowest = 0;
        while (scores[lowest] > 0.5) {
            lowest++;
        }
        scores[lowest] += 1e-9;
        Cli.Ended gate =
                gate("--baseline", before, "--result", cell("after", scores), "--fail-on", "any", "--width", 120);
        assertThat(gate.code()).isEqualTo(3);
        assertThat(gate.out())
                .startsWith("FAIL: ")
                .containsSubsequence(
                        " worse, compared exactly\n",
                        "nDCG@10: 1 of " + QUERIES + " queries score differently",
                        "CHANGED",
                        "nDCG@10, all, query_mean",
                        "nDCG@10, all, bucket ");
        refused("any,psi>+0.01", "any alone");
    }

    @Test
    void aDropOfTwoPointsInOneBucketFails() throws IOException {
        Path after = cell("after", dropped());
        Cli.Ended gate = gate("--baseline", before, "--result", after, "--fail-on", CONDITIONS);
        assertThat(gate.code()).isEqualTo(3);
        assertThat(gate.out())
                .startsWith(
                        "FAIL: 1 of 8 checks worse, 7 not decided (query by query, intervals of 99.38%)\n\nmodel on made-up\n")
                .containsPattern("\nnot decided +psi of nDCG@10 +0\\.029 +0\\.059 +\\+0\\.030 \\[")
                .containsPattern("\nWORSE +nDCG@10, bucket 33\\.3-50% +")
                .hasLineCount(7);
        // The same conditions are the usual ones, and a result.json stands for its folder.
        Cli.Ended usual = gate("--baseline", before.resolve("result.json"), "--result", after.resolve("result.json"));
        assertThat(usual.out()).isEqualTo(gate.out());
        // A tolerance that covers the drop lets it pass, and so does a direction that is not asked for.
        assertThat(gate("--baseline", before, "--result", after, "--fail-on nDCG@10<-0.03")
                        .code())
                .isZero();
        assertThat(gate("--baseline", after, "--result", before, "--fail-on nDCG@10<-0")
                        .code())
                .isZero();
        assertThat(gate("--baseline", after, "--result", before, "--fail-on nDCG@10>+0.005")
                        .code())
                .isEqualTo(3);
    }

    @Test
    void psiThatRisesFails() throws IOException {
        double[] scores = BASE.clone();
        for (int i = 5; i < scores.length; i += 6) {
            scores[i] *= 0.7;
        }
        Cli.Ended gate =
                gate("--baseline", before, "--result", cell("after", scores), "--fail-on", "psi(nDCG@10)>+0.01");
        assertThat(gate.code()).isEqualTo(3);
        assertThat(gate.out()).startsWith("FAIL: 1 of 1 check worse").containsPattern("\nWORSE +psi of nDCG@10 ");
    }

    @Test
    void theOutcomeDoesNotDependOnHowItIsPrinted() throws IOException {
        Path after = cell("after", dropped());
        Path file = temp.resolve("gate.json");
        Cli.Ended json = gate("--baseline", before, "--result", after, "--format json --output", file);
        assertThat(json.code()).isEqualTo(3);
        assertThat(json.out()).contains("FAIL: 1 of 8 checks worse");
        Fields document = Json.readJson(file);
        assertThat(document.text("schema")).isEqualTo("posbias/gate/1");
        assertThat(document.raw("passes")).isEqualTo(false);
        assertThat(document.records("checks")).hasSize(8);
        assertThat(document.records("checks").stream().filter(check -> Boolean.TRUE.equals(check.raw("fails"))))
                .singleElement()
                .satisfies(check -> assertThat(check.text("number")).isEqualTo("nDCG@10, bucket 33.3-50%"));
    }

    @Test
    void junitXmlIsReadByItsReaders() throws Exception {
        SyntheticCell odd = new SyntheticCell(QUERIES);
        odd.model = "a<b>&\"c";
        double[] scores = dropped();
        Path after = odd.write(temp.resolve("after"), i -> scores[i]);
        Path file = temp.resolve("gate.xml");
        Cli.Ended gate =
                gate("--baseline", before, "--result", after, "--allow-other-model --format junit --output", file);
        assertThat(gate.code()).isEqualTo(3);
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(file));
        Element suite = (Element) document.getElementsByTagName("testsuite").item(0);
        assertThat(suite.getAttribute("name")).isEqualTo("a<b>&\"c on made-up");
        assertThat(suite.getAttribute("tests")).isEqualTo("8");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(document.getElementsByTagName("testcase").getLength()).isEqualTo(8);
        Element failure = (Element) document.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).contains("worse: a<b>&\"c on made-up", "bucket 33.3-50%");
        String printed = gate("--baseline", before, "--result", after, "--allow-other-model --format junit")
                .out();
        assertThat(printed).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }

    @Test
    void anotherRecipeIsToldAndAnotherDatasetFails() throws IOException {
        SyntheticCell other = new SyntheticCell(QUERIES);
        other.recipeSha256 = "ef".repeat(32);
        other.k1 = 2;
        Cli.Ended recipe = gate("--baseline", before, "--result", other.write(temp.resolve("recipe"), i -> BASE[i]));
        assertThat(recipe.code()).isZero();
        assertThat(recipe.out()).contains("\nnote: model on made-up: ", "recipe", ": k1 1 -> 2\n");

        SyntheticCell wrapped = new SyntheticCell(QUERIES);
        wrapped.recipeSha256 = "ef".repeat(32);
        wrapped.recipe.put("citation", "A 2020");
        wrapped.recipe.put("model", Map.of("name", "inner", "k1", 1));
        Path inner = wrapped.write(temp.resolve("inner"), i -> BASE[i]);
        assertThat(gate("--baseline", before, "--result", inner).out())
                .contains("\nnote: model on made-up: ")
                .contains(": model none -> inner\n");
        wrapped.recipe.put("model", Map.of("name", "inner", "k1", 3));
        wrapped.recipeSha256 = "cd".repeat(32);
        assertThat(gate("--baseline", inner, "--result", wrapped.write(temp.resolve("k1"), i -> BASE[i]))
                        .out())
                .contains("\nnote: model on made-up: ")
                .contains(": model.k1 1 -> 3\n");
        wrapped.recipe.put("kind", "fused");
        wrapped.recipe.remove("model");
        wrapped.recipeSha256 = "ff".repeat(32);
        assertThat(gate("--baseline", inner, "--result", wrapped.write(temp.resolve("kind"), i -> BASE[i]))
                        .out())
                .contains("\nnote: model on made-up: ")
                .contains(": kind none -> fused\n");

        other.datasetSha256 = "00".repeat(32);
        Cli.Ended dataset = gate("--baseline", before, "--result", other.write(temp.resolve("dataset"), i -> BASE[i]));
        assertThat(dataset.code()).isEqualTo(3);
        assertThat(dataset.out()).containsSubsequence("changed: model on made-up: ", "dataset", ": corpus.jsonl\n");

        SyntheticCell queries = new SyntheticCell(QUERIES);
        queries.idPrefix = "other";
        assertThat(gate("--baseline", before, "--result", queries.write(temp.resolve("ids"), i -> BASE[i]))
                        .out())
                .containsSubsequence("changed: model on made-up: ", "query q0 ");

        SyntheticCell buckets = new SyntheticCell(QUERIES);
        buckets.buckets = 5;
        assertThat(gate("--baseline", before, "--result", buckets.write(temp.resolve("five"), i -> BASE[i]))
                        .out())
                .containsSubsequence("changed: model on made-up: ", ": relative:6 -> relative:5\n");

        SyntheticCell measure = new SyntheticCell(QUERIES);
        measure.measure = "R@10";
        Cli.Ended missing = gate(
                "--baseline",
                before,
                "--result",
                measure.write(temp.resolve("measure"), i -> BASE[i]),
                "--fail-on nDCG@10<-0.01");
        // What cannot be asked is no regression.
        missing.fails(2, "nDCG@10 was not measured in both");
        gate("--baseline", before, "--result", before, "--fail-on R@10<-0.01").fails(2, "R@10", "both have nDCG@10");
    }

    @Test
    void severalCellsAreMatchedByModelAndDataset() throws IOException {
        SyntheticCell second = new SyntheticCell(QUERIES);
        second.model = "second";
        Path secondBefore = second.write(temp.resolve("second-before"), i -> BASE[i]);
        Cli.Ended both =
                gate("--baseline", secondBefore, "--baseline", before, "--result", before, "--result", secondBefore);
        assertThat(both.out()).startsWith("PASS: none of 16 checks worse").contains("99.69%");
        Cli.Ended less = gate("--baseline", secondBefore, "--baseline", before, "--result", before);
        assertThat(less.code()).isEqualTo(3);
        assertThat(less.out())
                .startsWith("FAIL: 1 of 9 checks worse")
                .contains("\nmissing: second on made-up: no result\n");
        gate("--baseline", before, "--result", before, "--result", secondBefore)
                .fails(2, "second on made-up", "model on made-up");
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        refused("psi>0.01;", "a number, < or >", "psi>+0.01", "nDCG@10<-0.005");
        refused("psi>0.2", "write psi>+0.2");
        refused("nDCG@10<1%", "write nDCG@10<-1%");
        refused("loss>+2%", "content was not held fixed", "--content-fixed");
        refused("psi>-0.01", "nothing changed", ">+0.01");
        refused("nDCG@10<+0.005", "nothing changed", "<-0.005");
        refused("ndgc@10<-0.1", "unknown measure \"ndgc@10\"");
        gate("--baseline", temp, "--result", before)
                .fails(2, temp + " is not a finished cell", "result.json", "queries.csv");
    }

    private void refused(String condition, String... reasons) {
        gate("--baseline", before, "--result", before, "--fail-on", condition).fails(2, (Object[]) reasons);
    }
}
