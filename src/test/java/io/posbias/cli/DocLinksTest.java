package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links between pages of docs lead to a file and a heading, as GitHub names headings. */
class DocLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|mailto:)([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadToFilesAndHeadings(Path page) throws IOException {
        String text = CODE.matcher(text(page)).replaceAll("");
        for (MatchResult link : LINK.matcher(text).results().toList()) {
            Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).as("%s: %s", page, link.group()).exists();
            if (link.group(2) != null && target.toString().endsWith(".md")) {
                assertThat(headings(target)).as("%s: %s", page, link.group()).contains(link.group(2));
            }
        }
    }

    private static String text(Path page) throws IOException {
        return FENCED.matcher(Files.readString(page)).replaceAll("");
    }

    /** A heading that is repeated has its number after it, from 1. */
    private static Set<String> headings(Path page) throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        return HEADING.matcher(text(page))
                .results()
                .map(heading -> heading.group(1)
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .map(name -> {
                    int times = seen.merge(name, 1, Integer::sum);
                    return times == 1 ? name : name + "-" + (times - 1);
                })
                .collect(Collectors.toSet());
    }
}
