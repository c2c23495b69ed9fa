package io.posbias.study.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.cli.Cli;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.ResultFile;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedBiasTest {
    @TempDir
    Path temp;

    private Path benchmark = Path.of("");

    @BeforeEach
    void write() {
        benchmark = PlantedBenchmark.write(temp.resolve("planted"), 7, 150, false);
    }

    private Profile profile(Shape shape, double strength) {
        String name = (shape + "-" + strength);
        Path recipe = new ReferenceEncoder(name, shape, strength, 192, 1, 512)
                .write(temp.resolve(name), PlantedBenchmark.WORDS);
        Path out = temp.resolve(name + "-out");
        Cli.run("eval --model", recipe, "--dataset", benchmark, "--draws 2000 --no-cache --out", out)
                .ok();
        return Objects.requireNonNull(
                ResultFile.read(out.resolve("result.json")).getFirst().profile("nDCG@10", "all"));
    }

    private static List<Double> means(Profile profile) {
        return profile.buckets().stream()
                .map(BucketMean::mean)
                .map(mean -> Objects.requireNonNull(mean))
                .toList();
    }

    private static double psi(Profile profile) {
        return Objects.requireNonNull(profile.psi().value());
    }

    private static double pValue(Profile profile) {
        return Objects.requireNonNull(profile.psi().pValue());
    }

    @Test
    void aFlatModelShowsNoMoreThanTheNoise() {
        Profile flat = profile(Shape.FLAT, 0);
        assertThat(flat.buckets()).extracting(BucketMean::queries).containsOnly(150);
        assertThat(Objects.requireNonNull(flat.queryMean())).isBetween(0.3, 0.95);
        assertThat(pValue(flat)).isGreaterThan(0.05);
        assertThat(psi(flat)).isLessThan(Objects.requireNonNull(flat.psi().noise95()));
    }

    @Test
    void psiRisesWithThePrimacyThatWasBuiltIn() {
        List<Profile> profiles =
                Stream.of(0.5, 1.0, 2.0).map(s -> profile(Shape.PRIMACY, s)).toList();
        assertThat(profiles).extracting(PlantedBiasTest::psi).isSorted().doesNotHaveDuplicates();
        assertThat(means(profiles.getFirst()).getFirst())
                .isGreaterThan(means(profiles.getFirst()).getLast());
        for (Profile strong : profiles.subList(1, 3)) {
            assertThat(pValue(strong)).isLessThan(0.001);
            assertThat(means(strong).reversed()).isSorted();
        }
    }

    @Test
    void psiRisesWithTheRecencyThatWasBuiltIn() {
        List<Profile> profiles =
                Stream.of(0.5, 1.0, 2.0).map(s -> profile(Shape.RECENCY, s)).toList();
        assertThat(profiles).extracting(PlantedBiasTest::psi).isSorted().doesNotHaveDuplicates();
        assertThat(means(profiles.getFirst()).getFirst())
                .isLessThan(means(profiles.getFirst()).getLast());
        for (Profile strong : profiles.subList(1, 3)) {
            assertThat(pValue(strong)).isLessThan(0.001);
            assertThat(means(strong)).isSorted();
        }
    }

    @Test
    void whatIsBuiltIntoTheMiddleIsSeenThere() {
        List<Double> means = means(profile(Shape.MIDDLE, 2));
        assertThat(means.subList(0, 3)).isSorted();
        assertThat(means.subList(2, 5).reversed()).isSorted();
    }
}
