package io.posbias.cli.construct;

import io.posbias.build.Pipeline;
import io.posbias.cli.common.TableLook;
import io.posbias.cli.common.Verb;
import io.posbias.table.Sheet;
import io.posbias.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List the pipelines known by name, with their stages.",
        footer = {"", "Example:", "  posbias construct list"})
final class ConstructListCommand extends Verb {
    private static final Sheet<Pipeline> SHEET = new Sheet<Pipeline>()
            .label("pipeline", Pipeline::name)
            .label("description", Pipeline::description)
            .label(
                    "stages",
                    pipeline ->
                            pipeline.steps().stream().map(Pipeline.Step::name).collect(Collectors.joining(", ")));

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TABLE;

    @Mixin
    private TableLook look = new TableLook();

    @Override
    protected void work() {
        List<Pipeline> all = Pipeline.names().stream()
                .map(name -> Pipeline.find(name, Map.of()))
                .toList();
        print(format.render(SHEET.table("", all, List.of()), look.style(session())));
    }
}
