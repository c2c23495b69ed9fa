package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.CellOptions;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.ResultPool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pool",
        description = "Pool the queries of one model's results over benchmarks.",
        footer = {
            "",
            "Every query counts once, so larger benchmarks weigh more.",
            "",
            "Example:",
            "  posbias pool --name posir/eng-Latn results/posir/eng-Latn/*/bm25",
            "  posbias report results/posir/eng-Latn/bm25 --layout length",
        })
final class PoolCommand extends BaseCommand {
    @Parameters(paramLabel = "FOLDER", arity = "1..*", description = "Folders of finished cells.")
    private List<Path> folders = List.of();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Name of the pooled benchmark.")
    private String name = "";

    @Mixin
    private CellOptions cells = new CellOptions();

    @Override
    protected void work() {
        DatasetCard.checkedName(name);
        cells.check(1);
        ResultPool pool = new ResultPool(name, folders);
        refuse(
                !cells.namesFolder() && !FileNames.isModel(pool.model()),
                "the model name " + Printable.quoted(pool.model()) + " is not a legal folder name: give --out");
        ResultFolder target = new ResultFolder(cells.folder(name, pool.model()));
        Result pooled = pool.into(target, cells.overwrite(), session());
        print(cells.text(List.of(pooled), List.of(), Map.of(), Map.of(), session()));
    }
}
