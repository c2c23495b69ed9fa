package io.posbias.study.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.cli.Cli;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.calibrate.Calibration.CalibratedEncoder;
import io.posbias.study.calibrate.Calibration.CalibrationCheck;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
    @TempDir
    Path temp;

    @Tag("slow")
    @Test
    void allEncodersAreMeasuredAsPlanted() {
        Cli.Ended ended = Cli.run("calibrate").ok();
        assertThat(ended.out()).isEqualTo("25 of 25 encoders as planted\n");
        assertThat(ended.err().lines().filter(line -> !line.startsWith("posbias calibrate, ")))
                .isEmpty();
    }

    @Tag("slow")
    @Test
    void encodersOnRealTextsAreCountedBeforeTheirTable() {
        Cli.Ended ended = Cli.run("calibrate --dataset demo --n 20 --width 250");
        assertThat(ended.out()).containsPattern("^\\d of 8 encoders as planted\n");
        assertThat(ended.out().lines().filter(line -> line.startsWith("demo  ")))
                .hasSize(8);
    }

    @Tag("slow")
    @Test
    void realTextsShowThePlantedBias() {
        Cli.Ended ended =
                Cli.run("calibrate --dataset demo --n 300 --format json").ok();
        Fields json = Json.parse(Path.of("calibration"), ended.out().getBytes(StandardCharsets.UTF_8));
        List<Fields> rows = json.records("references");
        assertThat(rows).hasSize(8).allMatch(row -> row.text("check").equals("ok"));
        assertThat(ended.err()).endsWith("8 of 8 encoders as planted\n");
    }

    /** Evidence in the middle is in more windows than at an end, so that the middle is higher without any position. */
    @Tag("slow")
    @Test
    void windowsOfTextPreferTheMiddleAndHaveNoDirection() {
        Cli.Ended ended = Cli.run("calibrate --format json");
        Fields row = Json.parse(Path.of("calibration"), ended.out().getBytes(StandardCharsets.UTF_8))
                .records("references")
                .stream()
                .filter(own -> own.text("model").equals("reference-max-p"))
                .findFirst()
                .orElseThrow();
        Fields fixed = row.record("content_fixed");
        assertThat(fixed.text("verdict")).isIn("even", "open");
        assertThat(fixed.record("front_minus_back").number("p_value")).isGreaterThan(0.05);
        assertThat(fixed.record("middle_minus_ends").number("value")).isGreaterThan(0.01);
        assertThat(fixed.record("middle_minus_ends").number("p_value")).isLessThan(0.001);
        assertThat(row.text("check")).isEqualTo("ok");
    }

    /** A model that likes unbroken texts sees no positions, and relocated evidence breaks its texts everywhere alike. */
    @Tag("slow")
    @Test
    void modelsWithoutPositionsHaveNoDirectionOnRealTexts() {
        Dataset demo = DatasetReader.open(Configs.path("data/demo"));
        Set<String> words = new LinkedHashSet<>();
        List<String> texts = new ArrayList<>();
        demo.passages().inFileOrder((ordinal, passage) -> texts.add(passage.content()));
        texts.forEach(text -> words.addAll(WordTokenizer.words(text)));
        demo.judgedQueries().forEach(query -> words.addAll(WordTokenizer.words(query.text())));
        Path coherent = new CoherentEncoder("reference-coherent", 0.2, 768, 42, 1 << 17)
                .write(temp.resolve("coherent"), words, texts);
        Cli.Ended ended = Cli.run(
                        "diagnose position --dataset demo --n 300 --no-cache --format json --model bm25,bm25-lucene,"
                                + coherent)
                .ok();
        assertThat(ended.out()).doesNotContain("\"verdict\" : \"primacy\"", "\"verdict\" : \"recency\"");
    }

    private static CalibratedEncoder row(String kind, double strength, double ends, CalibrationCheck check) {
        return new CalibratedEncoder(
                "planted",
                "reference-" + kind + "-" + strength,
                kind,
                strength,
                new Calibration.Raw("nDCG@10", 10, 0.1, 0.1, 0.5, TestOutcome.DIFFER),
                new Calibration.Fixed(
                        10,
                        10,
                        new Estimate(ends, new Interval(ends - 0.1, ends + 0.1), 0),
                        new Estimate(0, new Interval(-0.1, 0.1), 1),
                        TestOutcome.PRIMACY),
                check);
    }

    @Test
    void aWrongCheckAndAWeakerEffectFail() {
        assertThat(Calibration.failures(List.of(
                        row("primacy", 0.5, 0.3, CalibrationCheck.OK),
                        row("primacy", 1, 0.25, CalibrationCheck.OK),
                        row("primacy", 2, 0.1, CalibrationCheck.MISSED),
                        row("recency", 0.5, -0.3, CalibrationCheck.OK),
                        row("recency", 1, -0.1, CalibrationCheck.OK),
                        row("middle", 1, 0, CalibrationCheck.OK),
                        row("middle", 2, -0.5, CalibrationCheck.WRONG))))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("reference-primacy-2.0 on planted: front - back is smaller"),
                        line -> assertThat(line)
                                .startsWith("reference-recency-1.0 on planted: front - back is smaller"),
                        line -> assertThat(line)
                                .startsWith("reference-middle-2.0 on planted: the profile's outcome is differ"));
    }
}
