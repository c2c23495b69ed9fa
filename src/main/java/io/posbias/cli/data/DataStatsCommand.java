package io.posbias.cli.data;

import io.posbias.Json;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Least;
import io.posbias.dataset.DatasetReader;
import io.posbias.diagnose.CollectionLengths;
import io.posbias.diagnose.CollectionLengths.LengthRuler;
import io.posbias.diagnose.CollectionTables;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.Datasets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stats",
        description = "Show token lengths and query types of benchmarks.",
        sortOptions = false,
        footer = {
            "",
            "Printed are Tables 1, 4, 5 and 6 of the PosIR paper: all datasets together, documents by language and by domain, and English and Chinese queries by their interrogative word. CSV has the rows of Tables 1, 4 and 5.",
            "",
            "Examples:",
            "  posbias data stats xquad-en xquad-zh",
            "  posbias data stats posir/eng-Latn --tokenizer qwen3/tokenizer.json",
            "  posbias data stats my-squad --tokenizer words --format csv",
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

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        List<Datasets.Source> sources = new Datasets(session()).sources(names);
        CellRunner.refuseTwins("", List.of(), "the command line", sources);
        if (tokenizer.equals(TokenizerNames.WORDS)) {
            show(sources, LengthRuler.words());
            return;
        }
        try (Tokenizer opened = TokenizerNames.open(tokenizer, session())) {
            show(sources, LengthRuler.tokens(tokenizer, opened));
        }
    }

    private void show(List<Datasets.Source> sources, LengthRuler ruler) {
        CollectionTables tables = new CollectionTables(
                ruler.units(),
                sources.stream().map(source -> lengths(source, ruler)).toList());
        print(form.text(() -> Json.toBytes(tables.document()), tables::tables, tables::raw, session()));
    }

    private CollectionLengths lengths(Datasets.Source source, LengthRuler ruler) {
        Path folder = source.folder().get();
        return session()
                .step("count " + source.name(), () -> CollectionLengths.of(DatasetReader.open(folder), ruler, threads));
    }
}
