package io.posbias.cli.data;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.JudgementOptions;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.named.Datasets;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.model.store.ModelStore;
import io.posbias.study.diagnose.CutTables;
import io.posbias.study.diagnose.Cuts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cuts",
        description = "Show how much of benchmarks or texts models would truncate.",
        footer = {
            "",
            "Loads tokenizers only. Prints the passages longer than a model's token limit, the queries whose evidence is past the limit by position bucket, and the strategies that read it. 'eval' reports the same numbers as truncation. For a reranker, pairs of a query and a relevant passage are counted.",
            "",
            "Examples:",
            "  posbias data cuts --model all-minilm-l6-v2 --dataset demo",
            "  posbias data cuts --model all-minilm-l6-v2,bge-small-en-v1.5 --dataset demo",
            "  posbias data cuts --model all-minilm-l6-v2+chunked --texts corpus.jsonl.gz",
        })
final class DataCutsCommand extends BaseCommand {
    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description =
                    "Datasets: names, groups or patterns from 'posbias data list' or folders, separated by commas.")
    private List<String> datasets = List.of();

    @Option(
            names = "--texts",
            paramLabel = "FILE",
            description = "Texts without queries, as in corpus.jsonl: rows with _id, text and optionally title; .jsonl "
                    + "or .tsv, also .gz, or .parquet.")
    private @Nullable String texts;

    @Mixin
    private JudgementOptions judgements = new JudgementOptions();

    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Position buckets instead of the datasets' own, as in 'posbias eval'.")
    private @Nullable String buckets;

    @Option(names = "--no-strategies", description = "Omit retrieval strategies.")
    private boolean plain;

    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        refuse(datasets.isEmpty() && texts == null, "give --dataset, --texts, or both");
        Bucketing asked = buckets == null ? null : Bucketing.parse(buckets);
        List<Recipe> recipes = new ModelFinder(session()).all(models.names());
        recipes.forEach(Cuts::preview);
        List<Datasets.Source> sources = judgements.sources(datasets, new Datasets(session()));
        FileNames.requireDistinct("--model", "model", recipes.stream().map(Recipe::name));
        FileNames.requireDistinct("--dataset", "dataset", sources.stream().map(Datasets.Source::name));
        recipes.forEach(this::fetch);
        Engine engine = new Engine(Device.CPU, threads, session());
        List<Cuts> all = new ArrayList<>();
        for (Dataset dataset : opened(sources)) {
            recipes.forEach(recipe -> all.add(Cuts.of(recipe, dataset, asked, !plain, engine)));
        }
        CutTables tables = new CutTables(all);
        print(form.text(tables::document, tables::tables, tables::raw, session()));
    }

    private void fetch(Recipe recipe) {
        Session session = session();
        boolean here = recipe.files().stream()
                .allMatch(files -> files.tokenizer().isEmpty() || files.has(files.tokenizer(), session.home()));
        if (!here) {
            new ModelStore(session).require(recipe);
        }
    }

    private List<Dataset> opened(List<Datasets.Source> sources) {
        List<Dataset> all = new ArrayList<>();
        sources.forEach(source -> all.add(DatasetNames.load(source, session())));
        if (texts != null) {
            Path file = FileNames.path(texts);
            isFile("--texts", file);
            DatasetCard card = DatasetCard.named(String.valueOf(file.getFileName()));
            Passages passages = session().step("load " + file, () -> Passages.open(RowFile.open(file)));
            all.add(new Dataset(card, Map.of(), passages, List.of(), new Qrels(Map.of())));
        }
        return all;
    }
}
