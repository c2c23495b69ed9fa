package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.cli.Calibration.Finding;
import io.posbias.cli.Calibration.Planted;
import io.posbias.cli.Calibration.Size;
import io.posbias.encode.Engine;
import io.posbias.encode.ReferenceEncoder.Shape;
import io.posbias.measure.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calibration passes as it is, and fails for each thing that is broken on purpose; all through the real pipeline. */
class CalibrationTest {
    private static final Size SMALL = new Size(150, 40, 6, 40, 500);
    private static final Planted FLAT = new Planted(Shape.FLAT, 0);
    private static final Planted FRONT = new Planted(Shape.PRIMACY, 2);

    @TempDir
    static Path home;

    private static Calibration calibration = new Calibration(SMALL, 42, Engine.quiet(2, Path.of("")));
    private static Path benchmark = Path.of("");

    @BeforeAll
    static void write() {
        calibration.close();
        calibration = new Calibration(SMALL, 42, Engine.quiet(2, home));
        benchmark = calibration.benchmark();
    }

    @AfterAll
    static void clear() {
        calibration.close();
    }

    private static Finding find(Planted planted) {
        return calibration.find(planted, planted, benchmark);
    }

    @Test
    void whatWasPlantedIsFound() {
        List<Finding> findings =
                Planted.all().stream().map(CalibrationTest::find).toList();
        List<Verdict> repeats = calibration.repeats(FLAT);
        assertThat(findings).hasSize(10);
        assertThat(repeats).hasSize(6);
        assertThat(CalibrationChecks.failures(findings, repeats)).isEmpty();
    }

    @Test
    void aFlippedSignFailsInRankingsAndInTheProbe() {
        Finding flipped = calibration.find(new Planted(Shape.RECENCY, 2), FRONT, benchmark);
        List<String> failures = CalibrationChecks.failures(flipped);
        assertThat(failures).hasSize(2);
        assertThat(failures.getFirst()).isEqualTo("recency 2.0: the verdict is primacy");
        assertThat(failures.getLast()).startsWith("recency 2.0: moving the sentence");
    }

    @Test
    void aBiasThatIsSaidToBeNoneFails() {
        Finding hidden = calibration.find(FLAT, FRONT, benchmark);
        assertThat(CalibrationChecks.failures(hidden)).hasSize(2);
        assertThat(CalibrationChecks.failures(List.of(), calibration.repeats(FRONT)))
                .containsExactly("flat: a bias was seen on 6 of 6 benchmarks; at most 2 are allowed");
    }

    @Test
    void shuffledPositionLabelsFail() throws IOException {
        Path shuffled = shuffle(PlantedBenchmark.write(home.resolve("shuffled"), 42, SMALL.passages()));
        Finding found = calibration.find(FRONT, FRONT, shuffled);
        assertThat(CalibrationChecks.failures(found))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("primacy 2.0: the verdict is ");
    }

    /** Deals the places of evidence to the five queries of each passage anew: all stay where text is. */
    private static Path shuffle(Path folder) throws IOException {
        Path file = folder.resolve("queries.jsonl");
        List<String> lines = Files.readAllLines(file);
        Random random = new Random(1);
        List<String> dealt = new ArrayList<>();
        for (int first = 0; first < lines.size(); first += 5) {
            List<String> own = lines.subList(first, first + 5);
            List<String> places = new ArrayList<>(
                    own.stream().map(line -> line.substring(cut(line))).toList());
            Collections.shuffle(places, random);
            for (int i = 0; i < 5; i++) {
                dealt.add(own.get(i).substring(0, cut(own.get(i))) + places.get(i));
            }
        }
        assertThat(dealt).isNotEqualTo(lines);
        Files.write(file, dealt);
        return folder;
    }

    /** Where a line's id and question end and its evidence begins. */
    private static int cut(String line) {
        int text = line.indexOf("\"text\":\"");
        return line.indexOf('"', text + "\"text\":\"".length());
    }

    @Test
    void strengthsInTheWrongOrderFail() {
        Finding weak = calibration.find(new Planted(Shape.PRIMACY, 4), new Planted(Shape.PRIMACY, 1), benchmark);
        assertThat(CalibrationChecks.failures(List.of(find(FRONT), weak), List.of()))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("primacy 4.0: PSI is ")
                .endsWith(" of primacy 2.0");
    }

    /** R: qbinom(0.98, n, 0.05). */
    @Test
    void falseAlarmsAreAllowedAsABinomialCountHasThem() {
        assertThat(CalibrationChecks.allowed(40)).isEqualTo(5);
        assertThat(CalibrationChecks.allowed(6)).isEqualTo(2);
        assertThat(CalibrationChecks.allowed(100)).isEqualTo(10);
    }

    @Test
    void theCommandRefusesNoThreads() {
        Cli.Ended ended = Cli.run("calibrate", "--threads", 0);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).isEqualTo("posbias: --threads must be at least 1, not 0\n");
    }
}
