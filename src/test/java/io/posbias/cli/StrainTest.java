package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@Tag("slow")
class StrainTest {
    private static final Object[] DENSE = {"eval --model all-minilm-l6-v2 --dataset demo --out out"};

    @TempDir
    Path temp;

    private boolean mounted;

    /** A small file system, on which no program may be run. */
    private Path mounted(String options) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(temp.resolve("small"));
        mounted = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString()) == 0;
        Assumptions.assumeTrue(mounted, "skipped: file systems cannot be mounted here");
        return folder;
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mounted) {
            run("umount", temp.resolve("small").toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
        } catch (IOException noSuchProgram) {
            return 1;
        }
    }

    private Cli.Ended java(String options, Object... arguments) throws IOException, InterruptedException {
        return Child.run(temp, Map.of("JDK_JAVA_OPTIONS", options), arguments);
    }

    private void assertLine(Cli.Ended ended, String line) {
        assertThat(ended.code()).as(ended.err()).isEqualTo(1);
        assertThat(ended.err()).contains(line).doesNotContain("\tat ").doesNotContain("this is a bug");
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void aFullHeapNamesTheOption() throws IOException, InterruptedException {
        assertLine(java("-Xmx24m", DENSE), "posbias: out of memory: Java's heap of 24 MiB is full; POSBIAS_JAVA_OPTS=");
    }

    @Test
    void tooFewOpenFiles() throws IOException, InterruptedException {
        Assumptions.assumeTrue(run("bash", "-c", "ulimit -n 32") == 0, "skipped: no bash");
        Child child = Child.startBy("ulimit -n 32; exec \"$@\"", temp, Map.of(), DENSE);
        assertLine(child.end(), "posbias: too many open files: raise the limit, for example with 'ulimit -n 1024'\n");
    }

    @Test
    void aFolderWithoutProgramsIsNamed() throws IOException, InterruptedException {
        Path home = mounted("size=100m,noexec").resolve("home");
        Cli.Ended ended = Child.run(temp, Map.of("POSBIAS_HOME", home.toString()), DENSE);
        assertLine(ended, "posbias: cannot load " + home.resolve("native"));
        assertThat(ended.err()).contains("noexec").contains("POSBIAS_HOME=DIR");
    }

    @Test
    void aFullTemporaryFolderIsNamed() throws IOException, InterruptedException {
        Path small = mounted("size=64k");
        Cli.Ended ended = java(
                "-Djava.io.tmpdir=" + small,
                "eval --model",
                DemoModels.dense(temp.resolve("model")),
                "--dataset demo --no-cache --out out");
        assertLine(ended, "posbias: cannot write " + small.resolve("posbias-"));
        assertThat(ended.err()).contains("no space left on device", "POSBIAS_JAVA_OPTS=");
        try (Stream<Path> left = Files.walk(small)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void aFullCacheIsNamed() throws IOException, InterruptedException {
        Path small = mounted("size=64k");
        Files.createDirectories(temp.resolve("home"));
        Files.createSymbolicLink(temp.resolve("home/vectors"), small);
        Path model = DemoModels.dense(temp.resolve("model"));
        Cli.Ended ended = Child.run(temp, Map.of(), "eval --model", model, "--dataset demo --out out");
        assertLine(ended, "posbias: cannot write " + temp.resolve("home/vectors/" + DemoModels.DENSE + "-"));
        assertThat(ended.err()).contains("no space left on device", "POSBIAS_HOME=");
    }

    /** In the locale C what is not ASCII is garbled: results went to another folder, and a prompt to a model with question marks. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatTheLocaleGarblesIsRefused() throws Exception {
        Map<String, String> ascii = Map.of("LC_ALL", "C");
        Child.run(temp, ascii, "eval --model bm25 --dataset demo --out", "größe")
                .fails(2, "US-ASCII", "LC_ALL=C.UTF-8");
        Path folder = Files.createDirectory(temp.resolve("größe"));
        Child.run(folder, Map.of("LC_ALL", "C", "POSBIAS_HOME", "/tmp"), "data info demo")
                .fails(2, "US-ASCII");
        Cli.Ended home = Child.run(temp, Map.of("LC_ALL", "C", "POSBIAS_HOME", folder.toString()), "data info demo");
        assertThat(home.code()).as(home.err()).isEqualTo(2);
        Path recipe = Files.writeString(
                temp.resolve("prompt.yaml"),
                "name: prompt\nkind: worker\ngives: dense\ncommand: [python3, encode.py, --query-prompt, 'Größe: ']\n");
        assertThat(Child.run(temp, ascii, "eval --dataset demo --blind none --model", recipe, "--out out"))
                .satisfies(ended -> assertThat(ended.code()).as(ended.err()).isEqualTo(2))
                .satisfies(ended -> assertThat(ended.err()).contains("note: names of files", "Größe: "));
        assertThat(Child.run(temp, Map.of("LC_ALL", "C.UTF-8"), "data info demo")
                        .ok()
                        .err())
                .isEmpty();
    }
}
