package io.posbias.hub;

import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Hub did not give what was asked for; says what a person can do about it. */
public final class HubException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A failure with what to do about it, a line each. */
    public HubException(String message, List<String> steps, @Nullable Throwable cause) {
        super(message, steps, cause);
    }

    /** The same failure with more to do about it. */
    HubException withSteps(List<String> more) {
        return new HubException(
                line(), Stream.concat(steps().stream(), more.stream()).toList(), this);
    }
}
