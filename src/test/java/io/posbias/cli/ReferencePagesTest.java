package io.posbias.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference says what the code has. {@code -Dposbias.golden=write} writes it again. */
class ReferencePagesTest {
    static Stream<String> pages() {
        return ReferencePages.ALL.keySet().stream();
    }

    /** By the page itself, or by a study, whose columns the page takes from its command. */
    @Test
    void allColumnsAreInTheReference() throws IOException {
        Pattern given = Pattern.compile("public static List<RecordCsv.Described> (\\w+)\\(");
        String study = "public static Study study()";
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
        }
        String users = Files.readString(Path.of("src/test/java/io/posbias/cli/ReferenceColumns.java"))
                + sources.values().stream()
                        .filter(source -> source.contains(study))
                        .collect(Collectors.joining());
        Pattern lines = Pattern.compile("(\\w+) static final RecordCsv<[\\w.]+> (\\w+) =");
        sources.forEach((name, source) -> {
            lines.matcher(source).results().forEach(found -> {
                String constant = found.group(2);
                boolean isOfStudy = Pattern.compile("(?s)Study\\.Csv\\(.{0,400}?\\b" + constant + "\\)")
                        .matcher(source)
                        .find();
                assertThat(isOfStudy
                                || users.contains(name + "." + constant)
                                || source.contains(constant + ".described(")
                                || found.group(1).equals("protected"))
                        .as(name)
                        .isTrue();
            });
            given.matcher(source)
                    .results()
                    .forEach(found ->
                            assertThat(users).containsPattern("(?:" + name + "\\.|[ (])" + found.group(1) + "\\(\\)"));
        });
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
