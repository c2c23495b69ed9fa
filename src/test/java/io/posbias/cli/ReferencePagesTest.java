package io.posbias.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference says what the code has. {@code -Dposbias.golden=write} writes it again. */
class ReferencePagesTest {
    static Stream<String> pages() {
        return ReferencePages.ALL.keySet().stream();
    }

    @Test
    void allColumnsAreInTheReference() throws IOException {
        String page = Files.readString(Path.of("src/test/java/io/posbias/cli/ReferenceColumns.java"));
        Pattern given = Pattern.compile("public static List<RecordCsv.Described> (\\w+)\\(");
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path file : sources.filter(Files::isRegularFile).toList()) {
                String source = Files.readString(file);
                String name = file.getFileName().toString().replace(".java", "");
                if (source.contains("new RecordCsv<>(") && source.contains(" static final RecordCsv<")) {
                    assertThat(source).as(name).containsPattern(given);
                }
                given.matcher(source)
                        .results()
                        .forEach(found -> assertThat(page).contains(name + "." + found.group(1) + "("));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void thePageIsWhatTheCodeSays(String name) throws IOException {
        Path file = Path.of("docs", "reference", name);
        String made = requireNonNull(ReferencePages.ALL.get(name)).get();
        if ("write".equals(System.getProperty("posbias.golden"))) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, made);
        }
        assertThat(Files.readString(file))
                .as("%s: mvn test -Dtest=ReferencePagesTest -Dposbias.golden=write writes it", file)
                .isEqualTo(made);
    }
}
