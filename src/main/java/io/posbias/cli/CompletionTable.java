package io.posbias.cli;

import io.posbias.dataset.convert.Catalog;
import io.posbias.experiment.Experiment;
import io.posbias.measure.Measures;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What shells complete, as lines of fields with tabs between them, which {@code completion.awk} reads: commands ({@code C},
 * the words before, the command, what it does), options ({@code O}, command, option, value, what it does), positional
 * parameters ({@code P}, command, value) and the words of values ({@code V}, name, word). A value is written as flags, a colon
 * and the name of its words; the flags are {@code l} for several with commas between them, {@code f} for a file or folder,
 * {@code d} for a folder and {@code -} where there is none.
 */
final class CompletionTable {
    /** What stands in help for a value that has names, and what the names are. */
    private static final Map<String, Supplier<List<String>>> NAMED = Map.of(
            "MODEL", Recipe::builtIn,
            "DATASET", () -> List.copyOf(Catalog.read().names()),
            "MEASURE", () -> Measures.KINDS.stream().map(Measures.Kind::example).toList(),
            "EXPERIMENT", Experiment::builtIn,
            "DEVICE", () -> List.of("cpu", "cuda", "auto"),
            "PRECISION", () -> List.of("float32", "float16", "int8"));

    /** Those of them that may also be the user's own file or folder. */
    private static final List<String> PATHS = List.of("MODEL", "DATASET", "EXPERIMENT");

    private static final int SENTENCE = 70;

    private final List<String> lines = new ArrayList<>();
    private final Map<String, List<String>> words = new LinkedHashMap<>();

    private CompletionTable() {}

    /** The table of a command and all below it. */
    static String of(CommandLine root) {
        CompletionTable table = new CompletionTable();
        table.add(root, "");
        table.words.forEach((name, all) -> all.forEach(word -> table.line("V", name, word)));
        return String.join("\n", table.lines);
    }

    private void add(CommandLine command, String path) {
        CommandSpec spec = command.getCommandSpec();
        command.getSubcommands().forEach((name, sub) -> {
            line("C", path, name, sentence(sub.getCommandSpec().usageMessage().description()));
            add(sub, path.isEmpty() ? name : path + " " + name);
        });
        for (OptionSpec option : spec.options()) {
            line("O", path, option.longestName(), value(option), sentence(option.description()));
        }
        spec.positionalParameters().stream().findFirst().ifPresent(each -> line("P", path, value(each)));
    }

    private void line(String... fields) {
        lines.add(String.join("\t", fields));
    }

    /** How the value of an option is completed; empty for an option without one. */
    private String value(ArgSpec argument) {
        if (argument.arity().max() == 0) {
            return "";
        }
        String label = argument.paramLabel().replaceFirst(",\\.\\.$", "");
        String flags = (argument.paramLabel().equals(label) ? "" : "l") + paths(argument, label);
        return (flags.isEmpty() ? "-" : flags) + ":" + words(argument, label);
    }

    private static String paths(ArgSpec argument, String label) {
        boolean path = argument.type() == Path.class
                || List.of(argument.auxiliaryTypes()).contains(Path.class);
        boolean folder = label.equals("DIR") || label.equals("FOLDER");
        return PATHS.contains(label) || (path && !folder) ? "f" : path ? "d" : "";
    }

    private String words(ArgSpec argument, String label) {
        Supplier<List<String>> named = NAMED.get(label);
        if (named != null) {
            words.computeIfAbsent(label, own -> named.get());
            return label;
        }
        Iterable<String> candidates = argument.completionCandidates();
        if (candidates == null) {
            return "";
        }
        List<String> all = StreamSupport.stream(candidates.spliterator(), false).toList();
        String name = words.entrySet().stream()
                .filter(known -> known.getValue().equals(all))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(label.toLowerCase(Locale.ROOT) + words.size());
        words.putIfAbsent(name, all);
        return name;
    }

    /** The first sentence, cut where it is long. */
    private static String sentence(String... description) {
        String first = String.join(" ", description)
                .replaceFirst("(?s)[.:;(] .*| \\(default.*", "")
                .replaceAll("[\\t\\n%]+", " ")
                .replaceFirst("\\.$", "");
        return first.length() > SENTENCE ? first.substring(0, SENTENCE - 1) + "…" : first;
    }
}
