package io.posbias.cli.construct;

import io.posbias.build.Pipeline;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.table.Sheet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = "List the built-in pipelines with their stages.",
        footer = {"", "Example:", "  posbias construct list"})
final class ConstructListCommand extends BaseCommand {
    private static final Sheet<Pipeline> SHEET = new Sheet<Pipeline>()
            .label("pipeline", Pipeline::name)
            .label("description", Pipeline::description)
            .label(
                    "stages",
                    pipeline ->
                            pipeline.steps().stream().map(Pipeline.Step::name).collect(Collectors.joining(", ")));

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        List<Pipeline> all = Pipeline.names().stream()
                .map(name -> Pipeline.find(name, Map.of()))
                .toList();
        print(form.text(SHEET, all, List.of(), session()));
    }
}
