package io.posbias.cli.common;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
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
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * How help looks: what a command must be given, what it does in a sentence, its options under the headings of their groups,
 * in the order in which a user needs them, and examples. A class of options names its heading as
 * {@link Command#optionListHeading}, an option as {@link Heading}; a command names, as {@link Command#commandListHeading}, the heading under which the
 * command above it lists it. Lines are broken between words only.
 */
public final class HelpSections {
    private static final String OWN = "Options:";
    private static final String GENERAL = "General:";
    private static final String COMMANDS = "Commands:";

    /** Headings of groups that several commands share, in the order of all help. */
    private static final List<String> ORDER = List.of(
            OWN,
            "Plan:",
            "Measures:",
            "Content held fixed:",
            "Language model:",
            "Output:",
            "Statistics:",
            "Models:",
            "More machines:",
            GENERAL);

    /** Marks inside a word, after which picocli would break a line; what picocli reads itself is left alone. */
    private static final Pattern INSIDE = Pattern.compile("[!-/:-?\\[\\]^_`~&&[^%$]](?=\\S)");

    /** Letters of private use stand for the marks while picocli lays out text. */
    private static final char PRIVATE = '\uE000';

    private static final Pattern HIDDEN = Pattern.compile("[\uE000-\uE07F]");

    private HelpSections() {}

    /**
     * Lists words and what they mean before the footer of a command.
     *
     * @param width of the longest word, or more
     */
    public static <T> void list(
            CommandSpec command,
            String heading,
            int width,
            Collection<T> all,
            Function<T, ?> word,
            Function<T, String> meaning) {
        List<String> footer = new ArrayList<>(List.of("", heading));
        all.forEach(each -> footer.add(
                String.format(Locale.ROOT, "  %-" + width + "s  %s", word.apply(each), meaning.apply(each))));
        footer.addAll(List.of(command.usageMessage().footer()));
        command.usageMessage().footer(footer.toArray(String[]::new));
    }

    /** Lays out the help of a command and of all its subcommands. */
    public static void group(CommandLine root) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(root.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, HelpSections::synopsis);
        sections.put(
                UsageMessageSpec.SECTION_KEY_DESCRIPTION,
                help -> lines(help, help.commandSpec().usageMessage().description()));
        sections.put(
                UsageMessageSpec.SECTION_KEY_FOOTER,
                help -> lines(help, help.commandSpec().usageMessage().footer()));
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpSections::options);
        sections.put(
                UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
                help -> help.parameterList().isEmpty() ? "" : titled("Parameters:"));
        sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpSections::parameters);
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpSections::commands);
        sections.replaceAll((key, section) -> help -> shown(section.render(help)));
        root.setHelpSectionMap(sections);
        root.setHelpSectionKeys(keys(root.getHelpSectionKeys()));
    }

    /** The sections in picocli's order, but commands before options. */
    private static List<String> keys(List<String> usual) {
        List<String> keys = new ArrayList<>(usual);
        keys.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
        keys.add(
                keys.indexOf(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING),
                UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
        return keys;
    }

    /** Paragraphs on the whole width. */
    private static String lines(Help help, String... paragraphs) {
        TextTable table = TextTable.forColumns(
                help.colorScheme(), new Column(help.commandSpec().usageMessage().width(), 0, Overflow.WRAP));
        Arrays.stream(kept(paragraphs)).map(help.colorScheme()::text).forEach(table::addRowValues);
        return table.toString();
    }

    private static String[] kept(String... lines) {
        return Arrays.stream(lines)
                .map(line -> INSIDE.matcher(line)
                        .replaceAll(mark ->
                                String.valueOf((char) (PRIVATE + mark.group().charAt(0)))))
                .toArray(String[]::new);
    }

    private static String shown(String text) {
        return HIDDEN.matcher(text)
                .replaceAll(mark -> Matcher.quoteReplacement(
                        String.valueOf((char) (mark.group().charAt(0) - PRIVATE))));
    }

    /** What a command must be given, and that there is more. */
    private static String synopsis(Help help) {
        CommandSpec command = help.commandSpec();
        Stream<String> required = command.options().stream()
                .filter(option -> option.required() && option.group() == null)
                .map(option -> option.longestName() + label(help, option));
        Stream<String> positional = command.positionalParameters().stream().map(param -> label(help, param));
        // A command with options of its own besides commands can do without them.
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
                .renderParameterLabel(argument, Help.Ansi.OFF, List.of())
                .toString();
    }

    /** The options by the headings of their groups. */
    private static String options(Help help) {
        Map<String, List<OptionSpec>> groups = help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .collect(Collectors.groupingBy(HelpSections::heading, LinkedHashMap::new, Collectors.toList()));
        Stream<String> own = groups.keySet().stream().filter(heading -> !ORDER.contains(heading));
        return Stream.of(ORDER.stream().limit(1), own, ORDER.stream().skip(1))
                .flatMap(Function.identity())
                .filter(groups::containsKey)
                .map(heading -> titled(heading) + list(help, groups.getOrDefault(heading, List.of())))
                .collect(Collectors.joining());
    }

    private static String list(Help help, Collection<OptionSpec> options) {
        List<OptionSpec> whole = options.stream()
                .map(option -> OptionSpec.builder(option)
                        .names(option.names())
                        .description(kept(option.description()))
                        .build())
                .toList();
        return help.optionListExcludingGroups(whole, layout(help), null, help.parameterLabelRenderer());
    }

    private static String parameters(Help help) {
        Help.Layout layout = layout(help);
        for (PositionalParamSpec param : help.commandSpec().positionalParameters()) {
            layout.addPositionalParameter(
                    PositionalParamSpec.builder(param)
                            .description(kept(param.description()))
                            .build(),
                    help.parameterLabelRenderer());
        }
        return layout.toString();
    }

    private static Help.Layout layout(Help help) {
        return help.createDefaultLayout(
                help.commandSpec().options(), help.commandSpec().positionalParameters(), help.colorScheme());
    }

    /** The commands below one, by their headings. */
    private static String commands(Help help) {
        Map<String, Map<String, CommandLine>> groups = new LinkedHashMap<>();
        help.commandSpec()
                .subcommands()
                .forEach((name, command) -> groups.computeIfAbsent(heading(command), own -> new LinkedHashMap<>())
                        .put(name, command));
        int longest = help.commandSpec().subcommands().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        return groups.entrySet().stream()
                .map(group -> titled(group.getKey()) + list(help, group.getValue(), longest))
                .collect(Collectors.joining());
    }

    private static String list(Help help, Map<String, CommandLine> commands, int longest) {
        int left = longest + 3;
        TextTable table = TextTable.forColumns(
                help.colorScheme(),
                new Column(left, 2, Overflow.SPAN),
                new Column(help.commandSpec().usageMessage().width() - left, 1, Overflow.WRAP));
        commands.forEach((name, command) -> table.addRowValues(
                help.colorScheme().commandText(name),
                help.colorScheme()
                        .text(kept(command.getCommandSpec().usageMessage().description())[0])));
        return table.toString();
    }

    private static String heading(CommandLine command) {
        String heading = command.getCommandSpec().usageMessage().commandListHeading();
        return heading.equals("Commands:%n") ? COMMANDS : heading;
    }

    private static String titled(String words) {
        return "%n%s%n".formatted(words);
    }

    private static String heading(OptionSpec option) {
        if (List.of("--help", "--version", "--verbose").contains(option.longestName())) {
            return GENERAL;
        }
        Field field = option.userObject() instanceof Field own ? own : null;
        Heading heading = field == null ? null : field.getAnnotation(Heading.class);
        if (heading != null) {
            return heading.value();
        }
        Command group = field == null ? null : field.getDeclaringClass().getAnnotation(Command.class);
        return group == null || group.optionListHeading().isEmpty() ? OWN : group.optionListHeading();
    }
}
