package io.posbias.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.report.Results;
import io.posbias.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {
    private static final Result RESULT = Results.of("bm25", "sparse", "demo", 0.75);

    @TempDir
    Path temp;

    private static List<String> lines(Baseline baseline, Result... results) {
        return Gate.compare(baseline, List.of(results), null).stream()
                .filter(check -> check.outcome() != Check.Outcome.SAME)
                .map(Check::line)
                .toList();
    }

    @Test
    void theSameResultHasNoFinding() {
        Baseline baseline = Baseline.of(List.of(RESULT), 0);
        assertThat(baseline.numbers()).hasSize(12);
        assertThat(lines(baseline, RESULT)).isEmpty();
    }

    @Test
    void differencesBeyondTheToleranceAreNamed() {
        Baseline baseline = Baseline.of(List.of(RESULT), 0.005);
        Result better = Results.of("bm25", "sparse", "demo", 0.76);
        String bm25 = ": bm25 on demo, nDCG@10, all, ";
        assertThat(lines(baseline, better))
                .singleElement()
                .asString()
                .containsSubsequence("better" + bm25, "bucket beginning: 0.7600", "0.7500 (+0.0100", "0.005)");
        assertThat(Gate.compare(baseline, List.of(better), 0.001))
                .filteredOn(check -> check.outcome() != Check.Outcome.SAME)
                .extracting(Check::line)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .containsSubsequence(
                                        "better" + bm25, "bucket_mean: 0.5033", "0.5000 (+0.0033", "0.001)"),
                        line -> assertThat(line)
                                .containsSubsequence("worse" + bm25, "psi: 0.6711", "0.6667 (+0.0044", "0.001)"),
                        line -> assertThat(line)
                                .containsSubsequence(
                                        "better" + bm25, "bucket beginning: 0.7600", "0.7500 (+0.0100", "0.001)"));
    }

    @Test
    void aDifferenceOfExactlyTheToleranceIsNone() {
        Baseline baseline = Baseline.of(List.of(RESULT), 0.01);
        assertThat(lines(baseline, Results.of("bm25", "sparse", "demo", 0.76))).isEmpty();
    }

    @Test
    void missingCellsAndNumbersAreFindings() {
        Baseline baseline = Baseline.of(List.of(RESULT, Results.of("dense", "dense", "demo", 0.5)), 0.005);
        assertThat(lines(baseline, RESULT)).containsExactly("missing: dense on demo: no result");
        Baseline more = new Baseline(
                0.005,
                List.of(new Baseline.Expected(
                        new Baseline.Place("bm25", "demo", "AP", "all", "query_mean"), 0.5, null, null)));
        assertThat(lines(more, RESULT)).containsExactly("missing: bm25 on demo, AP, all, query_mean");
    }

    @Test
    void numbersOfQueriesAndUndefinedNumbersAreCompared() {
        Baseline fewer = new Baseline(
                0.005,
                List.of(
                        new Baseline.Expected(
                                new Baseline.Place("bm25", "demo", "nDCG@10", "all", "query_mean"), 0.6543, 186, null),
                        new Baseline.Expected(
                                new Baseline.Place("bm25", "demo", "R@5", "all", "psi"), 0.5, null, null)));
        assertThat(lines(fewer, RESULT))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("queries: bm25 on demo, nDCG@10, all, ")
                                .containsSubsequence("query_mean: 187", "186"),
                        line -> assertThat(line)
                                .startsWith("changed: bm25 on demo, R@5, all, ")
                                .containsSubsequence("psi: undefined", "0.5000"));
    }

    @Test
    void aNumberKeepsItsOwnTolerance() {
        Baseline baseline = new Baseline(
                0.005,
                List.of(new Baseline.Expected(
                        new Baseline.Place("bm25", "demo", "nDCG@10", "all", "query_mean"), 0.66, null, 0.01)));
        assertThat(Gate.compare(baseline, List.of(RESULT), 0.0001))
                .extracting(Check::outcome)
                .containsExactly(Check.Outcome.SAME);
    }

    @Test
    void isWrittenAndReadBack() {
        Baseline baseline = Baseline.of(List.of(RESULT), 0.02);
        Path file = temp.resolve("baseline.json");
        baseline.write(file);
        assertThat(Baseline.read(file)).isEqualTo(baseline);
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Path file = Files.writeString(temp.resolve("x.json"), "{}");
        assertThatThrownBy(() -> Baseline.read(file))
                .hasMessageContainingAll(file + ": ", "\"schema\"", "posbias/baseline/1", "posbias gate --write");
        Path empty = Files.writeString(
                temp.resolve("y.json"), "{\"schema\": \"posbias/baseline/1\", \"tolerance\": 0.1, \"numbers\": []}");
        assertThatThrownBy(() -> Baseline.read(empty))
                .hasMessageContainingAll(empty + ": holds no number", "posbias gate --write");
    }
}
