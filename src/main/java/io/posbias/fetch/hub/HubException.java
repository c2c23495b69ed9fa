package io.posbias.fetch.hub;

import io.posbias.base.process.PosbiasException;
import java.io.Serial;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A failed request to the Hub, with steps that the user can take. */
public final class HubException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    public HubException(String message, List<String> steps, @Nullable Throwable cause) {
        super(message, steps, cause);
    }

    public HubException withSteps(List<String> more) {
        return new HubException(
                line(), Stream.concat(steps().stream(), more.stream()).toList(), this);
    }
}
