package io.posbias.model.encode.api;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.CallEstimate;
import java.io.Serial;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A service did not give what was asked for; says what a person can do about it. Has no cause: what an HTTP client or a
 * parser says may quote the server, and a server may quote the key.
 */
public final class ApiException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int BEGINNING = 41;
    /** Status of a server that failed. */
    static final int FAILURE = 500;

    private static final List<Integer> HALVED = List.of(400, 413, 422);

    private final String refusal;
    private final int status;
    /** Place of the text among those of the question; -1 for none. */
    private final int place;
    /** The text as in the dataset; empty for none. */
    private final String text;

    /** @param status of a refusal; 0 for other failures */
    ApiException(String message, List<String> steps, int status) {
        this(message, message, steps, status, -1, "");
    }

    private ApiException(String message, String refusal, List<String> steps, int status, int place, String text) {
        super(message, steps, null);
        this.refusal = refusal;
        this.status = status;
        this.place = place;
        this.text = text;
    }

    /** Returns true if fewer texts may be answered. */
    boolean halves() {
        return HALVED.contains(status);
    }

    /** Returns true if the server failed, perhaps with one of the texts. */
    boolean isFailure() {
        return status == FAILURE;
    }

    /** Place of the text among those of the question; -1 for none. */
    int place() {
        return place;
    }

    /** Returns this with the place of its text in the question. */
    ApiException at(int other) {
        return new ApiException(refusal, refusal, steps(), status, other, "");
    }

    /** Returns this with a place that is later by some texts. */
    ApiException after(int texts) {
        return place < 0 ? this : at(place + texts);
    }

    /**
     * Returns this for a call.
     *
     * @param from place of the call's first text in the question
     * @param texts of the call; one alone is named if it may be the reason
     * @param field of the recipe that limits the texts of a call
     */
    ApiException after(int from, int texts, String field) {
        if (place >= 0) {
            return at(place < texts ? from + place : -1);
        }
        if (status / 100 != 5 && !halves()) {
            return this;
        }
        String step = "If a text is the reason, " + field + ": 1 in the recipe shows which.";
        return texts == 1
                ? at(from)
                : new ApiException(
                        refusal,
                        Stream.concat(steps().stream(), Stream.of(step)).toList(),
                        status);
    }

    /**
     * Returns this with the text named by its beginning, if one is known.
     *
     * @param originals returns the text at a place as in the dataset
     * @param advice on texts that a service refuses
     */
    ApiException of(IntFunction<String> originals, String advice) {
        if (place < 0) {
            return this;
        }
        String words = originals.apply(place);
        List<String> steps = status == 0
                ? steps()
                : Stream.concat(steps().stream(), Stream.of(advice)).toList();
        return new ApiException(refusal, refusal, steps, status, place, words)
                .named("the text that begins " + Printable.quoted(Printable.begun(words, BEGINNING)));
    }

    /** Returns true if the service failed with this text. */
    public boolean isOf(String original) {
        return place >= 0 && text.equals(original);
    }

    /** Returns this with another name of the text, for example "passage d17". */
    public ApiException named(String name) {
        String message = refusal + "; asked about " + name + " (" + Plural.of(text.length(), "character") + ", about "
                + CallEstimate.tokens(text) + " tokens)";
        return new ApiException(message, refusal, steps(), status, place, text);
    }
}
