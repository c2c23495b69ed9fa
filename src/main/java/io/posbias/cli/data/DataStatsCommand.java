package io.posbias.cli.data;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.UsageException;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.DeviceOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.PlotOptions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.model.store.ModelStore;
import io.posbias.study.build.LengthUnit;
import io.posbias.study.diagnose.CollectionLengths;
import io.posbias.study.diagnose.CollectionLengths.LengthRuler;
import io.posbias.study.diagnose.CollectionTables;
import io.posbias.study.diagnose.DomainSimilarity;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stats",
        description = "Show token lengths and query types of benchmarks.",
        footer = {
            "",
            "Prints Tables 1, 4, 5 and 6 of the PosIR paper: all datasets together, documents by language and by domain, and English and Chinese queries by their interrogative word. CSV has the rows of Tables 1, 4 and 5.",
            "",
            "Examples:",
            "  posbias data stats xquad-en xquad-zh",
            "  posbias data stats posir/eng-Latn --tokenizer qwen3/tokenizer.json",
            "  posbias data stats my-squad --tokenizer words --format csv",
            "  posbias data stats posir/eng-Latn --domains all-minilm-l6-v2 --n 1000",
        })
final class DataStatsCommand extends BaseCommand {
    private static final String BUNDLED = "all-minilm-l6-v2";

    @Parameters(
            paramLabel = "DATASET",
            arity = "1..*",
            description = "Benchmarks: names, groups or patterns from 'posbias data list', or folders.")
    private List<String> names = List.of();

    @Option(
            names = "--tokenizer",
            paramLabel = "FILE|MODEL",
            description = "Tokenizer: a tokenizer.json, an installed model, or words (split at single spaces) (default:"
                    + " ${DEFAULT-VALUE}).")
    private String tokenizer = BUNDLED;

    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--domains",
            paramLabel = "MODEL",
            description = "Print instead the similarity of domains by their mean passage vectors (PosIR's Figure 6).")
    private @Nullable String domains;

    @BelongsTo("--domains")
    @Least(1)
    @Option(names = "--n", paramLabel = "N", description = "Passages to draw per benchmark (default: all).")
    private @Nullable Integer n;

    @Heading("Tuning:")
    @BelongsTo("--domains")
    @Least(0)
    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of the draw (default: ${DEFAULT-VALUE}).")
    private int seed = 42;

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Override
    protected void work() {
        List<Datasets.Source> sources = new Datasets(session()).sources(names);
        FileNames.requireDistinct(
                "the command line", "dataset", sources.stream().map(Datasets.Source::name));
        if (domains != null) {
            show(domains, sources);
            return;
        }
        refuse(plots.areGiven(), "--plots draws the similarity of domains: give --domains MODEL");
        if (tokenizer.equals(LengthUnit.WORDS)) {
            show(sources, LengthRuler.words());
            return;
        }
        try (Tokenizer opened = LengthUnit.tokenizer(tokenizer, "--tokenizer " + tokenizer, session())) {
            show(sources, LengthRuler.tokens(tokenizer, opened));
        }
    }

    private void show(String model, List<Datasets.Source> sources) {
        Recipe recipe = new ModelFinder(session()).find(model);
        Model.Encoder encoder = recipe.oneVector()
                .orElseThrow(() -> new UsageException("--domains " + recipe.name() + " is of kind " + recipe.kind()
                        + "; give a model with one vector per text"));
        new ModelStore(session()).require(recipe);
        List<Dataset> datasets = sources.stream()
                .map(source -> DatasetNames.load(source, session()))
                .toList();
        DomainSimilarity found;
        try (VectorSource vectors = encoder.open(device.engine(threads, session()))) {
            found = DomainSimilarity.of(recipe.name(), datasets, vectors, n, seed);
        }
        print(form.text(() -> found, () -> List.of(found.table()), found::raw, session()));
        plots.draw(session(), found::figures);
    }

    private void show(List<Datasets.Source> sources, LengthRuler ruler) {
        CollectionTables tables = new CollectionTables(
                ruler.units(),
                sources.stream().map(source -> lengths(source, ruler)).toList());
        print(form.text(tables::document, tables::tables, tables::raw, session()));
    }

    private CollectionLengths lengths(Datasets.Source source, LengthRuler ruler) {
        Path folder = source.folder().get();
        return session()
                .step("count " + source.name(), () -> CollectionLengths.of(DatasetReader.open(folder), ruler, threads));
    }
}
