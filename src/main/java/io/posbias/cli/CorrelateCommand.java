package io.posbias.cli;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.report.AgreementTables;
import io.posbias.report.leaderboard.Layout;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Settings;
import io.posbias.score.over.Agreement;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "correlate",
        description = "Correlate results with another benchmark, for example MMTEB.",
        subcommands = CorrelateRatingsCommand.class,
        footer = {
            "",
            "Only models with both numbers count.",
            "",
            "The CSV file has a column 'model' with the names of results, and a column of numbers. A row "
                    + "is printed for each dataset and band of length. At least three models are needed.",
            "",
            "Examples:",
            "  posbias correlate --x mmteb.csv --y results --number psi",
            "  posbias correlate --x mmteb.csv --x-column retrieval --average \\",
            "      --with-published --format markdown",
        })
final class CorrelateCommand extends BaseCommand {
    @Option(
            names = "--x",
            paramLabel = "FILE",
            description = "CSV file of the other benchmark, with a column 'model', or its results as JSON.")
    private @Nullable Path x;

    @Heading("Numbers:")
    @Option(
            names = "--x-column",
            paramLabel = "NAME",
            description = "Column to compare (default: the first besides 'model').")
    private @Nullable String column;

    @Option(
            names = "--y",
            arity = "1..*",
            paramLabel = "RESULT",
            description = "Results: result.json files, or folders to search.")
    private List<Path> y = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Datasets: names or patterns, for example 'posir/*' (* does not match /).")
    private List<String> datasets = List.of();

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "Measure to correlate (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Option(
            names = "--number",
            paramLabel = "NUMBER",
            converter = NumberConverter.class,
            description = "Number of the measure: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}: the query mean "
                    + "over all queries, the bucket mean in length bands).")
    private Agreement.Column number = Agreement.Column.POSIR;

    @Heading("Numbers:")
    @Option(names = "--average", description = "Correlate the mean over each model's datasets.")
    private boolean average;

    @Option(names = "--with-published", description = "Add PosIR's published results on the same datasets.")
    private boolean withPublished;

    @Heading("Statistics:")
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of intervals (default: ${DEFAULT-VALUE}).")
    private double confidence = Settings.USUAL.confidence();

    @Mixin
    private FormatOption form = new FormatOption();

    static final class NumberConverter implements ITypeConverter<Agreement.Column> {
        @Override
        public Agreement.Column convert(String word) {
            List<String> known = Arrays.stream(Agreement.Column.values())
                    .map(Agreement.Column::toString)
                    .toList();
            return Arrays.stream(Agreement.Column.values())
                    .filter(each -> each.toString().equalsIgnoreCase(word))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("--number: " + Suggestions.unknown("number", word, known)));
        }
    }

    @Override
    protected void work() {
        Path x = this.x;
        if (x == null) {
            throw new UsageException("give --x, a CSV file with a column 'model', or results as JSON");
        }
        isFile("--x", x);
        refuse(
                column != null && x.toString().endsWith(".json"),
                "--x-column is of a CSV file: results have the measure");
        confidence(confidence);
        String name = Measures.parse(measure).toString();
        List<Result> results = new ArrayList<>(
                ResultFiles.read(y, datasets).stream().map(StoredCell::result).toList());
        if (withPublished) {
            results.addAll(Layout.find(average ? "length-mean" : "length").published(results));
        }
        refuse(results.isEmpty(), "give --y result.json files or folders with some, or --with-published");
        Map<String, Double> other = Agreement.read(x, column, name);
        List<Agreement.AgreementRow> rows = Agreement.rows(other, results, name, number, average, confidence);
        refuse(
                rows.stream().allMatch(row -> row.models().isEmpty()),
                "no model of " + x + " is among the results: "
                        + results.stream().map(Result::model).distinct().collect(Collectors.joining(", ")));
        String benchmark = x.getFileName() + (column == null ? "" : ", " + column);
        print(form.text(
                () -> AgreementTables.document(rows, name, number, benchmark, confidence),
                () -> AgreementTables.tables(rows, name, number, benchmark, confidence),
                () -> AgreementTables.raw(rows),
                session()));
    }
}
