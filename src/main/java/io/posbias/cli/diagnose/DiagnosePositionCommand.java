package io.posbias.cli.diagnose;

import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.PlacingOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.StudyCommand;
import io.posbias.data.position.Bucketing;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Settings;
import io.posbias.score.position.PositionTables;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.PositionDiagnosis;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose position}: position with the content held fixed. */
@Command(
        name = "position",
        description = "Separate position from content by moving the evidence.",
        footer = {
            "",
            "The evidence of each query is put at several places of its passage, which is ranked among all other passages.",
            "",
            "Only queries with an evidence span in one relevant passage of several sentences count; --seed also seeds the "
                    + "draws. docs/statistics.md has the estimator. Datasets are pooled; all must be in one language.",
            "",
            "Examples:",
            "  posbias diagnose position --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose position --model my.yaml --dataset squad-posq --n 600",
        })
final class DiagnosePositionCommand extends StudyCommand implements Study.Command {
    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Mixin
    private PlacingOptions placing = new PlacingOptions();

    @Mixin
    private SettingsOptions equivalence = new SettingsOptions("equivalence");

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "Measure of the ranking (default: ${DEFAULT-VALUE}).")
    private String measure = Measures.DEFAULT;

    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Position buckets of the profile (default: the dataset's own).")
    private @Nullable String buckets;

    @Option(names = "--places-table", description = "Print the means by place.")
    private boolean places;

    @Heading("Statistics:")
    @Option(names = "--stats", description = "Print clusters and contrasts, and content and position by bucket.")
    private boolean statistics;

    @Heading("Statistics:")
    @Least(1)
    @Option(
            names = "--draws",
            paramLabel = "N",
            description = "Number of draws of passages for cPSI's interval and p-value (default: ${DEFAULT-VALUE}).")
    private int draws = Settings.USUAL.draws();

    @Override
    public Study study() {
        return PositionDiagnosis.study();
    }

    @Override
    protected void work() {
        Measure parsed = Measures.parse(measure);
        placing.choice();
        Bucketing given = buckets == null ? null : Bucketing.parse(buckets);
        List<Recipe> recipes = options.checked(session());
        Map.Entry<String, List<Documents>> documents = options.apart(this);
        Documents first = documents.getValue().getFirst();
        List<RelocatedTexts> texts = placing.isGiven()
                ? documents.getValue().stream()
                        .map(own -> new RelocatedTexts(own, placing.choice(), session()))
                        .toList()
                : RelocatedTexts.usual(documents.getValue(), recipes, options.engine(session()));
        ContentFixedFit fit = new ContentFixedFit(
                options.settings()
                        .withMeasures(List.of(parsed))
                        .withDraws(draws)
                        .withCluster(documents.getValue().stream()
                                .map(Documents::cluster)
                                .max(Comparator.comparing(unit -> unit == Clustering.By.ARTICLE))
                                .orElseThrow())
                        .withSeed(first.seed())
                        .with("equivalence", equivalence.settings().equivalence()),
                texts.getFirst().method().toString(),
                options.threads());
        options.runDiagnosis(
                this,
                new PositionDiagnosis(
                        documents.getKey(),
                        texts,
                        given == null
                                ? PositionDiagnosis.bucketing(first.dataset().card())
                                : given,
                        fit,
                        new PositionTables.Content(places, statistics, options.detail())),
                recipes);
    }
}
