package io.posbias.cli;

import io.posbias.Configs;
import io.posbias.cli.common.Verb;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        commandListHeading = "Posbias itself:",
        description = "Print a script that completes words in a shell.",
        footer = {
            "",
            "Completed are commands, options, names of models, datasets, measures and experiments, and paths. The script "
                    + "needs awk, and knows the names of this version: print it again after an update.",
            "",
            "Examples:",
            "  source <(posbias completion bash)      in bash, or in ~/.bashrc",
            "  source <(posbias completion zsh)       in zsh, or in ~/.zshrc",
            "  posbias completion fish | source       in fish, or in its config.fish",
        })
final class CompletionCommand extends Verb {
    enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    @Override
    protected void work() {
        print(resource(shell.toString())
                .replace("@TABLE@", quoted(CompletionTable.of(spec().root().commandLine())))
                .replace("@AWK@", quoted(resource("awk"))));
    }

    /** As it may be within single quotes of fish; bash and zsh read both texts as they are, so the program has no quote. */
    private String quoted(String text) {
        String body = text.stripTrailing();
        return shell == Shell.FISH ? body.replace("\\", "\\\\").replace("'", "\\'") : body;
    }

    private static String resource(String ending) {
        return new String(Configs.read("cli/completion." + ending), StandardCharsets.UTF_8);
    }
}
