package io.posbias.cli;

import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Version;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.Checks;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.HelpSections;
import io.posbias.data.dataset.ParquetFile;
import io.posbias.fetch.jars.JavaErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

@Command(
        name = "posbias",
        description = "Measure position bias in information retrieval.",
        versionProvider = PosbiasCommand.VersionText.class,
        // Inherited by all subcommands, like the version provider.
        scope = ScopeType.INHERIT,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Examples:",
            "  posbias check all-minilm-l6-v2 demo",
            "  posbias eval --model bm25,all-minilm-l6-v2 --dataset demo --intervals",
            "  posbias data build squad-posq --input dev-v2.0.json --out my-squad",
            "  posbias report page results/demo --output page.html",
            "",
            "'posbias help COMMAND' is 'posbias COMMAND --help'. 'posbias completion' prints a completion script "
                    + "for bash and zsh.",
            "",
            "Results go to stdout, messages to stderr. Exit codes: 0 success, 1 failure, 2 wrong usage, "
                    + "3 gate failed, 130 interrupted.",
        })
public final class PosbiasCommand extends Group {
    private static final String COMPLETION = "completion";
    private static final String HELP = "help";

    /** Resource with a line for each subcommand, in the order of help: name, class and description, with tabs between. */
    private static final String LIST = "commands.tsv";

    private Session session;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Steps with times, and causes of errors, on stderr.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help", HelpSections.ALL},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Help with the main options, or with all options.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            scope = ScopeType.INHERIT,
            description = "Version of posbias.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean version;

    static final class VersionText implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"posbias " + Version.text()};
        }
    }

    private PosbiasCommand(Session session) {
        this.session = session;
    }

    /**
     * A subcommand before its class is loaded, which takes as long as many commands run.
     *
     * @param type name of its class, below this package
     */
    private record Listed(String name, String type, String description) {
        static List<Listed> all() {
            try (InputStream list = Objects.requireNonNull(PosbiasCommand.class.getResourceAsStream(LIST))) {
                return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.split("\t", 3))
                        .map(columns -> new Listed(columns[0], columns[1], columns[2]))
                        .toList();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        CommandLine loaded() {
            try {
                return new CommandLine(Class.forName(PosbiasCommand.class.getPackageName() + "." + type));
            } catch (ClassNotFoundException missing) {
                throw new IllegalStateException(missing);
            }
        }

        /** Its line in help alone. */
        CommandSpec named() {
            CommandSpec named = CommandSpec.create().name(name);
            named.usageMessage().description(description).hidden(name.equals(COMPLETION) || name.equals(HELP));
            return named;
        }
    }

    /**
     * Creates a command line. Only the subcommand that the arguments name is loaded; of the others it has names and descriptions.
     */
    public static CommandLine commandLine(Session session, List<String> arguments) {
        List<String> words =
                arguments.stream().filter(word -> !word.startsWith("-")).toList();
        String first = words.isEmpty() ? "" : words.getFirst();
        // Arguments may be in a file.
        boolean needsAll = first.equals(COMPLETION) || first.startsWith("@");
        String loaded = first.equals(HELP) && words.size() > 1 ? words.get(1) : first;
        PosbiasCommand root = new PosbiasCommand(session);
        CommandLine line = new CommandLine(root);
        List<Listed> all = Listed.all();
        boolean isAlone = !first.equals(HELP)
                && all.stream().anyMatch(listed -> listed.name().equals(first));
        for (Listed listed : all) {
            if (needsAll || listed.name().equals(loaded) || listed.name().equals(first)) {
                line.addSubcommand(listed.name(), listed.loaded());
            } else if (!isAlone) {
                line.addSubcommand(listed.name(), listed.named());
            }
        }
        line.setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Double.class, PosbiasCommand::finite)
                .registerConverter(double.class, PosbiasCommand::finite)
                .setExecutionStrategy(root::execute)
                .setParameterExceptionHandler((wrong, given) -> UsageErrors.explain(wrong, List.of(given)))
                .setExecutionExceptionHandler((failure, command, parsed) -> root.report(failure, command));
        HelpSections.group(line);
        return line;
    }

    @Override
    protected String welcome() {
        return """
            posbias measures position bias: do search models find an answer at the end of a
            passage as well as at its beginning?

            One question, one answer, with what is built in:
              posbias check all-minilm-l6-v2 demo

            Then with your own model and documents, and as a page:
              posbias check my-model/ my-documents/
              posbias report page results --output page.html

            The parts are commands of their own, for example
              posbias eval --model bm25,all-minilm-l6-v2 --dataset demo

            'posbias --help' lists all commands, 'posbias COMMAND --help' explains one.
            """;
    }

    /** Parses a finite number; Java also accepts NaN and Infinity. */
    private static double finite(String text) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException notNumber) {
            // Refused below.
        }
        throw new TypeConversionException("'" + text + "' is not a finite number");
    }

    @Override
    public Session session() {
        return session;
    }

    private int execute(ParseResult parsed) {
        if (verbose) {
            // Before the command loads its classes: loggers read their level when they are created.
            System.setProperty("org.slf4j.simpleLogger.log.io.posbias", "debug");
            session = session.verbose();
        }
        ParseResult leaf = parsed;
        while (leaf.hasSubcommand()) {
            leaf = leaf.subcommand();
        }
        if (leaf.isUsageHelpRequested()
                && !leaf.unmatched().isEmpty()
                && leaf.commandSpec().subcommands().size() > 0) {
            // Help for an unknown command.
            return UsageErrors.explain(
                    new UnmatchedArgumentException(leaf.commandSpec().commandLine(), leaf.unmatched()),
                    parsed.originalArgs());
        }
        if (!leaf.isUsageHelpRequested() && !leaf.isVersionHelpRequested()) {
            try {
                Checks.check(leaf);
            } catch (PosbiasException refused) {
                return report(refused, leaf.commandSpec().commandLine());
            }
        }
        ParquetFile.libraryOf(session);
        try {
            // Around all commands, so that none is silent for long.
            return session.step(leaf.commandSpec().qualifiedName(), () -> new CommandLine.RunLast().execute(parsed));
        } catch (Error failure) {
            // picocli catches exceptions only.
            return report(failure, leaf.commandSpec().commandLine());
        }
    }

    /** Prints one line for expected failures, a stack trace for defects. */
    private int report(Throwable failure, CommandLine command) {
        if (session.shutdown().isUnderWay()) {
            // The interruption was reported already.
            return ExitCode.INTERRUPTED;
        }
        PrintWriter err = command.getErr();
        PosbiasException known = failure instanceof PosbiasException own
                ? own
                : JavaErrors.explain(failure).orElse(null);
        if (known != null) {
            err.println("posbias: " + known.line());
            known.steps().forEach(step -> err.println("  " + step));
            if (verbose) {
                known.printStackTrace(err);
            }
            err.flush();
            return known.exitCode();
        }
        err.println(
                "posbias: this is a bug, please report it with the lines below: " + Printable.line(failure.toString()));
        failure.printStackTrace(err);
        err.flush();
        return ExitCode.FAILURE;
    }
}
