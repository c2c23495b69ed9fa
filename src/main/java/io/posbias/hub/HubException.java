package io.posbias.hub;

import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Hub did not give what was asked for; says what a person can do about it. */
public final class HubException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<String> steps;

    /** A failure with what to do about it, a line each. */
    public HubException(String message, List<String> steps, @Nullable Throwable cause) {
        super(message, cause);
        this.steps = List.copyOf(steps);
    }

    @Override
    public List<String> steps() {
        return steps;
    }

    /** The same failure with more to do about it. */
    HubException withSteps(List<String> more) {
        List<String> all = new ArrayList<>(steps);
        all.addAll(more);
        return new HubException(line(), all, this);
    }
}
