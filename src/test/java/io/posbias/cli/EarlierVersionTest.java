package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Results that the build before wrote: {@code data sample demo --n 60 --out s2}, then {@code eval --model bm25 --dataset s2 --k 12
 * --content-fixed 20 --draws 100}.
 */
class EarlierVersionTest {
    private static final Path EARLIER = Path.of("src/test/resources/small/result-2");

    @TempDir
    Path temp;

    private Path earlier() throws IOException {
        Path cell = Files.createDirectories(temp.resolve("earlier"));
        try (Stream<Path> files = Files.list(EARLIER)) {
            for (Path file : files.toList()) {
                Files.copy(file, cell.resolve(file.getFileName()));
            }
        }
        return cell;
    }

    private Cli.Ended eval(Path out) {
        Path data = temp.resolve("s2");
        if (!Files.exists(data)) {
            Cli.run("data sample demo --n 60 --out", data).ok();
        }
        return Cli.run(
                "eval --model bm25 --k 12 --content-fixed 20 --draws 100 --blind none --dataset", data, "--out", out);
    }

    @Test
    void resultsAreUpgradedMeasuredFromTheirRunAndHeldAgainstNewOnes() throws IOException {
        Path earlier = earlier();
        Path fresh = temp.resolve("fresh");
        Cli.Ended made = eval(fresh).ok();
        Cli.Ended measured = eval(earlier).ok();
        assertThat(measured.err()).doesNotContain("index");
        assertThat(measured.out()).isEqualTo(made.out());
        Result upgraded = ResultFile.read(EARLIER.resolve("result.json")).getFirst();
        Result today = ResultFile.read(fresh.resolve("result.json")).getFirst();
        assertThat(upgraded.settings()).isEqualTo(today.settings());
        // What was computed otherwise before: the mean of bucket means' interval, that of the worst place, cPSI's test
        // and power.
        assertThat(upgraded.profiles())
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*bucketInterval", ".*worst\\.interval", ".*cpsi.*", ".*power.*")
                .isEqualTo(today.profiles());
        assertThat(fresh.resolve("run.trec.gz")).hasSameBinaryContentAs(EARLIER.resolve("run.trec.gz"));
        // Earlier results know where evidence begins past the limit, not if it is read whole.
        assertThat(withoutLast(fresh, "content-fixed.csv")).isEqualTo(withoutLast(EARLIER, "content-fixed.csv"));
        assertThat(withoutLast(fresh, "buckets.csv")).isEqualTo(withoutLast(EARLIER, "buckets.csv"));
        assertThat(Cli.run("gate --fail-on any --baseline", EARLIER, "--result", fresh)
                        .code())
                .isZero();
    }

    /** Earlier results say where evidence begins past the limit, not if it is read whole. */
    @Test
    void theCauseOfALossIsUnknownWhereSomethingIsNotRead() {
        Result result = ResultFile.read(Path.of("src/test/resources/small/content-fixed-earlier.json"))
                .getFirst();
        Answer answer = Answer.of(result, result.profiles().getFirst());
        assertThat(answer.verdicts()).containsExactly(Verdict.OPEN);
        assertThat(answer.words()).contains("loses 11.1% [8.2, 14.0]", "earlier result", "evaluate again");
    }

    /** Lines of a file without the last column, which has other words today. */
    private static List<String> withoutLast(Path cell, String file) throws IOException {
        return Files.readAllLines(cell.resolve(file)).stream()
                .map(line -> line.substring(0, line.lastIndexOf(',')))
                .toList();
    }
}
