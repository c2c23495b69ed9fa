package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Fields;
import io.posbias.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** {@code gate} with the folder of an earlier result: noise passes, a planted drop does not. */
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

    private Path cell(String name, double[] scores) throws IOException {
        return new SyntheticCell(QUERIES).write(temp.resolve(name), i -> scores[i]);
    }

    /** With a tenth of the usual draws. */
    private static Cli.Ended gate(Object... more) {
        return Cli.run(Stream.concat(Stream.of("gate", "--draws", 1000), Stream.of(more))
                .toArray());
    }

    @Test
    void noisePasses() throws IOException {
        Cli.Ended gate = gate("--baseline", before, "--result", cell("after", noisy()), "--fail-on", CONDITIONS);
        // What changed no further than it may is shown, PSI first.
        assertThat(gate.out())
                .startsWith("same: model on made-up: psi of nDCG@10: 0.0289 -> 0.0337, change +0.0047 [")
                .contains("\nsame: model on made-up: nDCG@10, query_mean: 0.5987 -> 0.5964, change -0.0024 [")
                .endsWith("\n8 numbers compared query by query, intervals of 99.38%, 0 differ: pass\n")
                .hasLineCount(9);
        assertThat(gate.code()).isZero();
    }

    @Test
    void anotherModelIsComparedOnPurposeOnly() throws IOException {
        SyntheticCell other = new SyntheticCell(QUERIES);
        other.model = "other";
        double[] scores = noisy();
        Path after = other.write(temp.resolve("other"), i -> scores[i]);
        Cli.Ended refused = gate("--baseline", before, "--result", after);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains(
                        "the baseline is of model on made-up, the result of other on made-up: use --allow-other-model to"
                                + " compare them");
        assertThat(gate("--baseline", before, "--result", after, "--allow-other-model")
                        .code())
                .isZero();
    }

    @Test
    void aBaselineIsNotOverwrittenUnasked() throws IOException {
        Path file = Files.writeString(temp.resolve("baseline.json"), "mine");
        Cli.Ended refused = Cli.run("gate", "--write", "--baseline", file, "--result", before);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("baseline.json is there: use --overwrite to replace it");
        assertThat(file).hasContent("mine");
        assertThat(Cli.run("gate", "--write", "--overwrite", "--baseline", file, "--result", before)
                        .code())
                .isZero();
        assertThat(Files.readString(file)).contains("posbias/baseline/1");
    }

    @Test
    void aDropOfTwoPointsInOneBucketFails() throws IOException {
        Path after = cell("after", dropped());
        Cli.Ended gate = gate("--baseline", before, "--result", after, "--fail-on", CONDITIONS);
        assertThat(gate.code()).isEqualTo(3);
        assertThat(gate.out())
                .startsWith("same: model on made-up: psi of nDCG@10: 0.0289 -> 0.0587, change +0.0298 [")
                .contains("\nworse: model on made-up: nDCG@10, bucket 33.3-50%: 0.")
                .contains("] is below -0.005\n8 numbers compared query by query, intervals of 99.38%, 1 differ: fail\n")
                .hasLineCount(3);
        // The same conditions are the usual ones, and a result.json stands for its folder.
        Cli.Ended usual = gate("--baseline", before.resolve("result.json"), "--result", after.resolve("result.json"));
        assertThat(usual.out()).isEqualTo(gate.out());
        // A tolerance that covers the drop lets it pass, and so does a direction that is not asked for.
        assertThat(gate("--baseline", before, "--result", after, "--fail-on", "nDCG@10<-0.03")
                        .code())
                .isZero();
        assertThat(gate("--baseline", after, "--result", before, "--fail-on", "nDCG@10<-0")
                        .code())
                .isZero();
        assertThat(gate("--baseline", after, "--result", before, "--fail-on", "nDCG@10>+0.005")
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
        assertThat(gate.out())
                .startsWith("worse: model on made-up: psi of nDCG@10: 0.")
                .hasLineCount(2);
    }

    @Test
    void theOutcomeDoesNotDependOnHowItIsPrinted() throws IOException {
        Path after = cell("after", dropped());
        Path file = temp.resolve("gate.json");
        Cli.Ended json = gate("--baseline", before, "--result", after, "--format", "json", "--output", file);
        assertThat(json.code()).isEqualTo(3);
        assertThat(json.out()).contains("1 differ: fail");
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
        Cli.Ended gate = gate(
                "--baseline", before, "--result", after, "--allow-other-model", "--format", "junit", "--output", file);
        assertThat(gate.code()).isEqualTo(3);
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(file));
        Element suite = (Element) document.getElementsByTagName("testsuite").item(0);
        assertThat(suite.getAttribute("name")).isEqualTo("a<b>&\"c on made-up");
        assertThat(suite.getAttribute("tests")).isEqualTo("8");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(document.getElementsByTagName("testcase").getLength()).isEqualTo(8);
        Element failure = (Element) document.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).startsWith("worse: a<b>&\"c on made-up: nDCG@10, bucket 33.3-50%");
        String printed = gate("--baseline", before, "--result", after, "--allow-other-model", "--format", "junit")
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
        assertThat(recipe.out()).startsWith("note: model on made-up: the recipe changed: k1 1 -> 2\n");

        SyntheticCell wrapped = new SyntheticCell(QUERIES);
        wrapped.recipeSha256 = "ef".repeat(32);
        wrapped.recipe.put("citation", "A 2020");
        wrapped.recipe.put("model", Map.of("name", "inner", "k1", 1));
        Path inner = wrapped.write(temp.resolve("inner"), i -> BASE[i]);
        assertThat(gate("--baseline", before, "--result", inner).out())
                .startsWith("note: model on made-up: the recipe changed: model none -> inner\n");
        wrapped.recipe.put("model", Map.of("name", "inner", "k1", 3));
        wrapped.recipeSha256 = "cd".repeat(32);
        assertThat(gate("--baseline", inner, "--result", wrapped.write(temp.resolve("k1"), i -> BASE[i]))
                        .out())
                .startsWith("note: model on made-up: the recipe changed: model.k1 1 -> 3\n");
        wrapped.recipe.put("kind", "fused");
        wrapped.recipe.remove("model");
        wrapped.recipeSha256 = "ff".repeat(32);
        assertThat(gate("--baseline", inner, "--result", wrapped.write(temp.resolve("kind"), i -> BASE[i]))
                        .out())
                .startsWith("note: model on made-up: the recipe changed: kind none -> fused\n");

        other.datasetSha256 = "00".repeat(32);
        Cli.Ended dataset = gate("--baseline", before, "--result", other.write(temp.resolve("dataset"), i -> BASE[i]));
        assertThat(dataset.code()).isEqualTo(3);
        assertThat(dataset.out()).contains("changed: model on made-up: the dataset changed: corpus.jsonl\n");

        SyntheticCell queries = new SyntheticCell(QUERIES);
        queries.idPrefix = "other";
        assertThat(gate("--baseline", before, "--result", queries.write(temp.resolve("ids"), i -> BASE[i]))
                        .out())
                .contains("changed: model on made-up: the queries cannot be paired: query q0 of the first is other0");

        SyntheticCell buckets = new SyntheticCell(QUERIES);
        buckets.buckets = 5;
        assertThat(gate("--baseline", before, "--result", buckets.write(temp.resolve("five"), i -> BASE[i]))
                        .out())
                .contains("changed: model on made-up: the buckets changed: relative:6 -> relative:5\n");

        SyntheticCell measure = new SyntheticCell(QUERIES);
        measure.measure = "R@10";
        Cli.Ended missing = gate(
                "--baseline",
                before,
                "--result",
                measure.write(temp.resolve("measure"), i -> BASE[i]),
                "--fail-on",
                "nDCG@10<-0.01");
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.out()).startsWith("missing: model on made-up: nDCG@10 was not measured in both\n");
    }

    @Test
    void severalCellsAreMatchedByModelAndDataset() throws IOException {
        SyntheticCell second = new SyntheticCell(QUERIES);
        second.model = "second";
        Path secondBefore = second.write(temp.resolve("second-before"), i -> BASE[i]);
        Cli.Ended both =
                gate("--baseline", secondBefore, "--baseline", before, "--result", before, "--result", secondBefore);
        assertThat(both.out()).startsWith("16 numbers compared query by query, intervals of 99.69%, 0 differ: pass");
        Cli.Ended less = gate("--baseline", secondBefore, "--baseline", before, "--result", before);
        assertThat(less.code()).isEqualTo(3);
        assertThat(less.out()).startsWith("missing: second on made-up: no result\n");
        Cli.Ended more = gate("--baseline", before, "--result", before, "--result", secondBefore);
        assertThat(more.code()).isEqualTo(2);
        assertThat(more.err()).startsWith("posbias: no baseline of second on made-up; baselines: model on made-up");
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        refused("psi>0.01;", "expected a number, < or >, and a change, such as psi>+0.01 or nDCG@10<-0.005");
        refused("psi>-0.01", "fails where nothing changed: write >+0.01");
        refused("nDCG@10<0.005", "fails where nothing changed: write <-0.005");
        refused("ndgc@10<-0.1", "unknown measure \"ndgc@10\"");
        Cli.Ended tolerance = gate("--baseline", before, "--result", before, "--tolerance", "0.1");
        assertThat(tolerance.code()).isEqualTo(2);
        assertThat(tolerance.err()).contains("belong to a baseline file; with a folder, say --fail-on");
        Path file = temp.resolve("baseline.json");
        Cli.run("gate", "--write", "--baseline", file, "--result", before);
        Cli.Ended failOn = Cli.run("gate", "--baseline", file, "--result", before, "--fail-on", "psi>0");
        assertThat(failOn.code()).isEqualTo(2);
        assertThat(failOn.err()).contains("a baseline file holds no queries");
        Cli.Ended folder = gate("--baseline", temp, "--result", before);
        assertThat(folder.err())
                .isEqualTo("posbias: " + temp + " is no finished cell: it lacks result.json or queries.csv\n");
    }

    private void refused(String condition, String reason) {
        Cli.Ended gate = gate("--baseline", before, "--result", before, "--fail-on", condition);
        assertThat(gate.code()).isEqualTo(2);
        assertThat(gate.err()).contains(reason);
    }
}
