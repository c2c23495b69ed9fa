package io.posbias;

import java.io.Serial;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure that its message explains in one line to the person who typed the command, {@linkplain Printable#line made
 * safe to show} whatever values it quotes. Anything else that is thrown is a defect of posbias and is printed with its
 * stack trace.
 */
public class PosbiasException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<String> steps;

    /** A failure with its one-line explanation. */
    public PosbiasException(String message) {
        this(message, null);
    }

    /** A failure with its one-line explanation and what caused it (shown with {@code --verbose}). */
    public PosbiasException(String message, @Nullable Throwable cause) {
        this(message, List.of(), cause);
    }

    /** The same with what a person can do about it, a line each. */
    protected PosbiasException(String message, List<String> steps, @Nullable Throwable cause) {
        super(Printable.line(message), cause);
        this.steps = steps.stream().map(PosbiasException::step).toList();
    }

    /** What a person copies is indented; it is a line like any other. */
    private static String step(String text) {
        return " ".repeat(text.length() - text.stripLeading().length()) + Printable.line(text);
    }

    /** The process's exit code, one of {@link ExitCode}. */
    public int exitCode() {
        return ExitCode.FAILURE;
    }

    /** What a person can do about it, a line each, printed below the message; often nothing. */
    public final List<String> steps() {
        return steps;
    }

    /** The message, never null: this class cannot be made without one. */
    public final String line() {
        return Objects.requireNonNull(getMessage());
    }
}
