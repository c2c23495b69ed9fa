package io.posbias.cli.construct;

import io.posbias.build.Pipeline;
import io.posbias.cli.common.BaseCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "info",
        description = "Print a pipeline as YAML, as a template.",
        footer = {"", "Example:", "  posbias construct info own-posq > mine.yaml"})
final class ConstructInfoCommand extends BaseCommand {
    @Parameters(paramLabel = "PIPELINE", description = "A name from 'posbias construct list' or a .yaml file.")
    private String name = "";

    @Override
    protected void work() {
        print(Pipeline.text(name));
    }
}
