package io.posbias.cli;

import io.posbias.cli.common.BaseCommand;
import io.posbias.data.convert.Catalog;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.run.experiment.Experiment;
import io.posbias.score.measure.Measures;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        hidden = true,
        description = "Print a completion script for bash and zsh.",
        footer = {
            "",
            "Completes commands, options, paths, and names of models, datasets, measures and experiments. "
                    + "Print the script again after an update.",
            "",
            "Examples:",
            "  source <(posbias completion bash)      in bash, or in ~/.bashrc",
            "  source <(posbias completion zsh)       in zsh, or in ~/.zshrc",
        })
final class CompletionCommand extends BaseCommand {
    enum Shell {
        BASH,
        ZSH
    }

    /** Completed names by the label of an option's value. */
    private static final Map<String, Supplier<List<String>>> NAMES = Map.of(
            "MODEL", RecipeBook::builtIn,
            "DATASET", () -> List.copyOf(Catalog.read().names()),
            "MEASURE", () -> Measures.KINDS.stream().map(Measures.Kind::example).toList(),
            "EXPERIMENT", Experiment::builtIn,
            "DEVICE", () -> List.of("cpu", "cuda", "auto"),
            "PRECISION", () -> List.of("float32", "float16", "int8"));

    @Parameters(paramLabel = "SHELL", arity = "0..1", description = "bash or zsh (same script).")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private Shell shell = Shell.BASH;

    @Override
    protected void work() {
        CommandLine root = spec().root().commandLine();
        addNames(root);
        print(AutoComplete.bash("posbias", root));
    }

    private static void addNames(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        for (ArgSpec argument : List.copyOf(spec.args())) {
            Supplier<List<String>> names = NAMES.get(argument.paramLabel().replace(",..", ""));
            if (names != null) {
                spec.remove(argument);
                spec.add(
                        argument instanceof OptionSpec option
                                ? OptionSpec.builder(option)
                                        .completionCandidates(names.get())
                                        .build()
                                : PositionalParamSpec.builder((PositionalParamSpec) argument)
                                        .completionCandidates(names.get())
                                        .build());
            }
        }
        command.getSubcommands().values().forEach(CompletionCommand::addNames);
    }
}
