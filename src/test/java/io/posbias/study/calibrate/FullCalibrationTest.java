package io.posbias.study.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.calibrate.FullCalibration.Finding;
import io.posbias.study.calibrate.FullCalibration.Ground;
import io.posbias.study.calibrate.FullCalibration.Outcome;
import io.posbias.study.calibrate.FullCalibration.Size;
import io.posbias.study.calibrate.PlantedStrategies.Change;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeItem;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class FullCalibrationTest {
    private static final Size SMALL = new Size(300, 50, 6, 40, 20, 500);
    private static final ReferenceSpec FLAT = new ReferenceSpec(ReferenceKind.FLAT, 0);
    private static final ReferenceSpec FRONT = new ReferenceSpec(ReferenceKind.PRIMACY, 2);

    @TempDir
    static Path home;

    private static FullCalibration calibration = calibration(Path.of(""));
    private static Ground ground = new Ground(Path.of(""), Path.of(""), List.of());
    private static Outcome sound = new Outcome(0, List.of(), List.of(), List.of());

    private static FullCalibration calibration(Path folder) {
        return new FullCalibration(SMALL, 42, Engine.quiet(2, Sessions.in(folder)), Sessions.in(folder));
    }

    @BeforeAll
    static void write() {
        calibration.close();
        calibration = calibration(home);
        sound = calibration.run();
        ground = calibration.ground();
    }

    @AfterAll
    static void clear() {
        calibration.close();
    }

    /** What was found of an encoder, taken for another: as Calibration.find gives it, but each encoder ran once for all tests. */
    private static Finding find(ReferenceSpec declared, ReferenceSpec built) {
        Finding found = sound.findings().stream()
                .filter(finding -> finding.planted().equals(built))
                .findFirst()
                .orElseGet(() -> calibration.find(built, built, ground));
        return new Finding(declared, found.profile(), found.fixed(), found.reversal(), found.probes());
    }

    private static List<String> failures(Finding finding) {
        return CalibrationChecks.failures(List.of(finding), List.of());
    }

    @Test
    void whatWasPlantedIsFound() {
        assertThat(sound.findings())
                .hasSameSizeAs(ReferenceSpec.all())
                .allSatisfy(found -> assertThat(found.probes()).hasSize(16));
        assertThat(sound.alarms()).extracting(FalseAlarms::runs).containsExactly(6, 6, 6);
        assertThat(CalibrationChecks.failures(sound.findings(), sound.alarms())).isEmpty();
    }

    @Test
    void strategiesRemoveTheBiasesThatTheyCan() {
        assertThat(sound.strategies()).hasSize(4 * 6 + 1);
        assertThat(PlantedStrategies.failures(sound.strategies())).isEmpty();
        assertThat(sound.strategies())
                .filteredOn(row -> row.expected() == Change.GONE)
                .hasSize(8)
                .allSatisfy(row -> assertThat(psi(row.after())).isLessThan(psi(row.before())));
    }

    private static double psi(Profile profile) {
        return Objects.requireNonNull(profile.psi().value());
    }

    @ParameterizedTest
    @CsvSource({
        "PRIMACY, 0.5, FLAT, 0, verdict",
        "PRIMACY, 0.5, FLAT, 0, moving 5 - 1",
        "MIDDLE, 0.5, FLAT, 0, moving 3 - 1",
        "SHORT, 0.25, NEUTRAL, 0, brevity",
        "LONG, 0.2, NEUTRAL, 0, brevity",
        "LITERAL, 0.25, LITERAL, 0, literal LL - LS",
        "LATE_PRIMACY, 0.5, LATE_FLAT, 0, position",
        "FLAT, 0, PRIMACY, 0.5, verdict",
        "FLAT, 0, PRIMACY, 0.5, contrast",
        "NEUTRAL, 0, SHORT, 0.25, brevity",
        "NEUTRAL, 0, LONG, 0.2, brevity",
        "LITERAL, 0, LITERAL, 0.25, literal SS - SL",
        "LATE_FLAT, 0, FLAT, 0, repetition",
        "PRIMACY, 1, PRIMACY, 2, strength found",
    })
    void anotherBiasThanTheOneClaimedFails(
            ReferenceKind claimed, double strength, ReferenceKind built, double builtStrength, String in) {
        List<String> failures =
                failures(find(new ReferenceSpec(claimed, strength), new ReferenceSpec(built, builtStrength)));
        assertThat(failures).anyMatch(line -> line.contains(in));
    }

    private static List<String> probeFailures(ReferenceSpec planted, List<PairTest> tests) {
        Finding own = find(planted, planted);
        return CalibrationChecks.probes(new Finding(planted, own.profile(), own.fixed(), own.reversal(), tests));
    }

    @ParameterizedTest
    @ValueSource(strings = {"answer", "brevity", "foil", "literal", "insertion", "poison", "position", "repetition"})
    void swappedTextsFailInEachProbe(String probe) {
        List<ProbeItem> swapped = ground.probes().stream()
                .map(item -> item.probe().name().equals(probe) ? swap(item) : item)
                .toList();
        assertThat(swapped).isNotEqualTo(ground.probes());
        List<PairTest> tests = FullCalibration.test(calibration.score(FRONT, swapped));
        assertThat(probeFailures(FRONT, tests))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("primacy 2.0: " + probe + " "));
    }

    private static ProbeItem swap(ProbeItem item) {
        return new ProbeItem(
                item.probe(), item.id(), item.query(), Objects.requireNonNull(item.text2()), item.text1(), item.tags());
    }

    @Test
    void aBiasedEncoderInPlaceOfTheUnbiasedOneIsAFalseAlarm() {
        List<TestOutcome> verdicts = calibration.repeats(FRONT);
        assertThat(CalibrationChecks.failures(List.of(), List.of(FalseAlarms.ofVerdicts(FLAT, verdicts))))
                .singleElement()
                .asString()
                .containsSubsequence("flat: ", "6 of 6 benchmarks", "at most 2 ");
        List<List<PairTest>> sets =
                calibration.probeRepeats(new ReferenceSpec(ReferenceKind.SHORT, 0.5), Set.of("brevity"));
        FalseAlarms alarms =
                FalseAlarms.ofProbes(new ReferenceSpec(ReferenceKind.NEUTRAL, 0), sets, "brevity", "text1 - text2");
        assertThat(CalibrationChecks.failures(List.of(), List.of(alarms)))
                .singleElement()
                .asString()
                .containsSubsequence("neutral: ", "6 of 6 brevity probes", "at most 2 ");
    }

    /** R: qbinom(0.98, n, 0.05). */
    @Test
    void falseAlarmsAreAllowedAsABinomialCountHasThem() {
        assertThat(FalseAlarms.allowed(40)).isEqualTo(5);
        assertThat(FalseAlarms.allowed(6)).isEqualTo(2);
        assertThat(FalseAlarms.allowed(100)).isEqualTo(10);
    }
}
