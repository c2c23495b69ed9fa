package io.posbias.cli.diagnose;

import io.posbias.Staging;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.ClusterOption;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.ProbeOptions;
import io.posbias.cli.common.StatisticsOptions;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.Documents;
import io.posbias.diagnose.TokenPairs;
import io.posbias.diagnose.TokensDiagnosis;
import io.posbias.encode.Engine;
import io.posbias.inside.BiasShares;
import io.posbias.inside.TokenDecomposition;
import io.posbias.position.Bucketing;
import io.posbias.report.page.TokensPage;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "tokens",
        description = "Split scores over pairs of query token and document token.",
        sortOptions = false,
        footer = {
            "",
            "DecompX splits the vectors of query and document over their tokens; the inner products of these parts sum to "
                    + "the score. BERT and RoBERTa with a 'transformer' in their recipe (docs/inside.md).",
            "",
            "Examples:",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --dataset demo --n 20",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --dataset demo \\",
            "      --examples 3 --html tokens.html --plots pictures",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --data redocred \\",
            "      --probe foil --plots pictures",
        })
final class DiagnoseTokensCommand extends Verb {
    private static final int EXAMPLES = 5;

    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            hideParamSyntax = true,
            description = "Datasets, pooled: names or patterns from 'posbias data list' or folders, separated by "
                    + "commas. Or take probes, with --data or --pairs.")
    private List<String> datasets = List.of();

    @Mixin
    private SampleOptions sample = new SampleOptions();

    @Mixin
    private ProbeOptions probes = new ProbeOptions();

    @Heading("Tuning:")
    @Option(
            names = "--query",
            split = ",",
            paramLabel = "ID,..",
            hideParamSyntax = true,
            description = "Only these queries, or items of probes, separated by commas; all of them are shown.")
    private List<String> queries = List.of();

    @Heading("Tuning:")
    @BelongsTo("--dataset")
    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Position buckets of the evidence (default: the dataset's own).")
    private @Nullable String buckets;

    @Heading("Tuning:")
    @Option(
            names = "--biases",
            paramLabel = "HOW",
            description = "How biases are shared by tokens: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). "
                    + "absdot: by the absolute inner product with the bias, as in the papers; equal: equally.")
    private BiasShares biases = BiasShares.ABSDOT;

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a page of texts coloured by tokens. It has maps of their words too.")
    private @Nullable Path html;

    @Heading("Tuning:")
    @Least(1)
    @BelongsTo({"--html", "--plots"})
    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Queries on the page and among the pictures, evenly spaced among all (default: " + EXAMPLES
                    + "; all that --query names).")
    private @Nullable Integer examples;

    @Override
    protected void work() {
        check();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        recipes.forEach(TokenDecomposition::check);
        TokenPairs pairs = pairs();
        int all = pairs.byQuery().size();
        int usual = queries.isEmpty() ? EXAMPLES : all;
        List<Integer> shown = DiagnoseOptions.evenly(examples == null ? usual : examples, all);
        TokensDiagnosis diagnosis = new TokensDiagnosis(pairs, biases, statistics.confidence(), shown);
        Engine engine = modelOptions.device().engine(statistics.threads(), session());
        Map<String, TokensDiagnosis.Found> found = look(diagnosis, recipes, engine, output, form, plots);
        if (html != null) {
            Staging.writeFile(html, TokensPage.render(diagnosis, found));
            say("page in " + html);
        }
    }

    private void check() {
        boolean hasDataset = !datasets.isEmpty();
        refuse(
                hasDataset == probes.areGiven(),
                "give either --dataset, or probes with --data or --pairs" + (hasDataset ? ", not both" : ""));
        refuse(sample.n() != null && !queries.isEmpty(), "--n draws queries, --query names them: give one of them");
    }

    private TokenPairs pairs() {
        if (datasets.isEmpty()) {
            return TokenPairs.of(probes.read(this, cluster.by()), queries);
        }
        Bucketing given = buckets == null ? null : Bucketing.parse(buckets);
        Documents documents =
                new Documents(DatasetNames.open(this, datasets).pooled(), sample.n(), sample.seed(), cluster.by());
        return TokenPairs.of(documents, queries, given);
    }
}
