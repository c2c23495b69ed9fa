package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine;

public final class Cli {
    /** Entries of the clone and of its {@code results}, into which commands write by default, at the start. */
    private static final Set<Path> BEFORE = entries();

    private Cli() {}

    public record Ended(int code, String out, String err) {
        public Ended ok() {
            assertThat(code).as(err).isZero();
            return this;
        }

        /** Checks the exit code, and that all output is one error line with these parts, in this order. */
        public void fails(int expected, Object... parts) {
            assertThat(code).as(err).isEqualTo(expected);
            assertThat(out).isEmpty();
            String[] words = Stream.of(parts).map(String::valueOf).toArray(String[]::new);
            assertThat(err)
                    .startsWith("posbias: ")
                    .containsSubsequence(words)
                    .endsWith("\n")
                    .hasLineCount(1);
        }
    }

    public static Ended run(Object... arguments) {
        return run(System.getenv(), arguments);
    }

    public static Ended run(Map<String, String> environment, Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = execute(environment, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    /** Runs a command whose standard output cannot be written. */
    public static Ended runUnwritable(Map<String, String> environment, String reason, Object... arguments) {
        OutputStream refusing = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException(reason);
            }
        };
        StandardOutput out = new StandardOutput(refusing, () -> false);
        StringWriter err = new StringWriter();
        PrintWriter says = new PrintWriter(err, true);
        int code = execute(environment, new PrintWriter(out, true, StandardCharsets.UTF_8), says, arguments);
        return new Ended(out.exitCode(code, says::println), "", err.toString());
    }

    private static int execute(Map<String, String> environment, PrintWriter out, PrintWriter err, Object... arguments) {
        Path user = Path.of(System.getProperty("user.home"));
        List<String> given = words(arguments);
        CommandLine line = PosbiasCommand.commandLine(
                new Session(environment, user, System::nanoTime, Progress.NONE, err::println, new Shutdown()), given);
        line.setOut(out);
        line.setErr(err);
        int code = line.execute(given.toArray(String[]::new));
        assertThat(entries())
                .as("a test writes into its temporary folder: this one, or one beside it: %s", given)
                .isEqualTo(BEFORE);
        return code;
    }

    /** Empty in another folder than the clone. */
    private static Set<Path> entries() {
        Set<Path> entries = new TreeSet<>();
        if (!Files.exists(Path.of("pom.xml"))) {
            return entries;
        }
        for (Path folder : List.of(Path.of(""), Path.of("results"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.forEach(entries::add);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        return entries;
    }

    /** Words of a command line: the first string and strings that begin with {@code --} are split, arrays flattened. */
    public static List<String> words(Object... arguments) {
        List<String> words = new ArrayList<>();
        add(arguments, words);
        return words;
    }

    private static void add(Object[] arguments, List<String> words) {
        for (Object argument : arguments) {
            if (argument instanceof Object[] several) {
                add(several, words);
            } else if (argument instanceof String text && (words.isEmpty() || text.startsWith("--"))) {
                words.addAll(List.of(text.split(" ", -1)));
            } else {
                words.add(String.valueOf(argument));
            }
        }
    }
}
