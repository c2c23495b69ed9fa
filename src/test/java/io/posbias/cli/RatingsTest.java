package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.ExitCode;
import io.posbias.base.table.CsvRows;
import io.posbias.study.build.StandInModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatingsTest {
    private static final Fields GOLDEN = Json.readJson(Path.of("src/test/resources/ratings.json"));

    @TempDir
    Path temp;

    private Path rater(String name, int column) throws IOException {
        StringBuilder csv = new StringBuilder("id,language,fluency\n");
        StringBuilder lines = new StringBuilder();
        List<?> rows = (List<?>) Objects.requireNonNull(GOLDEN.record(name).raw("ratings"));
        for (int i = 0; i < rows.size(); i++) {
            if (((List<?>) rows.get(i)).get(column) instanceof Number rating) {
                String language = i % 2 == 0 ? "fr" : "de";
                csv.append("i%d,%s,%s%n".formatted(i, language, rating));
                lines.append("{\"id\": \"i%d\", \"language\": \"%s\", \"fluency\": %s}%n"
                        .formatted(i, language, rating.intValue()));
            }
        }
        return column == 0
                ? Files.writeString(temp.resolve("0.csv"), csv)
                : Files.writeString(temp.resolve(column + ".jsonl"), lines);
    }

    private static Fields row(String csv, String group) {
        return CsvRows.read(Path.of("out"), csv.getBytes(StandardCharsets.UTF_8)).stream()
                .filter(row -> row.text("group").equals(group))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void filesOfRatersAgreeAsNumpySays() throws IOException {
        Cli.Ended ended = Cli.run(
                "correlate",
                "ratings",
                rater("three", 0),
                rater("three", 1),
                rater("three", 2),
                "--format",
                "csv",
                "--by",
                "language");
        assertThat(ended.code()).as(ended.err()).isZero();
        Fields all = row(ended.out(), "all");
        Fields golden = GOLDEN.record("three");
        assertThat(all.parsedNumber("alpha_value")).isCloseTo(golden.number("alpha_ordinal"), within(1e-12));
        assertThat(all.parsedNumber("alpha_interval_value")).isCloseTo(golden.number("alpha_interval"), within(1e-12));
        assertThat(all.parsedNumber("kappa_value")).isCloseTo(golden.number("kappa"), within(1e-12));
        assertThat(all.parsedNumber("rho_value")).isCloseTo(golden.number("spearman"), within(1e-12));
        assertThat(all.parsedNumber("within_1_value")).isCloseTo(golden.number("within_1"), within(1e-12));
        assertThat(all.parsedNumber("mae_value")).isCloseTo(golden.number("mae"), within(1e-12));
        assertThat(all.parsedNumber("mae_low")).isLessThan(golden.number("mae"));
        assertThat(row(ended.out(), "fr").parsedInteger("items")
                        + row(ended.out(), "de").parsedInteger("items"))
                .isEqualTo(all.parsedInteger("items"));
    }

    @Test
    void jsonHasCoefficientsBesideTheirIntervals() throws IOException {
        Cli.Ended ended = Cli.run(
                "correlate", "ratings", rater("three", 0), rater("three", 1), rater("three", 2), "--format", "json");
        assertThat(ended.out())
                .containsPattern(
                        "\"alpha\" : \\{\\s+\"value\" : 0\\.\\d+,\\s+\"interval\" : \\[ [-0-9.]+, [-0-9.]+ \\]")
                .containsPattern("\"means\" : \\{\\s+\"mean_1\" : ");
    }

    @Test
    void wrongFilesAreRefused() throws IOException {
        Path one = rater("two", 0);
        Cli.run("correlate", "ratings", one, temp.resolve("none.csv")).fails(ExitCode.USAGE, "none.csv");
        Path other = Files.writeString(temp.resolve("x.csv"), "id,fluency\nx,5\n");
        Cli.run("correlate", "ratings", one, other).fails(ExitCode.FAILURE, "share no item");
        Path twice = Files.writeString(temp.resolve("y.csv"), "id,fluency\nx,5\nx,4\n");
        Cli.run("correlate", "ratings", one, twice).fails(ExitCode.FAILURE, "y.csv:3", "second time");
        Path word = Files.writeString(temp.resolve("z.csv"), "id,language,fluency\ni0,fr,good\n");
        Cli.run("correlate", "ratings", one, word, "--rating", "fluency")
                .fails(ExitCode.FAILURE, "z.csv:2", "\"good\"");
        Cli.run("correlate").fails(ExitCode.USAGE, "--x");
    }

    @Test
    void aModelRatesTranslations() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            for (String language : List.of("fr", "ko")) {
                rows.append(
                        "{\"id\": \"d%d\", \"language\": \"%s\", \"source\": \"Text %d\", \"translation\": \"T %s %d\"}%n"
                                .formatted(i, language, i, language, i));
            }
        }
        Path input = Files.writeString(temp.resolve("in.jsonl"), rows);
        Path out = temp.resolve("ratings.jsonl");
        try (StandInModel model = new StandInModel(StandInModel.Manner.GOOD)) {
            Object[] command = {
                "construct",
                "rate-translations",
                input,
                "--out",
                out,
                "--n",
                4,
                "--llm",
                model.address(),
                "--llm-model",
                "m",
                "--format",
                "csv"
            };
            Cli.Ended ended = Cli.run(command);
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(model.calls()).containsEntry("rating", 8);
            List<Fields> rated = Files.readAllLines(out).stream()
                    .map(line -> Json.parse(out, line.getBytes(StandardCharsets.UTF_8)))
                    .toList();
            assertThat(rated).hasSize(8);
            assertThat(rated.stream().map(row -> row.text("id")).distinct()).hasSize(4);
            double fluency = rated.stream()
                    .mapToInt(row -> row.integer("fluency"))
                    .average()
                    .orElseThrow();
            Fields first = rated.getFirst();
            assertThat(first.number("overall"))
                    .isEqualTo((first.integer("fluency")
                                    + first.integer("accuracy")
                                    + first.integer("completeness")
                                    + first.integer("style"))
                            / 4.0);
            Fields all = CsvRows.read(Path.of("out"), ended.out().getBytes(StandardCharsets.UTF_8))
                    .getLast();
            assertThat(all.text("language")).isEqualTo("all");
            assertThat(all.parsedNumber("fluency")).isCloseTo(fluency, within(1e-12));
            byte[] bytes = Files.readAllBytes(out);
            assertThat(Cli.run(command).code()).isZero();
            assertThat(model.calls()).as("replies are cached").containsEntry("rating", 8);
            assertThat(out).hasBinaryContent(bytes);
        }
    }
}
