package io.posbias.hub;

/** A token that does not print itself. */
public final class Secret {
    private final String value;

    /** Wraps a token. */
    public Secret(String value) {
        this.value = value;
    }

    /** The token, for the one header it is meant for. */
    String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
