package io.posbias.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference says what the code has. {@code -Dposbias.golden=write} writes it again. */
class ReferencePagesTest {
    static Stream<String> pages() {
        return ReferencePages.ALL.keySet().stream();
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
