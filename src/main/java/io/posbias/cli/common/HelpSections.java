package io.posbias.cli.common;

import io.posbias.base.table.Lines;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Layout of help. {@code --help} lists the main options and one example; {@code --help-all} lists all options under
 * their {@link Heading}, or the {@link Command#optionListHeading} of their class, and all examples.
 */
public final class HelpSections {
    public static final String ALL = "--help-all";

    private static final String DAILY = "Options:";
    private static final String GENERAL = "General:";

    private static final int DESCRIPTION = 51;

    private static final int COLUMNS = 80;

    /** The word of a list's entry, up to its meaning. */
    private static final Pattern ENTRY = Pattern.compile("^ +\\S+(?: \\S+)*? {2,}(?=\\S)");

    private HelpSections() {}

    /** A command whose {@code --help-all} explains words of its options. */
    public interface Listing {
        /** Lines of {@link HelpSections#list}, made only if help is shown. */
        List<String> listing();
    }

    /**
     * Returns the lines of a list of words and meanings.
     *
     * @param width column of the words
     */
    public static <T> List<String> list(
            String heading, int width, Collection<T> all, Function<T, String> word, Function<T, String> meaning) {
        List<String> lines = new ArrayList<>(List.of("", heading));
        all.forEach(each -> lines.add(entry(word.apply(each), width, meaning.apply(each))));
        return lines;
    }

    /** Lays out the help of a command and its subcommands. */
    public static void group(CommandLine root) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>();
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING, help -> "Usage: ");
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, HelpSections::synopsis);
        sections.put(UsageMessageSpec.SECTION_KEY_DESCRIPTION, Help::description);
        sections.put("examples", HelpSections::examples);
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpSections::commands);
        sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpSections::parameters);
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpSections::options);
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, HelpSections::footer);
        root.setHelpSectionMap(sections);
        root.setHelpSectionKeys(List.copyOf(sections.keySet()));
    }

    private static String section(String heading, String body) {
        return body.isEmpty() ? "" : "%n%s%n".formatted(heading) + body;
    }

    private static String parameters(Help help) {
        Help.Layout layout =
                help.createDefaultLayout(plain(help), help.commandSpec().positionalParameters(), help.colorScheme());
        return section("Parameters:", help.parameterList(layout, help.parameterLabelRenderer()));
    }

    private static String commands(Help help) {
        int width = help.subcommands().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        StringBuilder list = new StringBuilder();
        help.subcommands()
                .forEach((name, command) -> list.append(wrapped(
                        entry(name, width, command.commandSpec().usageMessage().description()[0]))));
        return section("Commands:", list.toString());
    }

    private static String entry(String word, int width, String meaning) {
        return String.format(Locale.ROOT, "  %-" + width + "s  %s", word, meaning);
    }

    /** Breaks a line at spaces; an entry of a list continues below its meaning. */
    private static String wrapped(String line) {
        Matcher entry = ENTRY.matcher(line);
        return Lines.of(line, COLUMNS, entry.find() ? entry.end() : 0).stream()
                .map(own -> own + System.lineSeparator())
                .collect(Collectors.joining());
    }

    private static boolean showsAll(Help help) {
        CommandLine.ParseResult parsed = help.commandSpec().root().commandLine().getParseResult();
        return parsed != null && parsed.originalArgs().contains(ALL);
    }

    private static String synopsis(Help help) {
        CommandSpec command = help.commandSpec();
        Stream<String> required = command.options().stream()
                .filter(option -> option.required() && option.group() == null)
                .map(option -> option.longestName() + label(help, option));
        Stream<String> positional = command.positionalParameters().stream().map(param -> label(help, param));
        boolean group = command.userObject() instanceof Group;
        Stream<String> more = Stream.of(group ? "COMMAND" : "", "[OPTIONS]");
        return Stream.of(required, positional, more)
                        .flatMap(Function.identity())
                        .filter(word -> !word.isEmpty())
                        .collect(Collectors.joining(" ", command.qualifiedName() + " ", ""))
                + "%n".formatted();
    }

    private static String label(Help help, ArgSpec argument) {
        return help.parameterLabelRenderer()
                .renderParameterLabel(
                        argument instanceof OptionSpec option ? plain(option) : argument, Help.Ansi.OFF, List.of())
                .toString();
    }

    /** Leaves a label with a comma, of a list, as it is; picocli would repeat it. */
    private static OptionSpec plain(OptionSpec option) {
        return OptionSpec.builder(option)
                .hideParamSyntax(option.paramLabel().contains(","))
                .build();
    }

    private static List<OptionSpec> plain(Help help) {
        return help.commandSpec().options().stream().map(HelpSections::plain).toList();
    }

    private static String options(Help help) {
        boolean all = showsAll(help);
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        groups.put(DAILY, new ArrayList<>());
        List<OptionSpec> general = new ArrayList<>();
        List<OptionSpec> options = plain(help);
        for (OptionSpec option : options) {
            String heading = heading(option);
            if (heading.equals(GENERAL)) {
                general.add(option);
            } else if (!option.hidden() && (all || heading.equals(DAILY))) {
                groups.computeIfAbsent(heading, own -> new ArrayList<>()).add(shown(option, all));
            }
        }
        groups.put(GENERAL, all ? general : List.of());
        return groups.entrySet().stream()
                .filter(group -> !group.getValue().isEmpty())
                .map(group -> "%n%s%n".formatted(group.getKey())
                        + help.optionListExcludingGroups(
                                group.getValue(),
                                help.createDefaultLayout(options, List.of(), help.colorScheme()),
                                null,
                                help.parameterLabelRenderer()))
                .collect(Collectors.joining());
    }

    /**
     * Wraps a description, or its first sentence. Unlike picocli, breaks lines only at spaces, so that file names stay
     * whole.
     */
    private static OptionSpec shown(OptionSpec option, boolean all) {
        String text = String.join(" ", option.description());
        String[] lines = (all ? text : text.replaceFirst("(?s)\\. .*", "."))
                .replaceAll("(.{1," + DESCRIPTION + "})(?: +|$)", "$1\n")
                .split("\n");
        return OptionSpec.builder(option).description(lines).build();
    }

    private static String heading(OptionSpec option) {
        if (List.of(ALL, "--version", "--verbose").contains(option.longestName())) {
            return GENERAL;
        }
        if (option.getter() instanceof SettingsOptions.Value value) {
            return value.setting().heading().isEmpty() ? DAILY : value.setting().heading();
        }
        Field field = option.userObject() instanceof Field own ? own : null;
        Heading heading = field == null ? null : field.getAnnotation(Heading.class);
        if (heading != null) {
            return heading.value();
        }
        Command group = field == null ? null : field.getDeclaringClass().getAnnotation(Command.class);
        return group == null || group.optionListHeading().isEmpty() ? DAILY : group.optionListHeading();
    }

    private static List<String> lines(Help help) {
        List<String> lines = help.commandSpec().userObject() instanceof Listing listing
                ? new ArrayList<>(listing.listing())
                : new ArrayList<>();
        lines.addAll(List.of(help.commandSpec().usageMessage().footer()));
        return lines;
    }

    /** The examples of a footer, below their heading and up to an empty line. */
    private static List<String> exampleLines(Help help) {
        return Stream.of(help.commandSpec().usageMessage().footer())
                .dropWhile(line -> !line.matches("Examples?:"))
                .skip(1)
                .takeWhile(line -> !line.isEmpty())
                .toList();
    }

    /** All examples with {@code --help-all}, else the first, on the line of its heading if it fits. */
    private static String examples(Help help) {
        List<String> all = exampleLines(help);
        long first = all.stream().takeWhile(line -> line.endsWith("\\")).count() + 1;
        List<String> shown = showsAll(help) ? all : all.stream().limit(first).toList();
        String single = "Example: " + shown.getFirst().strip() + System.lineSeparator();
        return shown.size() == 1 && single.length() <= COLUMNS
                ? single
                : section(
                        shown.size() > first ? "Examples:" : "Example:",
                        String.join(System.lineSeparator(), shown) + System.lineSeparator());
    }

    /** Explanations with {@code --help-all}, else how to show more. */
    private static String footer(Help help) {
        if (showsAll(help)) {
            List<String> examples = exampleLines(help);
            return lines(help).stream()
                    .filter(line -> !examples.contains(line) && !line.matches("Examples?:"))
                    .map(HelpSections::wrapped)
                    .collect(Collectors.joining())
                    .replaceFirst("^\\R+", System.lineSeparator())
                    .replaceFirst("\\R+$", System.lineSeparator());
        }
        String name = help.commandSpec().qualifiedName();
        String more = help.commandSpec().userObject() instanceof Group
                ? "'%s COMMAND --help' explains a command, --help-all shows more."
                : "'%s --help-all' shows all options.";
        return more.formatted(name) + System.lineSeparator();
    }
}
