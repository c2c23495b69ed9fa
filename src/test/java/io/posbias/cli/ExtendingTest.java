package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Json;
import io.posbias.retrieve.HashedWords;
import io.posbias.retrieve.strategy.PowerStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The additions that docs/extending.md shows whole are those of these files, and they work. */
class ExtendingTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(classes = {HashedWords.class, PowerStrategy.class})
    void theDocsShowTheFiles(Class<?> addition) throws IOException {
        String file =
                Files.readString(Path.of("src/test/java", addition.getName().replace('.', '/') + ".java"));
        assertThat(Files.readString(Path.of("docs/extending.md")))
                .contains("```java\n" + file.substring(file.indexOf("import")) + "```");
    }

    @Test
    void aNewRetrieverAndANewStrategyAreEvaluated() throws IOException {
        Path recipe = Files.writeString(temp.resolve("hashed.yaml"), "name: hashed\nkind: hashed-words\n");
        Cli.Ended ended = Cli.run(
                "mitigate",
                "--model",
                recipe,
                "--strategies",
                "power,power+chunked",
                "--dataset",
                "demo",
                "--draws",
                10,
                "--results",
                temp.resolve("results"),
                "--format",
                "json");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(Json.mapper().readTree(ended.out()).at("/strategies").size()).isEqualTo(3);
    }
}
