package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTest {
    private static final int QUERIES = 600;
    private static final double[] BASE = SyntheticCell.scores(QUERIES);

    @TempDir
    Path temp;

    private Path flat;
    private Path lower;
    private Path steep;

    @BeforeEach
    void cells() throws IOException {
        flat = cell("flat").write(temp.resolve("flat"), i -> BASE[i]);
        // Every fourth query loses 0.1.
        lower = cell("lower").write(temp.resolve("lower"), i -> i / 6 % 4 == 0 ? BASE[i] - 0.1 : BASE[i]);
        // The last bucket scores half.
        steep = cell("steep").write(temp.resolve("steep"), i -> i % 6 == 5 ? BASE[i] / 2 : BASE[i]);
    }

    private static SyntheticCell cell(String model) {
        SyntheticCell cell = new SyntheticCell(QUERIES);
        cell.model = model;
        return cell;
    }

    private List<Fields> json(Object... arguments) throws IOException {
        String json = Cli.run("compare", arguments, "--format json").out();
        Path file = Files.writeString(temp.resolve("compared.json"), json);
        return Json.readJson(file).records("comparisons");
    }

    @Test
    void countsAndTestsByQuery() throws IOException {
        List<Fields> pairs = json(flat, lower, steep);
        assertThat(pairs)
                .extracting(pair -> pair.text("first") + "/" + pair.text("second"))
                .containsExactly("flat/lower", "flat/steep", "lower/steep");
        Fields pair = pairs.getFirst();
        assertThat(pair.integer("wins")).isZero();
        assertThat(pair.integer("losses")).isEqualTo(150);
        assertThat(pair.integer("ties")).isEqualTo(450);
        // 150 differences of -0.1 and 450 of 0: mean -0.025, standard deviation 0.0433374, standard error 0.00176924.
        Fields difference = pair.record("difference");
        assertThat(difference.number("value")).isCloseTo(-0.025, within(1e-12));
        List<?> interval = (List<?>) Objects.requireNonNull(difference.raw("interval"));
        assertThat((double) interval.getFirst()).isCloseTo(-0.025 - 1.963939 * 0.00176924, within(1e-7));
        // One of 10,001: no exchange is as far from 0.
        assertThat(pair.number("randomisation_p_value")).isCloseTo(1 / 10_001.0, within(1e-12));
        assertThat(pair.number("holm_p_value")).isCloseTo(3 / 10_001.0, within(1e-12));
    }

    private static void reverse(Path folder) throws IOException {
        Path file = folder.resolve("queries.csv");
        List<String> rows = Files.readAllLines(file);
        Files.write(
                file,
                Stream.concat(rows.stream().limit(1), rows.stream().skip(1).toList().reversed().stream())
                        .toList());
    }

    /** A query is found by its identifier, wherever its row is. */
    @Test
    void theOrderOfQueriesMeansNothing() throws IOException {
        SyntheticCell seed = cell("flat-1");
        seed.dataset = "made-up-2";
        Path other = seed.write(temp.resolve("other"), i -> i % 6 == 5 ? BASE[i] / 2 : BASE[i]);
        seed.model = "flat-2";
        Path another = seed.write(temp.resolve("another"), i -> i % 6 == 5 ? BASE[i] / 3 : BASE[i]);
        seed.dataset = "made-up";
        Path first = seed.write(temp.resolve("first"), i -> i % 6 == 5 ? BASE[i] / 4 : BASE[i]);
        seed.model = "flat-1";
        Path second = seed.write(temp.resolve("second"), i -> i % 6 == 4 ? BASE[i] / 4 : BASE[i]);
        List<Object[]> commands = List.of(
                new Object[] {"compare --details", flat, lower, steep},
                new Object[] {"gate --fail-on nDCG@10<-0.9 --allow-other-model --baseline", flat, "--result", steep},
                new Object[] {"plan --simulations 100 --difference 10% --pilot", flat, "--pilot", steep},
                new Object[] {"report", flat, lower, steep},
                new Object[] {"report over benchmarks", first, second, other, another},
                new Object[] {"report over seeds", first, second});
        List<String> before = new ArrayList<>();
        for (Object[] command : commands) {
            before.add(Cli.run(command).ok().out());
        }
        for (Path folder : List.of(lower, steep, another, second)) {
            reverse(folder);
        }
        for (int i = 0; i < before.size(); i++) {
            assertThat(Cli.run(commands.get(i)).ok().out()).isEqualTo(before.get(i));
        }
    }

    @Test
    void seesWherePsiDiffers() throws IOException {
        Fields psi = json(flat, steep).getFirst().record("psi");
        Fields difference = psi.record("difference");
        assertThat(difference.number("value")).isBetween(0.4, 0.55);
        List<?> interval = (List<?>) Objects.requireNonNull(difference.raw("interval"));
        assertThat((double) interval.getFirst()).isGreaterThan(0.25);
        assertThat(difference.number("p_value")).isLessThan(0.001);
        // A system that loses alike everywhere has hardly another PSI.
        Fields even = json(flat, lower).getFirst().record("psi").record("difference");
        assertThat(even.number("p_value")).isGreaterThan(0.05);
    }

    @Test
    void lettersNameTheSystemsThatOneIsBetterThan() {
        String matrix = Cli.run("compare", flat, lower, steep, "--draws", 1000).out();
        assertThat(matrix)
                .startsWith("made-up, nDCG@10 in points\n")
                .containsPattern("\na flat +60\\.3 bc +0\\.0\\d\\d c +")
                .containsPattern("\nb lower +57\\.8 c +0\\.0\\d\\d c +")
                .containsPattern("\nc steep +\\d\\d\\.\\d +0\\.5\\d\\d +")
                .contains("Holm p < 0.05, 3 comparisons");
    }

    @Test
    void oneSystemCanBeTheMeasureOfAll() throws IOException {
        assertThat(json(flat, lower, steep, "--against lower"))
                .extracting(pair -> pair.text("first") + "/" + pair.text("second"))
                .containsExactly("lower/flat", "lower/steep");
        Cli.run("compare", flat, lower, "--against flt").fails(2, "--against", "\"flt\"", "did you mean flat?");
    }

    @Test
    void aFolderStandsForAllCellsBelowItByDataset() throws IOException {
        Path all = temp.resolve("all");
        for (String dataset : List.of("one", "two")) {
            for (String model : dataset.equals("one") ? List.of("a", "b", "c") : List.of("b", "c")) {
                SyntheticCell cell = cell(model);
                cell.dataset = dataset;
                cell.write(all.resolve(dataset).resolve(model), i -> BASE[i]);
            }
        }
        assertThat(json(all, "--draws 10"))
                .extracting(pair -> pair.text("dataset") + " " + pair.text("first") + "/" + pair.text("second"))
                .containsExactly("one a/b", "one a/c", "one b/c", "two b/c");
        assertThat(json(all, "--draws", 10, "--dataset", "tw*")).hasSize(1);
        Cli.Ended against = Cli.run("compare", all, "--draws", 10, "--against", "a", "--details");
        assertThat(against.err()).isEqualTo("""
            note: no result of a on two
            note: 2 comparisons need 80 draws: these are made, not 10
            """);
        assertThat(against.out()).contains("a / b ", "a / c ").doesNotContain("b / c ");
        Cli.Ended nobody = Cli.run("compare", all, "--against d");
        assertThat(nobody.code()).isEqualTo(2);

        Files.delete(all.resolve("two/b/queries.csv"));
        Cli.Ended less = Cli.run("compare", all, "--draws", 10, "--details");
        assertThat(less.err()).contains(all.resolve("two/b/result.json") + " is left out: no queries.csv");
        assertThat(less.out()).contains("a / b ").doesNotContain(" two ");
        Cli.Ended none = Cli.run("compare", temp.resolve("all/two"));
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("posbias: ", "two models on one dataset");
        Path empty = Files.createDirectory(temp.resolve("empty"));
        assertThat(Cli.run("compare", empty).err()).isEqualTo("posbias: folder " + empty + " holds no result.json\n");
    }

    @Test
    void printsOneLineForEachPair() {
        Cli.Ended pair = Cli.run("compare", flat, lower, "--draws", "100", "--digits", "2");
        assertThat(pair.code()).isZero();
        assertThat(pair.out())
                .startsWith(
                        "made-up, nDCG@10: lower - flat: -2.50 [-2.85, -2.15], p 0.010\nmade-up, PSI: lower - flat: ")
                .endsWith("lower is better on 0 of 600 queries, worse on 150 (--details)\n");
        Cli.Ended table = Cli.run("compare", flat, lower, "--draws", "100", "--width", "160", "--details", "--explain");
        assertThat(table.out())
                .startsWith("made-up, nDCG@10 in points")
                .containsPattern("\nflat / lower +60.3 +57.8 +-2.5 +\\[-2.8, -2.2\\] +0.010 +0.010 ")
                .containsPattern(" 600 +0 +450 +150\n")
                .containsSubsequence("\nmean: ", "95%", "100 draws\n");
        Cli.Ended none = Cli.run("compare", flat, lower, "--draws 0 --format csv");
        assertThat(none.out().lines().findFirst().orElseThrow())
                .startsWith(
                        "dataset,first,second,measure,stratum,queries,clusters,first_mean,second_mean,difference,difference_low,"
                                + "difference_high,difference_p_value,randomisation_p_value,wins,ties,losses,psi_first,")
                .endsWith(",holm_p_value,psi_holm_p_value,loss_holm_p_value");
        // No draws: no randomisation, and of PSI both values alone.
        assertThat(none.out().lines().toList().getLast())
                .startsWith("made-up,flat,lower,nDCG@10,all,600,600,0.603")
                .containsPattern(",,0,450,150,0\\.[0-9.E-]+,0\\.[0-9.E-]+,,,,,");
    }

    /** 57.83 - 60.33 and so on, in each column. */
    @Test
    void aReportShowsDifferencesFromABaseline() {
        Cli.Ended report = Cli.run("report", flat, lower, "--baseline", "flat", "--width", 160, "--digits", 2);
        assertThat(report.code()).as(report.err()).isZero();
        assertThat(report.out())
                .containsPattern("\na flat .* 60.33 b ")
                .containsPattern("\nb lower .* 57.83 ")
                .containsPattern("\nlower minus flat .* -2.50 +\\+0.003")
                .doesNotContain("flat minus");
        Cli.run("report", flat, lower, "--baseline flt")
                .fails(2, "--baseline", "\"flt\"", "did you mean flat?", "flat, lower");
        Cli.run("report", flat, "--baseline flat --format json").fails(2, "--baseline", "--format json");
    }

    @Test
    void isTheSameOnAnyNumberOfThreads() {
        String one = Cli.run("compare", flat, lower, steep, "--threads 1 --format json")
                .out();
        assertThat(Cli.run("compare", flat, lower, steep, "--threads 3 --format json")
                        .out())
                .isEqualTo(one);
    }

    @Test
    void refusesWhatCannotBePaired() throws IOException {
        SyntheticCell other = cell("other");
        other.idPrefix = "x";
        Path unpaired = other.write(temp.resolve("unpaired"), i -> BASE[i]);
        Cli.run("compare", flat, unpaired).fails(2, "query q0", "not in the second");
        assertThat(Cli.run("compare", flat, flat).err()).contains("two results of one model on made-up");
        Cli.run("compare", flat, lower, "--measure R@5").fails(2, "flat on made-up", "R@5", "nDCG@10");
        other.dataset = "elsewhere";
        Path elsewhere = other.write(temp.resolve("elsewhere"), i -> BASE[i]);
        assertThat(Cli.run("compare", flat, elsewhere).err()).contains("nothing to compare");
        assertThat(Cli.run("compare", flat, temp.resolve("none")).err()).contains("none: file or folder not found");
        assertThat(Cli.run("compare", flat, lower, "--confidence", "1").err()).contains("must be between 0 and 1");
        assertThat(Cli.run("compare", flat, lower, "--draws", "-1").code()).isEqualTo(2);
        assertThat(Cli.run("compare", flat, lower, "--threads", "0").code()).isEqualTo(2);
    }
}
