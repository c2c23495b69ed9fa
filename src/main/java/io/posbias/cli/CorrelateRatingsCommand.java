package io.posbias.cli;

import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.report.RatingTables;
import io.posbias.score.measure.Settings;
import io.posbias.score.over.RatingAgreement;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias correlate ratings}: agreement of people or models on ratings. */
@Command(
        name = "ratings",
        description = "Compare ratings of the same items by several raters.",
        footer = {
            "",
            "Each file has the ratings of one rater: .csv, .jsonl, .tsv or .parquet rows with an identifier and"
                    + " numbers, for example those of 'posbias construct rate-translations'. Prints Krippendorff's"
                    + " alpha (ordinal) with its interval, alpha (interval), Cohen's kappa, Spearman's rho, the share"
                    + " within 1 and the mean absolute difference; CSV and JSON have intervals of all.",
            "",
            "Examples:",
            "  posbias correlate ratings gpt-4o.jsonl people.csv",
            "  posbias correlate ratings a.csv b.csv c.csv --id item --by language",
        })
final class CorrelateRatingsCommand extends BaseCommand {
    @Parameters(paramLabel = "FILE", arity = "2..*", description = "Ratings, one file per rater.")
    private List<Path> files = List.of();

    @Option(
            names = "--id",
            split = ",",
            paramLabel = "COLUMN,..",
            description = "Columns that identify an item (default: id, language and system, where they exist).")
    private List<String> id = RatingAgreement.ID;

    @Option(
            names = "--rating",
            split = ",",
            paramLabel = "COLUMN,..",
            description = "Columns of ratings (default: all columns of numbers).")
    private List<String> ratings = List.of();

    @Option(names = "--by", paramLabel = "COLUMN", description = "Also compare each group, for example language.")
    private String by = "";

    @Heading("Statistics:")
    @Least(1)
    @Option(names = "--draws", paramLabel = "N", description = "Bootstrap draws (default: ${DEFAULT-VALUE}).")
    private int draws = 1000;

    @Heading("Statistics:")
    @Least(0)
    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of the draws (default: ${DEFAULT-VALUE}).")
    private int seed = 42;

    @Heading("Statistics:")
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of intervals (default: ${DEFAULT-VALUE}).")
    private double confidence = Settings.USUAL.confidence();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        confidence(confidence);
        files.forEach(file -> isFile("FILE", file));
        RatingAgreement agreement = new RatingAgreement(id, by, draws, seed, confidence);
        List<RatingAgreement.Row> rows = agreement.rows(files, ratings);
        print(form.text(
                () -> rows,
                () -> List.of(RatingTables.table("Agreement of " + files.size() + " raters", rows)),
                () -> RatingTables.raw(rows),
                session()));
    }
}
