package io.posbias.cli;

import io.posbias.cli.common.Verb;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code posbias completion}: a script that completes commands and options in a shell. */
@Command(
        name = "completion",
        description = "Print a completion script for bash or zsh.",
        footer = {
            "",
            "Examples:",
            "  source <(posbias completion bash)      in bash, or in ~/.bashrc",
            "  source <(posbias completion zsh)       in zsh, or in ~/.zshrc",
        })
final class CompletionCommand extends Verb {
    /** The shells there is a script for. */
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    @Override
    protected void work() {
        // zsh runs bash's completion through this function of its own; compinit must come before it.
        String first = shell == Shell.ZSH ? "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" : "";
        print(first + AutoComplete.bash("posbias", spec().root().commandLine()) + "\n");
    }
}
