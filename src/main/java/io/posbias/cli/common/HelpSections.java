package io.posbias.cli.common;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help lists options under the headings of their groups: a class of options names its heading as
 * {@link Command#optionListHeading}.
 */
public final class HelpSections {
    private static final String OWN = "Options:";
    private static final String GENERAL = "General:";

    private HelpSections() {}

    /** Groups the options in the help of a command and of all its subcommands. */
    public static void group(CommandLine root) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(root.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpSections::options);
        sections.put(
                UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
                help -> help.parameterList().isEmpty() ? "" : titled("Parameters:"));
        sections.put(
                UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
                help -> help.commandList().isEmpty() ? "" : titled("Commands:"));
        root.setHelpSectionMap(sections);
    }

    /** The command's own options, those of its groups in the order of the groups, and what every command has. */
    private static String options(Help help) {
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>(Map.of(OWN, List.of()));
        groups.putAll(help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .collect(Collectors.groupingBy(HelpSections::heading, LinkedHashMap::new, Collectors.toList())));
        List<OptionSpec> general = groups.remove(GENERAL);
        groups.put(GENERAL, general == null ? List.of() : general);
        return groups.entrySet().stream()
                .filter(group -> !group.getValue().isEmpty())
                .map(group -> titled(group.getKey()) + list(help, group.getValue()))
                .collect(Collectors.joining());
    }

    private static String list(Help help, List<OptionSpec> options) {
        Help.Layout layout = help.createDefaultLayout(
                help.commandSpec().options(), help.commandSpec().positionalParameters(), help.colorScheme());
        return help.optionListExcludingGroups(options, layout, null, help.parameterLabelRenderer());
    }

    private static String titled(String words) {
        return "%n%s%n".formatted(words);
    }

    private static String heading(OptionSpec option) {
        if (List.of("--help", "--version", "--verbose").contains(option.longestName())) {
            return GENERAL;
        }
        Command group = option.userObject() instanceof Field field
                ? field.getDeclaringClass().getAnnotation(Command.class)
                : null;
        return group == null || group.optionListHeading().isEmpty() ? OWN : group.optionListHeading();
    }
}
