package io.posbias.encode.api;

import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.encode.CallEstimate;
import java.io.Serial;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A service did not give what was asked for; says what a person can do about it. Has no cause: what an HTTP client or a
 * parser says may quote the server, and a server may quote the key.
 */
public final class ApiException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int BEGINNING = 40;

    /** What a service refuses, as far as its words tell. */
    enum Refused {
        /** One of the texts. */
        TEXT,
        /** So many texts at once. */
        NUMBER,
        OTHER
    }

    private final String refusal;
    private final Refused refused;
    private final String text;
    private final int place;

    ApiException(String message, List<String> steps) {
        this(message, steps, Refused.OTHER);
    }

    ApiException(String message, List<String> steps, Refused refused) {
        this(message, message, steps, refused, "", -1);
    }

    private ApiException(String message, String refusal, List<String> steps, Refused refused, String text, int place) {
        super(message, steps, null);
        this.refusal = refusal;
        this.refused = refused;
        this.text = text;
        this.place = place;
    }

    Refused refused() {
        return refused;
    }

    /** Returns this with the place of the refused text among those that were asked about. */
    ApiException at(int refusedPlace) {
        return new ApiException(refusal, refusal, steps(), refused, text, refusedPlace);
    }

    /** Returns this with the place counted from an earlier text. */
    ApiException after(int texts) {
        return place < 0 ? this : at(place + texts);
    }

    /**
     * Returns this with the refused text named by its beginning, if one was refused.
     *
     * @param originals returns the text at a place as in the dataset
     */
    ApiException of(IntFunction<String> originals, String advice) {
        if (place < 0) {
            return this;
        }
        String original = originals.apply(place);
        String beginning = original.length() <= BEGINNING ? original : original.substring(0, BEGINNING) + "…";
        return new ApiException("", refusal, List.of(advice), refused, original, place)
                .named("the text that begins " + Printable.quoted(beginning));
    }

    /** Returns true if the service refused this text alone. */
    public boolean isOf(String original) {
        return !text.isEmpty() && text.equals(original);
    }

    /** Returns this with another name of the text, for example "passage d17". */
    public ApiException named(String name) {
        String message = refusal + "; refused is " + name + " (" + text.length() + " characters, about "
                + CallEstimate.tokens(text) + " tokens)";
        return new ApiException(message, refusal, steps(), refused, text, place);
    }
}
