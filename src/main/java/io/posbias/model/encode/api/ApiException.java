package io.posbias.model.encode.api;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.CallEstimate;
import java.io.Serial;
import java.io.Serializable;
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

    /** Part of a request that a service refuses, by its words. */
    enum Refused {
        TEXT,
        NUMBER_OF_TEXTS,
        OTHER
    }

    /**
     * Text that a service refuses.
     *
     * @param place among the texts of the question; -1 for none
     * @param words as in the dataset; empty for none
     */
    private record RefusedText(int place, String words) implements Serializable {
        static final RefusedText NONE = new RefusedText(-1, "");
    }

    private final String refusal;
    private final Refused refused;
    private final RefusedText text;

    ApiException(String message, List<String> steps) {
        this(message, steps, Refused.OTHER);
    }

    ApiException(String message, List<String> steps, Refused refused) {
        this(message, message, steps, refused, RefusedText.NONE);
    }

    private ApiException(String message, String refusal, List<String> steps, Refused refused, RefusedText text) {
        super(message, steps, null);
        this.refusal = refusal;
        this.refused = refused;
        this.text = text;
    }

    Refused refused() {
        return refused;
    }

    /** Returns this with the place of the refused text in the question. */
    ApiException at(int place) {
        return new ApiException(refusal, refusal, steps(), refused, new RefusedText(place, ""));
    }

    /** Returns this with a place that is later by some texts. */
    ApiException after(int texts) {
        return text.place < 0 ? this : at(text.place + texts);
    }

    /**
     * Returns this with the refused text named by its beginning, if one was refused.
     *
     * @param originals returns the text at a place as in the dataset
     */
    ApiException of(IntFunction<String> originals, String advice) {
        if (text.place < 0) {
            return this;
        }
        String words = originals.apply(text.place);
        String beginning = words.length() <= BEGINNING ? words : words.substring(0, BEGINNING) + "…";
        return new ApiException(refusal, refusal, List.of(advice), refused, new RefusedText(text.place, words))
                .named("the text that begins " + Printable.quoted(beginning));
    }

    /** Returns true if the service refused this text. */
    public boolean isOf(String original) {
        return text.place >= 0 && text.words.equals(original);
    }

    /** Returns this with another name of the text, for example "passage d17". */
    public ApiException named(String name) {
        String message = refusal + "; refused is " + name + " (" + text.words.length() + " characters, about "
                + CallEstimate.tokens(text.words) + " tokens)";
        return new ApiException(message, refusal, steps(), refused, text);
    }
}
