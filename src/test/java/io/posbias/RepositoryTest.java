package io.posbias;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class RepositoryTest {
    private static final long MOST_BYTES = 1_000_000;
    private static final Pattern PAGE = Pattern.compile("\\bdocs/[\\w/-]+\\.md");
    private static final Pattern NAMED = Pattern.compile("`([^`/]+)/?`");

    private static List<String> tracked() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(Path.of(".git")), "skipped: not in a clone");
        Process git = new ProcessBuilder("git", "ls-files", "-z").start();
        String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).isZero();
        // A file that is deleted and not yet committed is still listed.
        return Stream.of(names.split("\0", -1))
                .filter(name -> !name.isEmpty() && Files.exists(Path.of(name)))
                .toList();
    }

    @Test
    void noFileIsLarge() throws IOException, InterruptedException {
        assertThat(tracked())
                .allSatisfy(
                        name -> assertThat(Files.size(Path.of(name))).as(name).isLessThanOrEqualTo(MOST_BYTES));
    }

    @Test
    void everyTopLevelEntryIsInTheLayout() throws IOException, InterruptedException {
        String page = Files.readString(Path.of("CONTRIBUTING.md"));
        String layout = page.substring(page.indexOf("## Layout"), page.indexOf("## The house"));
        Set<String> named = layout.lines()
                .filter(line -> line.startsWith("|"))
                .map(line -> line.split("\\|", -1)[1])
                .flatMap(cell -> NAMED.matcher(cell).results())
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        Set<String> top =
                tracked().stream().map(name -> name.split("/", -1)[0]).collect(Collectors.toCollection(TreeSet::new));
        assertThat(top).containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void noNameBeginsWithADash() throws IOException, InterruptedException {
        assertThat(tracked())
                .allSatisfy(name -> assertThat(List.of(name.split("/", -1))).noneMatch(part -> part.startsWith("-")));
    }

    /** Messages and help name pages that exist. */
    @Test
    void pagesNamedInSourcesExist() throws IOException, InterruptedException {
        List<String> sources = tracked().stream()
                .filter(name -> name.matches("(src/(main|scale)/java|scripts)/.*"))
                .toList();
        Set<String> pages = sources.stream()
                .flatMap(name -> PAGE.matcher(read(Path.of(name))).results())
                .map(match -> match.group())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(pages)
                .hasSizeGreaterThan(5)
                .allSatisfy(page -> assertThat(Path.of(page)).isRegularFile());
    }

    /** {@code .ci/run} finds them by this tag: {@code mvn verify} does not compile them. */
    @Test
    void testsOfOptionalSourcesAreSlow() throws IOException {
        try (Stream<Path> scale = Files.walk(Path.of("src/scale/test"))) {
            List<Path> tests =
                    scale.filter(file -> file.toString().endsWith("Test.java")).toList();
            assertThat(tests)
                    .hasSizeGreaterThan(1)
                    .allSatisfy(file -> assertThat(read(file))
                            .as(file.toString())
                            .containsPattern("\n@(Arch)?Tag\\(\"slow\"\\)\n"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
