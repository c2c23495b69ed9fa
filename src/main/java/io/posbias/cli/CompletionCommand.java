package io.posbias.cli;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class CompletionCommand implements Runnable {
    /** The shells there is a script for. */
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (shell == Shell.ZSH) {
            // zsh runs bash's completion through this function of its own; compinit must come before it.
            out.println("autoload -Uz compinit bashcompinit && compinit && bashcompinit");
        }
        out.println(AutoComplete.bash("posbias", spec.root().commandLine()));
        out.flush();
    }
}
