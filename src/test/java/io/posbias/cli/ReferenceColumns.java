package io.posbias.cli;

import static java.util.stream.Collectors.joining;

import io.posbias.base.stats.RaterAgreement.Agreement;
import io.posbias.base.table.RecordCsv;
import io.posbias.report.AgreementTables;
import io.posbias.report.BenchmarkLossTables;
import io.posbias.report.ComparisonTables;
import io.posbias.report.RatingTables;
import io.posbias.report.SeedTables;
import io.posbias.report.query.QueryText;
import io.posbias.run.CellEstimate;
import io.posbias.run.experiment.ExperimentForecast;
import io.posbias.score.over.RatingAgreement;
import io.posbias.score.plan.PlanReport;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.PlacesFile;
import io.posbias.score.result.Study;
import io.posbias.study.annotate.Validation;
import io.posbias.study.build.Funnel;
import io.posbias.study.build.PipelineForecast;
import io.posbias.study.build.TranslationRatings;
import io.posbias.study.diagnose.CollectionTables;
import io.posbias.study.diagnose.CutTables;
import io.posbias.study.diagnose.DomainSimilarity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class ReferenceColumns {
    private ReferenceColumns() {}

    private record Csv(String where, String rows, List<RecordCsv.Described> columns) {}

    private record Part(String title, List<Csv> all) {}

    private static List<Part> parts() {
        return List.of(
                new Part("Results", results()),
                new Part("Comparisons", comparisons()),
                new Part("Probes, diagnoses, mitigation", found()),
                new Part("Scores of probes and diagnoses", scores()),
                new Part("Benchmarks, constructions, plans", plans()));
    }

    private static List<Csv> results() {
        return List.of(
                new Csv(
                        "buckets.csv",
                        "A line for each bucket of each measure and stratum; without evidence one line of an empty"
                                + " bucket. `eval`, `score` and `pool` print the same, and `report --format tidy-csv`;"
                                + " `report --by FIELD` has a first column with the value of the field.",
                        CsvFiles.BUCKET_LINES.described(null)),
                new Csv("queries.csv", "A line for each judged query.", CsvFiles.queryColumns()),
                new Csv(
                        "content-fixed.csv",
                        "A line for each query and each place of its evidence; `scores.csv` of `diagnose position` has"
                                + " the same.",
                        PlacesFile.LINES.described(null)),
                new Csv(
                        "report show QUERY",
                        "A line for each passage of each ranking.",
                        QueryText.LINES.described(null)));
    }

    private static List<Csv> comparisons() {
        return List.of(
                new Csv(
                        "compare",
                        "A line for each pair of systems, benchmark and stratum.",
                        ComparisonTables.LINES.described(null)),
                new Csv(
                        "report over benchmarks",
                        "A line for each model on each benchmark, and one over its benchmarks.",
                        BenchmarkLossTables.LINES.described(null)),
                new Csv(
                        "report over seeds",
                        "A line for each model on each benchmark.",
                        SeedTables.LINES.described(null)),
                new Csv(
                        "data stats --domains",
                        "A line for each pair of domains.",
                        DomainSimilarity.PAIRS.described(null)),
                new Csv(
                        "construct rate-translations",
                        "A line for each system and language.",
                        TranslationRatings.columns()),
                new Csv("correlate ratings", "A line for each group and column of ratings.", ratings()),
                new Csv("correlate", "A line for each benchmark and stratum.", AgreementTables.LINES.described(null)));
    }

    private static List<RecordCsv.Described> ratings() {
        Agreement none = new Agreement(null, null);
        return RatingTables.LINES.described(new RatingAgreement.Row(
                "", "", 0, RatingAgreement.means(List.of(0.0, 0.0)), none, none, none, none, none, none));
    }

    private static List<Csv> found() {
        return named("", Study::printed);
    }

    private static List<Csv> scores() {
        return named("scores.csv of ", Study::scores);
    }

    /** The columns of all studies, those of several commands once. */
    private static List<Csv> named(String prefix, Function<Study, Study.@Nullable Csv> part) {
        Map<Study.Csv, List<String>> commands = new LinkedHashMap<>();
        Studies.all().forEach((command, study) -> {
            Study.Csv csv = part.apply(study);
            if (csv != null) {
                commands.computeIfAbsent(csv, own -> new ArrayList<>()).add(command);
            }
        });
        return commands.entrySet().stream()
                .map(csv -> new Csv(
                        prefix + String.join(", ", csv.getValue()),
                        csv.getKey().rows(),
                        csv.getKey().lines().described(null)))
                .toList();
    }

    private static List<Csv> plans() {
        return List.of(
                new Csv(
                        "data cuts",
                        "A line for each bucket of each model on each benchmark, and of each strategy around it.",
                        CutTables.LINES.described(null)),
                new Csv(
                        "data stats",
                        "A line for each language and each domain, and for all.",
                        CollectionTables.LINES.described(null)),
                new Csv("plan", "A line for each simulated size.", PlanReport.LINES.described(null)),
                new Csv("construct, construct show", "A line for each stage.", Funnel.columns()),
                new Csv(
                        "construct validate",
                        "A line for all questions, each position and each length, against each annotator.",
                        Validation.columns()),
                new Csv("construct --dry-run", "A line for each stage.", PipelineForecast.LINES.described(null)),
                new Csv(
                        "eval --dry-run, mitigate --dry-run, run --dry-run",
                        "A line for each cell.",
                        ExperimentForecast.LINES.described(null)),
                new Csv("eval --max-calls 0", "A line for each cell.", CellEstimate.LINES.described(null)));
    }

    static String page() {
        StringBuilder page = new StringBuilder(
                "Columns of the CSV that posbias writes. Numbers are in full precision: a `fraction` is from 0 to 1 or"
                        + " a difference of such, where tables print points (× 100); a `score` is in the model's own unit."
                        + " An empty cell is not known. Under the name of a command: what its `--format csv` prints."
                        + " Intervals are two columns, at the level of `--confidence`. CSV of other commands has the columns of their tables.\n");
        for (Part part : parts()) {
            page.append("\n## ").append(part.title()).append("\n");
            part.all().forEach(csv -> append(csv, page));
        }
        return page.toString();
    }

    private static void append(Csv csv, StringBuilder page) {
        page.append("\n### ")
                .append(csv.where())
                .append("\n\n")
                .append(csv.rows())
                .append("\n\n")
                .append(ReferencePages.table(
                        List.of("column", "values", "meaning"),
                        csv.columns().stream()
                                .map(column -> List.of(
                                        column.names().stream()
                                                .map(name -> "`" + name + "`")
                                                .collect(joining(", ")),
                                        column.unit(),
                                        column.meaning()))
                                .toList()));
    }
}
