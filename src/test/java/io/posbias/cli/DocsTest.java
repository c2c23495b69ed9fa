package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.posbias.base.process.Sessions;
import io.posbias.score.measure.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the documentation tells people to type works, and prints what it shows. {@code -Dposbias.golden=write} writes what commands
 * print into the pages; review the diff.
 */
class DocsTest {
    private static final boolean WRITE = "write".equals(System.getProperty("posbias.golden"));
    private static final boolean MINUTES = "minutes".equals(System.getProperty("posbias.docs"));

    /** Pages whose commands take a few seconds and show verdicts and messages; the other ones are slow. */
    private static final Set<Path> QUICK = Set.of(Path.of("docs/interpret.md"), Path.of("docs/troubleshooting.md"));

    /** A command on a line of its own, or at the end of a sentence. */
    private static final Pattern SUGGESTION = Pattern.compile("^(?: +|.*[:?] )(posbias [a-z][^']*)$");

    private static final Pattern VERDICT = Pattern.compile("[Vv]erdict `([^`]+)`");

    @TempDir
    static Path work;

    static Stream<DocPage> pages() {
        return DocPage.all().stream()
                .filter(page -> page.blocks().stream()
                        .anyMatch(block -> !block.commands().isEmpty()));
    }

    /** Those that clear the cache come last: the others find the vectors of those before them. */
    static Stream<DocPage> pagesThatRun() {
        return pages().filter(page -> page.blocks().stream().anyMatch(DocsTest::runs))
                .sorted(Comparator.comparing(DocsTest::clears));
    }

    static Stream<DocPage> quickPages() {
        return pagesThatRun().filter(page -> QUICK.contains(page.file()));
    }

    private static boolean clears(DocPage page) {
        return commands(page).stream().anyMatch(command -> command.text().startsWith("posbias cache clear"));
    }

    private static List<DocCommand> commands(DocPage page) {
        return page.blocks().stream()
                .filter(DocsTest::runs)
                .flatMap(block -> block.commands().stream())
                .toList();
    }

    private static @Nullable DocRuns runs;

    private static DocRuns runs() throws IOException {
        DocRuns started = runs;
        if (started == null) {
            started = new DocRuns(work, pagesThatRun().map(DocsTest::commands).toList());
            runs = started;
        }
        return started;
    }

    @AfterAll
    static void end() throws IOException {
        if (runs != null) {
            runs.close();
        }
    }

    private static boolean runs(DocPage.Block block) {
        return (block.language().isEmpty() || block.language().equals("bash"))
                && block.calls()
                && (block.needs().isEmpty() || (MINUTES && block.needs().equals(Set.of(DocPage.Need.MINUTES))));
    }

    @Test
    void pagesAreThere() {
        assertThat(pages()).hasSizeGreaterThan(20);
    }

    /** Also in blocks that are not run: every command, option and kind of value exists. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandIsOne(DocPage page) {
        for (DocPage.Block block : page.blocks()) {
            for (DocCommand command : block.commands()) {
                assertThatCode(() -> PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), command.words())
                                .parseArgs(command.words().toArray(String[]::new)))
                        .as("%s:%d: %s", page.file(), block.line() + command.line(), command.text())
                        .doesNotThrowAnyException();
            }
        }
    }

    static Stream<DocPage> allPages() {
        return DocPage.all().stream();
    }

    /** Also in outputs of commands that cannot run here: what sentences and the last column of a table call a verdict. */
    @ParameterizedTest
    @MethodSource("allPages")
    void everyVerdictIsOne(DocPage page) {
        Set<String> verdicts =
                Stream.of(Verdict.values()).map(Verdict::toString).collect(Collectors.toSet());
        for (String line : page.lines()) {
            assertThat(VERDICT.matcher(line).results().map(found -> found.group(1)))
                    .as("%s: %s", page.file(), line)
                    .isSubsetOf(verdicts);
        }
        for (DocPage.Block block : page.blocks()) {
            if (block.isOutput()) {
                assertThat(verdicts(block))
                        .as("%s:%d", page.file(), block.line())
                        .isSubsetOf(verdicts);
            }
        }
    }

    private static List<String> verdicts(DocPage.Block output) {
        List<String> verdicts = new ArrayList<>();
        String header = "  verdict";
        int column = -1;
        for (String line : output.body()) {
            if (line.endsWith(header)) {
                column = line.length() - header.length();
            } else if (line.isEmpty()) {
                column = -1;
            } else if (column > 0 && line.matches(".{" + column + "}  [a-z].*")) {
                verdicts.add(line.substring(column).strip().replaceAll("[†‡]$", ""));
            }
        }
        return verdicts;
    }

    @ParameterizedTest
    @MethodSource("quickPages")
    void quickCommandsPrintWhatIsShown(DocPage page) throws IOException, InterruptedException {
        printsWhatIsShown(page);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("pagesThatRun")
    void everyCommandPrintsWhatIsShown(DocPage page) throws IOException, InterruptedException {
        printsWhatIsShown(page);
    }

    private static void printsWhatIsShown(DocPage page) throws IOException, InterruptedException {
        List<DocPage.Block> blocks =
                page.blocks().stream().filter(DocsTest::runs).toList();
        blocks.forEach(block -> assertThat(foreign(block))
                .as(
                        "%s:%d: lines that are no commands: mark the block with <!-- needs: shell -->",
                        page.file(), block.line())
                .isEmpty());
        List<Cli.Ended> ended = runs().run(commands(page));
        suggestionsRun(page, ended);
        List<DocPage.Block> shown = new ArrayList<>();
        List<List<String>> printed = new ArrayList<>();
        int next = 0;
        for (DocPage.Block block : blocks) {
            List<Cli.Ended> these = ended.subList(next, next + block.commands().size());
            next += these.size();
            check(page, block, these);
            page.output(block).ifPresent(output -> {
                shown.add(output);
                printed.add(DocOutput.of(these));
            });
        }
        if (WRITE) {
            page.write(shown, DocOutput.written(shown, printed));
            return;
        }
        for (int i = 0; i < shown.size(); i++) {
            DocOutput.compare(
                    page.file() + ":" + shown.get(i).line(), shown.get(i).body(), printed.get(i));
        }
    }

    /** What commands print as the next one runs as it is printed; of what takes long, the plan. */
    private static void suggestionsRun(DocPage page, List<Cli.Ended> ended) throws IOException, InterruptedException {
        List<DocCommand> suggested = ended.stream()
                .filter(each -> each.code() == 0)
                .flatMap(each -> Stream.concat(each.out().lines(), each.err().lines()))
                .flatMap(line -> SUGGESTION.matcher(line).results())
                .map(found -> found.group(1) + shortened(found.group(1)))
                .distinct()
                .flatMap(line -> DocCommand.in(List.of(line)).stream())
                .toList();
        List<Cli.Ended> then = suggested.isEmpty() ? List.of() : runs().then(suggested);
        for (int i = 0; i < then.size(); i++) {
            assertThat(then.get(i).code())
                    .as(
                            "%s: %s: %s",
                            page.file(), suggested.get(i).text(), then.get(i).err())
                    .isZero();
        }
    }

    private static String shortened(String command) {
        return command.matches("posbias (eval|mitigate) .*")
                ? " --dry-run"
                : command.startsWith("posbias diagnose position ") ? " --n 60" : "";
    }

    private static void check(DocPage page, DocPage.Block block, List<Cli.Ended> ended) {
        for (int i = 0; i < ended.size(); i++) {
            DocCommand command = block.commands().get(i);
            assertThat(ended.get(i).code())
                    .as(
                            "%s:%d: %s: %s",
                            page.file(),
                            block.line() + command.line(),
                            command.text(),
                            ended.get(i).err())
                    .isEqualTo(i == ended.size() - 1 ? block.exit() : 0);
        }
    }

    private static List<String> foreign(DocPage.Block block) {
        List<String> foreign = new ArrayList<>();
        boolean goesOn = false;
        for (String line : block.body()) {
            if (!goesOn && !line.isBlank() && !line.startsWith("#") && !DocCommand.calls(line)) {
                foreign.add(line);
            }
            goesOn = line.endsWith("\\");
        }
        return foreign;
    }
}
