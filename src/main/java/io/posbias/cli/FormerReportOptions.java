package io.posbias.cli;

import io.posbias.base.files.FileNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Options of {@code report} that became its subcommands. */
final class FormerReportOptions {
    private static final String VALUE = "[ =]('[^']*'|\\S+)";
    private static final Pattern FORMAT =
            Pattern.compile(" --format[ =](html|badge|mteb)(?= |$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern OVER =
            Pattern.compile(" --over[ =](benchmarks|seeds)(?= |$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern PLOTS = Pattern.compile(" --plots(?=[ =])");

    /** Options that only tables have. */
    private static final Pattern TABLE = Pattern.compile(
            " --(?:(?:format|layout|baseline|width|color|digits|plots)" + VALUE + "|intervals|explain)(?= |$)");

    private FormerReportOptions() {}

    /** Names the command in place of arguments with such an option; empty for others. */
    static Optional<String> instead(List<String> given) {
        String line = given.stream().map(FileNames::quoted).collect(Collectors.joining(" ", "posbias ", ""));
        Matcher format = FORMAT.matcher(line);
        Matcher over = OVER.matcher(line);
        Matcher plots = PLOTS.matcher(line);
        if (format.find()) {
            String kind = format.group(1).toLowerCase(Locale.ROOT);
            boolean isPage = kind.equals("html");
            String rest = TABLE.matcher(line).replaceAll("");
            return now(
                    format.group(),
                    isPage ? "page" : kind,
                    OVER.matcher(rest).replaceFirst(isPage ? " --over-benchmarks" : ""));
        }
        if (over.find()) {
            return now(over.group(), "over " + over.group(1).toLowerCase(Locale.ROOT), line.replace(over.group(), ""));
        }
        String drawn = PLOTS.matcher(line.replaceFirst(" --output" + VALUE, "")).replaceFirst(" --output");
        return plots.find() ? now(plots.group(), "figures", TABLE.matcher(drawn).replaceAll("")) : Optional.empty();
    }

    private static Optional<String> now(String option, String command, String line) {
        return Optional.of(
                option.strip() + " is a command now: " + line.replaceFirst(" report(?= |$)", " report " + command));
    }
}
