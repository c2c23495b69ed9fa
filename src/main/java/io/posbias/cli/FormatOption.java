package io.posbias.cli;

import picocli.CommandLine.Option;

/** In which form tables go to stdout; shared by all commands that print nothing but one kind of them. */
final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private PrintOptions.Format format = PrintOptions.Format.TABLE;

    /** The form. */
    PrintOptions.Format format() {
        return format;
    }
}
