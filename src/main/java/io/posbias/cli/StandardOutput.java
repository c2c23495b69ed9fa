package io.posbias.cli;

import io.posbias.base.files.IoErrors;
import io.posbias.base.process.ExitCode;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Standard output, whose first error ends a command as a failure. Nothing is written after it. */
final class StandardOutput extends FilterOutputStream {
    private final BooleanSupplier isPiped;
    private volatile Runnable before = () -> {};
    private @Nullable IOException failure;

    StandardOutput(OutputStream out, BooleanSupplier isPiped) {
        super(out);
        this.isPiped = isPiped;
    }

    /** Sets what is done before each write, for example to clear a line of progress on the same terminal. */
    void beforeWriting(Runnable action) {
        before = action;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        // A print stream drops the exception, and would write the rest.
        if (failure != null) {
            throw failure;
        }
        before.run();
        try {
            out.write(bytes, from, length);
        } catch (IOException refused) {
            failure = refused;
            throw refused;
        }
    }

    /**
     * Returns the exit code of a command that has printed everything. A reader that closed its pipe, like {@code head}, has
     * read what it wanted.
     *
     * @param code of the command
     * @param say receives the error, if output was lost
     */
    int exitCode(int code, Consumer<String> say) {
        if (failure == null || isClosedPipe(failure)) {
            return code;
        }
        say.accept("posbias: " + IoErrors.describe("write", Path.of("stdout"), failure));
        return ExitCode.FAILURE;
    }

    /** Writing to a pipe fails for no other reason; the message may be in the system's language. */
    private boolean isClosedPipe(IOException refused) {
        return isPiped.getAsBoolean()
                || String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }
}
