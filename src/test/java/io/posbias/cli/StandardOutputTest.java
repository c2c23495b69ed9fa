package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Standard output that cannot be written. {@code LostOutputTest} tries all commands. */
class StandardOutputTest {
    @TempDir
    Path temp;

    private static void failsInOneLine(Cli.Ended ended) {
        ended.fails(1, "cannot write stdout: no space left on device");
    }

    private static Cli.Ended onFullDisk(Object... command) {
        return Cli.runUnwritable(System.getenv(), "No space left on device", command);
    }

    /** A disk of eight bytes: the first write that does not fit is cut short, and none follows it. */
    @Test
    void nothingIsWrittenAfterAnError() {
        ByteArrayOutputStream disk = new ByteArrayOutputStream();
        OutputStream small = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                if (disk.size() == 8) {
                    throw new IOException("No space left on device");
                }
                disk.write(one);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                for (int i = from; i < from + length; i++) {
                    write(bytes[i]);
                }
                disk.reset();
            }
        };
        StandardOutput out = new StandardOutput(small, () -> false);
        PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
        printer.print("12345");
        assertThat(disk.size()).isZero();
        printer.print("123456789");
        assertThat(disk.toString(StandardCharsets.UTF_8)).isEqualTo("12345678");
        disk.reset();
        printer.print("more");
        assertThat(disk.size()).isZero();
        List<String> said = new ArrayList<>();
        assertThat(out.exitCode(3, said::add)).isEqualTo(1);
        assertThat(said).containsExactly("posbias: cannot write stdout: no space left on device");
    }

    @ParameterizedTest
    @CsvSource({
        "Broken pipe, false, 3",
        "The pipe is being closed, false, 3",
        "Tuberia rota, true, 3",
        "No space left on device, false, 1",
        "Input/output error, false, 1"
    })
    void aReaderThatHasReadEnoughIsNoError(String message, boolean isPiped, int expected) {
        StandardOutput out = new StandardOutput(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException(message);
                    }
                },
                () -> isPiped);
        new PrintStream(out, true, StandardCharsets.UTF_8).println("text");
        List<String> said = new ArrayList<>();
        assertThat(out.exitCode(3, said::add)).isEqualTo(expected);
        assertThat(said).hasSize(expected == 1 ? 1 : 0);
    }

    static Stream<String> commands() {
        return HelpTest.commands().map(CommandLine::getCommandSpec).map(spec -> spec.qualifiedName());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpThatIsNotPrintedIsAnError(String command) {
        String words = command.replaceFirst("^posbias ?", "");
        failsInOneLine(onFullDisk((words + " --help").strip()));
    }

    @Test
    void resultsThatAreNotPrintedAreAnErrorAndTheirFilesStay() {
        Path out = temp.resolve("out");
        Cli.Ended eval = onFullDisk("eval --model bm25 --dataset demo --blind none --draws 40 --out", out);
        assertThat(eval.code()).isOne();
        assertThat(eval.err()).endsWith("posbias: cannot write stdout: no space left on device\n");
        assertThat(out.resolve("result.json")).exists();
        for (Object[] command : List.of(
                new Object[] {"report --format json", out},
                new Object[] {"gate --draws 40 --baseline", out, "--result", out},
                new Object[] {"models list"},
                new Object[] {"data list"},
                new Object[] {"run --list"},
                new Object[] {"cache info"},
                new Object[] {"completion bash"},
                new Object[] {"help"},
                new Object[] {"--version"})) {
            failsInOneLine(onFullDisk(command));
        }
        assertThat(onFullDisk("models info none").code()).as("prints nothing").isEqualTo(2);
    }

    @Test
    void aProcessEndsAsItsOutputDoes() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full");
        // A busy machine adds a line with the time.
        for (String command : List.of("--version", "models list")) {
            Cli.Ended full = Child.startBy("exec \"$@\" >/dev/full", temp, Map.of(), command)
                    .end();
            assertThat(full.code()).isOne();
            assertThat(full.err()).endsWith("posbias: cannot write stdout: no space left on device\n");
        }
        Cli.Ended head = Child.startBy("exec \"$@\" > >(exit 0)", temp, Map.of(), "models list")
                .end();
        assertThat(head.code()).isZero();
        assertThat(head.err()).doesNotContain("stdout");
    }
}
