package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of an unpacked archive, with a Java that prints its arguments. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {
    private static final String JAVA = """
            #!/bin/sh
            if [ "$1" = -version ]; then echo 'openjdk version "25"' >&2; else echo "$@" "locale=$LC_ALL" "spark=$SPARK_HOME"; fi
            """;

    @TempDir
    Path temp;

    private Path jar = Path.of("");

    @BeforeEach
    void unpack() throws IOException {
        Files.createDirectories(temp.resolve("app/bin"));
        Files.copy(Path.of("scripts/posbias"), temp.resolve("app/bin/posbias"));
        jar = Files.createFile(temp.resolve("app/posbias.jar")).toRealPath();
        Files.setPosixFilePermissions(
                Files.writeString(temp.resolve("java"), JAVA), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private record Started(int code, String out) {}

    /** Runs the launcher with these variables alone. */
    private Started start(Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "app/bin/posbias", "--version").directory(temp.toFile());
        String path = builder.environment().getOrDefault("PATH", "");
        builder.environment().clear();
        builder.environment().putAll(variables);
        builder.environment().put("PATH", path);
        builder.environment().put("POSBIAS_JAVA", temp.resolve("java").toString());
        Process process = builder.redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Started(process.waitFor(), out);
    }

    private static String classpath(String out) {
        return out.replaceFirst("(?s).* -cp (\\S*) io\\.posbias\\.cli\\.Main .*", "$1");
    }

    @Test
    void homeMayBeUnset() throws Exception {
        Started started = start(Map.of());
        assertThat(started.code()).isZero();
        assertThat(classpath(started.out())).isEqualTo(jar.toString());
    }

    /** Java takes an empty name for the current folder, whose classes and providers would run. */
    @Test
    void theCurrentFolderIsNotOnTheClassPath() throws Exception {
        Path own = Files.createFile(temp.resolve("own.jar"));
        for (String variable : new String[] {":own.jar", "own.jar:", "::own.jar::"}) {
            Started started = start(Map.of("POSBIAS_CLASSPATH", variable));
            assertThat(started.code()).isZero();
            assertThat(classpath(started.out())).isEqualTo(jar + ":" + own.getFileName());
        }
        assertThat(classpath(start(Map.of("POSBIAS_CLASSPATH", ":")).out())).isEqualTo(jar.toString());
    }

    @Test
    void aJarThatDoesNotExistIsRefused() throws Exception {
        Started started = start(Map.of("POSBIAS_CLASSPATH", "typo.jar"));
        assertThat(started.code()).isEqualTo(1);
        assertThat(started.out()).contains("typo.jar").hasLineCount(1);
    }

    /** In the locale C, and in one that is not installed, Java would read names as ASCII; another encoding is the user's choice. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, C, C.UTF-8",
                "LANG, C, C.UTF-8",
                "LC_CTYPE, POSIX, C.UTF-8",
                "LC_ALL, C, C.UTF-8",
                "LC_ALL, POSIX, C.UTF-8",
                "LANG, xx_XX.UTF-8, C.UTF-8",
                "LANG, C.UTF-8, ''",
                "LANG, xx_XX.ISO-8859-1, ''",
            })
    void theLocaleHasAllCharacters(@Nullable String variable, String locale, String expected) throws Exception {
        Started started = start(variable == null ? Map.of() : Map.of(variable, locale));
        assertThat(started.code()).isZero();
        assertThat(started.out()).contains(" locale=" + expected + " ").hasLineCount(1);
    }

    @Test
    void foldersOfVariablesAreAbsolute() throws Exception {
        String folder = temp.toRealPath().toString();
        assertThat(start(Map.of("POSBIAS_HOME", "own")).out()).contains(" spark=" + folder + "/own/spark");
        assertThat(start(Map.of("POSBIAS_HOME", "~/own", "HOME", folder)).out())
                .contains(" spark=" + folder + "/own/spark");
    }
}
