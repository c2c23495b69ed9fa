package io.posbias.cli;

import io.posbias.Printable;
import io.posbias.cli.common.PrintOptions;
import io.posbias.cli.common.Verb;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.ResultPool;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pool",
        description = "Pool the queries of several results of one model, as PosIR pools domains. Every query counts "
                + "once, so larger benchmarks weigh more.",
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  posbias pool --name posir/eng-Latn results/posir/eng-Latn/*/bm25",
            "  posbias report results/posir/eng-Latn/bm25 --layout length",
        })
final class PoolCommand extends Verb {
    @Parameters(
            paramLabel = "FOLDER",
            arity = "1..*",
            description = "Folders of finished cells: result.json and queries.csv.")
    private List<Path> folders = List.of();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Name of the pooled benchmark.")
    private String name = "";

    @Option(names = "--output", paramLabel = "DIR", description = "Output folder (default: results/NAME/MODEL).")
    private @Nullable Path output;

    @Mixin
    private PrintOptions printing = new PrintOptions();

    @Option(names = "--overwrite", description = "Replace any result in that folder.")
    private boolean overwrite;

    @Override
    protected void work() {
        Datasets.checkedName(name);
        ResultPool pool = new ResultPool(name, folders);
        ResultFolder target = new ResultFolder(output == null ? usualFolder(pool.model()) : output);
        Result pooled = pool.into(target, overwrite, this::say);
        print(printing.text(List.of(pooled), session()));
    }

    private Path usualFolder(String model) {
        refuse(
                !Recipe.isName(model),
                "the results' model " + Printable.quoted(model) + " cannot name a folder: give --output");
        return ResultFolder.of(ResultFolder.ROOT, name, model);
    }
}
