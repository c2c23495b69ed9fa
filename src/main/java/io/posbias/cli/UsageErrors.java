package io.posbias.cli;

import io.posbias.base.json.Configs;
import io.posbias.base.process.ExitCode;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Explains usage errors. Unknown words are reported before missing options, since a missing option is often mistyped.
 */
final class UsageErrors {
    private static final Pattern VALUES = Pattern.compile("expected one of \\[([A-Z_, ]+)\\] \\(case-insensitive\\)");

    /** Folders of the names that options take. */
    private static final Map<String, String> NAMES = Collections.unmodifiableMap(
            new TreeMap<>(Map.of("--model", "configs/models", "--dataset", "configs/datasets")));

    private UsageErrors() {}

    /** @param given all arguments */
    static int explain(ParameterException wrong, List<String> given) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        Optional<String> moved =
                command.getCommand() instanceof ReportCommand ? FormerReportOptions.instead(given) : Optional.empty();
        if (moved.isPresent()) {
            err.println("posbias: " + moved.get());
            err.flush();
            return ExitCode.USAGE;
        }
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + unknown(wrong).orElseGet(() -> other(wrong)));
        if (wrong instanceof MissingParameterException && unknown(wrong).isEmpty()) {
            example(command).ifPresent(line -> err.println("For example: " + line));
        }
        err.println("Try '" + name + " --help'.");
        err.flush();
        return ExitCode.USAGE;
    }

    private static Optional<String> unknown(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        List<String> words = wrong instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched()
                : wrong instanceof MissingParameterException ? command.getUnmatchedArguments() : List.of();
        // An unknown command's options are unknown too.
        boolean isCommand = !words.isEmpty()
                && !words.getFirst().startsWith("-")
                && !command.getSubcommands().isEmpty();
        if (isCommand) {
            return Optional.of(unknownWord(command, words.getFirst()));
        }
        return words.stream()
                .filter(word -> word.startsWith("-"))
                .findFirst()
                .map(option -> unknownOption(command, option.replaceFirst("=.*", "")))
                .or(() -> words.stream().findFirst().map(word -> unknownWord(command, word)));
    }

    private static String unknownOption(CommandLine command, String option) {
        List<String> known = command.getCommandSpec().options().stream()
                .map(each -> each.longestName().replaceFirst("^-+", ""))
                .toList();
        List<String> near = Suggestions.near(option.replaceFirst("^-+", ""), known).stream()
                .map(name -> "--" + name)
                .toList();
        return "unknown option " + Printable.cut(option) + meant(near);
    }

    private static String unknownWord(CommandLine command, String word) {
        Set<String> known = command.getSubcommands().keySet();
        return known.isEmpty()
                ? "unexpected " + Printable.quoted(word) + meant(options(command, word))
                : unknownCommand(word, known);
    }

    /** The option that is missing before the name of a model or benchmark. */
    private static List<String> options(CommandLine command, String word) {
        return NAMES.entrySet().stream()
                .filter(names -> command.getCommandSpec().findOption(names.getKey()) != null)
                .filter(names -> Configs.names(names.getValue()).contains(word))
                .map(names -> names.getKey() + " " + word)
                .toList();
    }

    /** For example: unknown command "evla"; did you mean eval? */
    static String unknownCommand(String word, Set<String> known) {
        return "unknown command " + Printable.quoted(word) + meant(Suggestions.near(word, known));
    }

    private static String meant(List<String> near) {
        return Suggestions.choice(near)
                .map(names -> "; did you mean " + names + "?")
                .orElse("");
    }

    private static String other(ParameterException wrong) {
        if (wrong instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            List<String> names =
                    missing.getMissing().stream().map(UsageErrors::label).toList();
            return "missing " + String.join(" and ", names);
        }
        // picocli repeats "option" for an option without its "=".
        return VALUES.matcher(Printable.line(String.valueOf(wrong.getMessage()))
                        .replace("option option", "option")
                        .replaceFirst("('-?\\d+') is not an? (int|long)$", "$1 is too large")
                        .replaceFirst("is not an? (int|long)$", "is not a whole number"))
                .replaceAll(found -> "expected one of " + found.group(1).toLowerCase(Locale.ROOT));
    }

    private static String label(ArgSpec argument) {
        return argument.isOption()
                ? ((CommandLine.Model.OptionSpec) argument).longestName() + " " + argument.paramLabel()
                : argument.paramLabel();
    }

    /** The first one-line example of a command's help. */
    private static Optional<String> example(CommandLine command) {
        return Arrays.stream(command.getCommandSpec().usageMessage().footer())
                .map(String::strip)
                .filter(line -> line.startsWith("posbias ") && !line.endsWith("\\"))
                .findFirst();
    }
}
