package io.posbias.cli.construct;

import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Least;
import io.posbias.score.measure.Settings;
import io.posbias.study.annotate.Sheets;
import io.posbias.study.annotate.Validation;
import io.posbias.study.build.Funnel;
import io.posbias.study.build.PipelineRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "sheets",
        description = "Draw questions for people to check, as blind sheets.",
        footer = {
            "",
            "Writes, for each annotator, annotator-N.csv to fill in and annotator-N.html to read, without network or"
                    + " scripts: questions and the three segments of their documents, without labels. key.csv has the"
                    + " labels and stays with you. 'posbias construct validate' reads the filled sheets."
                    + " docs/construct.md",
            "",
            "Example:",
            "  posbias construct sheets my-posq --per-stratum 20 --out people",
        })
final class SheetsCommand extends BaseCommand {
    @Parameters(paramLabel = "DIR", description = "The --out of 'posbias construct'.")
    private Path folder = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "New folder of the sheets.")
    private Path out = Path.of("");

    @Least(1)
    @Option(
            names = "--per-stratum",
            paramLabel = "N",
            description = "Questions of each length bucket and position (default: ${DEFAULT-VALUE}).")
    private int perStratum = 20;

    @Least(1)
    @Option(
            names = "--annotators",
            paramLabel = "N",
            description = "Sheets, each with the same questions (default: ${DEFAULT-VALUE}).")
    private int annotators = 2;

    @Least(0)
    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the draw and orders (default: ${DEFAULT-VALUE}).")
    private int seed = 42;

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        refuse(Files.exists(out), "--out " + out + " exists: give a new folder, so that no filled sheet is lost");
        isWritable("--out", out);
        Funnel built = new Funnel(PipelineRecord.read(folder), folder);
        List<Sheets.Stratum> strata = new Sheets(built, perStratum, annotators, seed).write(out, session());
        List<String> notes = List.of("give each annotator annotator-N.csv and annotator-N.html; keep key.csv");
        print(form.list(Sheets.Stratum.class, strata, notes, session()));
    }

    @Command(
            name = "validate",
            description = "Compare filled sheets with each other and with the labels.",
            footer = {
                "",
                "Prints the annotators' agreement and Cohen's kappa, and the share of labels that they contradict, by"
                        + " position and length. Unanswered questions are counted. docs/construct.md",
                "",
                "Example:",
                "  posbias construct validate people",
            })
    static final class Validate extends BaseCommand {
        @Parameters(paramLabel = "DIR", description = "The --out of 'posbias construct sheets', with filled sheets.")
        private Path folder = Path.of("");

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
            Validation found = Validation.of(folder, confidence);
            print(form.text(() -> found, found::tables, found::raw, session()));
        }
    }
}
