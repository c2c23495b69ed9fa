package io.posbias.base.process;

import io.posbias.base.text.Printable;
import java.io.Serial;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure with a one-line message for the user, {@linkplain Printable#line escaped}. Any other exception is a defect
 * and is printed with its stack trace.
 */
public class PosbiasException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<String> steps;

    public PosbiasException(String message) {
        this(message, null);
    }

    /** Keeps the cause for {@code --verbose}. */
    public PosbiasException(String message, @Nullable Throwable cause) {
        this(message, List.of(), cause);
    }

    /** @param steps advice to the user, one line each */
    protected PosbiasException(String message, List<String> steps, @Nullable Throwable cause) {
        super(Printable.line(message), cause);
        this.steps = steps.stream().map(PosbiasException::step).toList();
    }

    /** Escapes a line but keeps its indentation. */
    private static String step(String text) {
        return " ".repeat(text.length() - text.stripLeading().length()) + Printable.line(text);
    }

    /** One of {@link ExitCode}. */
    public int exitCode() {
        return ExitCode.FAILURE;
    }

    /** Advice to the user, one line each; often empty. */
    public final List<String> steps() {
        return steps;
    }

    public final String line() {
        return Objects.requireNonNull(getMessage());
    }
}
