package io.posbias.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Sessions;
import io.posbias.calibrate.FullCalibration.Finding;
import io.posbias.calibrate.FullCalibration.Ground;
import io.posbias.calibrate.FullCalibration.Outcome;
import io.posbias.calibrate.FullCalibration.Size;
import io.posbias.calibrate.PlantedStrategies.Change;
import io.posbias.calibrate.PlantedStrategies.Row;
import io.posbias.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.encode.Engine;
import io.posbias.measure.Profile;
import io.posbias.measure.Verdict;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ScoredItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calibration passes as it is, and fails for each thing that is broken on purpose; all through the real pipeline. */
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

    @Test
    void anEncoderIsFoundAgainAsItWas() {
        assertThat(calibration.find(FLAT, FRONT, ground)).isEqualTo(find(FLAT, FRONT));
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

    /** Three biases and none, with six strategies each; and BM25. */
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

    /** Every row that expects a change fails where nothing changes, and those that expect none where something does. */
    @Test
    void aStrategyThatDoesSomethingElseFails() {
        for (Row row : sound.strategies()) {
            Row idle =
                    new Row(row.planted(), row.strength(), row.strategy(), row.expected(), row.before(), row.before());
            assertThat(idle.passes()).as(idle.toString()).isEqualTo(row.expected() != Change.GONE);
        }
        Row removed = sound.strategies().stream()
                .filter(row -> row.expected() == Change.GONE)
                .findFirst()
                .orElseThrow();
        for (Change change : List.of(Change.NONE, Change.STAYS, Change.SAME)) {
            Row claimed = new Row("primacy", 0.5, "mirrored", change, removed.before(), removed.after());
            assertThat(PlantedStrategies.failures(List.of(claimed)))
                    .singleElement()
                    .asString()
                    .contains("primacy 0.5 with mirrored: ", "must be " + change, "PSI goes from 0.");
        }
    }

    @Test
    void everyReferenceHasANameOfItsOwn() {
        assertThat(ReferenceSpec.all())
                .extracting(ReferenceSpec::model)
                .doesNotHaveDuplicates()
                .contains("reference-flat", "reference-primacy-2", "reference-short-0.25", "reference-late-recency-1");
    }

    @Test
    void aBiasForTheFrontIsNoneForTheBack() {
        List<String> failures = failures(find(new ReferenceSpec(ReferenceKind.RECENCY, 2), FRONT));
        assertThat(failures)
                .anyMatch(line -> line.matches("recency 2.0: .*content.* primacy"))
                .anyMatch(line -> line.matches("recency 2.0: .*reversed passages must be below 0.*"))
                .anyMatch(line -> line.matches("recency 2.0: moving 5 - 1 must be above 0 .* -.*"))
                .anyMatch(line -> line.matches("recency 2.0: position text1 - text2 .* below 0 .* \\+.*"))
                .anyMatch(line -> line.matches("recency 2.0: needle text1 - text2 .* below 0 .* \\+.*"))
                .anyMatch(line -> line.startsWith("recency 2.0: the strength found is -"));
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
    @ValueSource(strings = {"answer", "brevity", "foil", "literal", "needle", "poison", "position", "repetition"})
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
    void aFlippedSignOfScoresFailsInEveryComparisonWithAnEffect() {
        List<ScoredItem> flipped = calibration.score(FRONT, ground.probes()).stream()
                .map(FullCalibrationTest::negative)
                .toList();
        assertThat(probeFailures(FRONT, FullCalibration.test(flipped)))
                .filteredOn(line -> line.contains(" must be "))
                .hasSize(15)
                .noneMatch(line -> line.contains("LL - SS"));
    }

    private static ScoredItem negative(ScoredItem scored) {
        Double second = scored.score2();
        return new ScoredItem(scored.item(), -scored.score1(), second == null ? null : (Double) (-second));
    }

    @Test
    void shuffledPlacesFailInTheMovingProbe() {
        Random random = new Random(1);
        Map<String, List<ScoredItem>> byQuery = new LinkedHashMap<>();
        calibration.score(FRONT, ground.probes()).stream()
                .filter(scored -> scored.item().probe().name().equals("moving"))
                .forEach(scored -> byQuery.computeIfAbsent(scored.item().id(), id -> new ArrayList<>())
                        .add(scored));
        List<ScoredItem> shuffled = byQuery.values().stream()
                .map(own -> shuffle(own, random))
                .flatMap(Collection::stream)
                .toList();
        Finding own = find(FRONT, FRONT);
        List<PairTest> tests = Stream.concat(
                        own.probes().stream()
                                .filter(test -> !test.probe().name().equals("moving")),
                        FullCalibration.test(shuffled).stream())
                .toList();
        assertThat(probeFailures(FRONT, own.probes())).isEmpty();
        assertThat(probeFailures(FRONT, tests)).anyMatch(line -> line.contains(": moving "));
    }

    /** Deals the places of one query's texts to them anew. */
    private static List<ScoredItem> shuffle(List<ScoredItem> own, Random random) {
        List<Map<String, String>> places =
                new ArrayList<>(own.stream().map(scored -> scored.item().tags()).toList());
        Collections.shuffle(places, random);
        List<ScoredItem> dealt = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            ProbeItem item = own.get(i).item();
            dealt.add(new ScoredItem(
                    new ProbeItem(item.probe(), item.id(), item.query(), item.text1(), null, places.get(i)),
                    own.get(i).score1(),
                    null));
        }
        return dealt;
    }

    @Test
    void shuffledPositionLabelsFailInRankings() throws IOException {
        Path shuffled = shuffle(PlantedBenchmark.write(home.resolve("shuffled"), 42, SMALL.passages(), false));
        Finding found = calibration.find(FRONT, FRONT, new Ground(shuffled, ground.sentences(), ground.probes()));
        assertThat(failures(found)).hasSize(1).first().asString().startsWith("primacy 2.0: the profile's verdict is ");
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
        Finding strong =
                find(new ReferenceSpec(ReferenceKind.PRIMACY, 0.5), new ReferenceSpec(ReferenceKind.PRIMACY, 0.5));
        Finding weak = find(FRONT, FLAT);
        assertThat(CalibrationChecks.failures(List.of(strong, weak), List.of()))
                .anyMatch(line -> line.startsWith("primacy 2.0: PSI is ") && line.endsWith(" of primacy 0.5"))
                .anyMatch(line ->
                        line.startsWith("primacy 2.0: the strength found is ") && line.endsWith(" of primacy 0.5"));
    }

    @Test
    void aBiasedEncoderInPlaceOfTheUnbiasedOneIsAFalseAlarm() {
        List<Verdict> verdicts = calibration.repeats(FRONT);
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
