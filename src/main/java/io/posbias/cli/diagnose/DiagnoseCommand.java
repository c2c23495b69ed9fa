package io.posbias.cli.diagnose;

import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.StudyCommand;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.EvidenceMover;
import io.posbias.score.measure.Depth;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.MovingDiagnosis;
import io.posbias.study.diagnose.Reversal.Groups;
import io.posbias.study.diagnose.ReversalDiagnosis;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose}: a benchmark's own documents, as they are and changed. */
@Command(
        name = "diagnose",
        description = "Run controlled experiments on a benchmark's documents.",
        subcommands = {
            DiagnoseEvidenceCommand.class,
            DiagnoseSecondEvidenceCommand.class,
            DiagnosePositionCommand.class,
            DiagnoseCommand.Moving.class,
            DiagnoseNeedleCommand.class,
            DiagnoseCommand.Reversal.class,
            DiagnoseSegmentsCommand.class,
            DiagnoseSaliencyCommand.class,
            DiagnoseTokensCommand.class,
        },
        footer = {
            "",
            "Examples:",
            "  posbias diagnose position --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose moving --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose reversal --model all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose second-evidence --dataset demo",
            "  posbias diagnose segments --model all-minilm-l6-v2 --dataset squad-posq",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --dataset demo",
        })
public final class DiagnoseCommand extends Group {
    @Command(
            name = "moving",
            description = "Move the evidence through its document and score each place.",
            footer = {
                "",
                "The sentence that holds the evidence moves to several places of its document, and each text is scored.",
                "",
                "Only queries with an evidence span in one relevant passage of at least "
                        + EvidenceMover.LEAST_SENTENCES
                        + " sentences count. Datasets are pooled; all must be in one language.",
                "",
                "Examples:",
                "  posbias diagnose moving --model bm25,all-minilm-l6-v2 --dataset demo",
                "  posbias diagnose moving --model my.yaml --dataset squad-posq --n 500",
            })
    static final class Moving extends StudyCommand implements Study.Command {
        private static final int MOST = 1_000;

        @Mixin
        private DiagnoseOptions options = new DiagnoseOptions();

        @Least(value = 2, most = MOST)
        @Option(
                names = "--positions",
                paramLabel = "N",
                description = "Number of evenly spaced places, from 2 to " + MOST + " (default: ${DEFAULT-VALUE}).")
        private int positions = 10;

        @Option(names = "--with-published", description = "Add Table 13 of the paper on training distributions.")
        private boolean withPublished;

        @Override
        public Study study() {
            return MovingDiagnosis.study();
        }

        @Override
        protected void work() {
            List<Recipe> recipes = options.checked(session());
            Documents documents = options.documents(this);
            options.runDiagnosis(
                    this,
                    new MovingDiagnosis(
                            documents, positions, options.settings().confidence(), withPublished, session()),
                    recipes);
        }
    }

    @Command(
            name = "reversal",
            description = "Reverse the segments of all passages and retrieve again.",
            footer = {
                "",
                "Position effects move with the segment; content effects stay.",
                "",
                "Evidence must have spans. Each dataset is searched on its own; the queries of all are pooled.",
                "",
                "Examples:",
                "  posbias diagnose reversal --model bm25,all-minilm-l6-v2 --dataset demo",
                "  posbias diagnose reversal --model my.yaml --dataset my-squad --out mine",
            })
    static final class Reversal extends StudyCommand implements Study.Command {
        @Mixin
        private ModelNames models = new ModelNames();

        @Mixin
        private DatasetNames datasets = new DatasetNames();

        @Least(2)
        @Option(
                names = "--segments",
                paramLabel = "N",
                description =
                        "Maximum number of segments per passage, of whole sentences, 2 or more (default: ${DEFAULT-"
                                + "VALUE}).")
        private int segments = 5;

        @Option(
                names = "--groups",
                paramLabel = "segments|thirds",
                description = "What counts as front and back: the first and last two of five segments, or thirds of the"
                        + " passage (default: ${DEFAULT-VALUE}).")
        private Groups groups = Groups.SEGMENTS;

        @Mixin
        private SettingsOptions settings = new SettingsOptions("k", "confidence", "cluster");

        @Mixin
        private ThreadsOption threads = new ThreadsOption();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Mixin
        private PlotOptions plots = new PlotOptions();

        @Mixin
        private ModelOptions modelOptions = new ModelOptions();

        @Option(names = "--with-published", description = "Add Table 12 of the paper on training distributions.")
        private boolean withPublished;

        @Override
        public Study study() {
            return ReversalDiagnosis.study();
        }

        @Override
        protected void work() {
            List<Recipe> recipes = modelOptions.recipes(models.names(), session());
            Engine engine = modelOptions.device().engine(threads.threads(), session());
            DatasetNames.Opened opened = datasets.open(this);
            runDiagnosis(
                    new ReversalDiagnosis(
                            opened.name(),
                            opened.all(),
                            new ReversalDiagnosis.Choice(segments, groups, withPublished),
                            Depth.checked(settings.settings(), "--k")),
                    recipes,
                    engine,
                    output,
                    plots);
        }
    }
}
