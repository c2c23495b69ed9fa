package io.posbias.model.encode;

import io.posbias.rank.TruncationReport;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Encoder of texts, with one or several vectors per text. Safe for several threads. */
public interface TextEncoder extends AutoCloseable {
    int dimension();

    /**
     * Returns a SHA-256 of all that vectors depend on: settings, model files, kind of device. Vectors of equal spaces
     * are interchangeable.
     */
    String space();

    /** Returns the text that a text's vectors are cached by; another one if the encoder reads only a part that it chooses. */
    default String cachedAs(String text, Role role) {
        return text;
    }

    /**
     * Tokenises texts; called ahead, while the previous window is encoded.
     *
     * @param texts as in the dataset, without prompts
     */
    EncodingWork prepare(List<String> texts, Role role);

    /** Returns the number of windows encoded at once. */
    default int windows() {
        return 1;
    }

    /** Estimates service calls, or what a local model reads. */
    default CallEstimate estimate(List<String> texts, Role role) {
        return CallEstimate.local(texts, Integer.MAX_VALUE);
    }

    /** Counts service calls and dollars so far; empty for a local model. */
    default Map<String, Number> usage() {
        return Map.of();
    }

    /** Prepared texts. */
    @FunctionalInterface
    interface EncodingWork {
        /** Encodes all texts and hands over batches as they finish, in no particular order, from several threads. */
        void run(VectorSink sink);
    }

    /** Receiver of vectors; gets each text once. */
    @FunctionalInterface
    interface VectorSink {
        void accept(List<Encoded> batch);
    }

    /**
     * Vectors of a text.
     *
     * @param text index in the prepared list
     * @param vectors {@code rows * dimension} numbers
     * @param seen UTF-16 units of the text that the model read, {@link #WHOLE} or {@link #UNKNOWN}
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; a list would box every number
    record Encoded(int text, float[] vectors, int rows, int seen) implements Serializable {
        /**
         * Returns the same vectors as those of another text of the list.
         *
         * @param units of it that the model read, as {@link #seen}
         */
        public Encoded of(int index, int units) {
            return new Encoded(index, vectors, rows, units);
        }

        /** Returns the same vectors as those of a text of another list. */
        public Encoded at(int index) {
            return of(index, seen);
        }
    }

    /** The text was not truncated. */
    int WHOLE = TruncationReport.WHOLE;

    /** The service may truncate without reporting it. */
    int UNKNOWN = TruncationReport.UNKNOWN;

    /**
     * Dimension of a sparse encoder: its rows are pairs of token id and weight, ascending by id, without zeros; one pair of
     * zeros for a text of zeros. 32-bit floats hold ids below 2^24.
     */
    int PAIR = 2;

    /** Maximum texts of a window: enough to sort by length, few enough for memory. */
    int WINDOW_TEXTS = 16_384;

    /** Maximum characters of a window, except for a single longer text. */
    int WINDOW_CHARACTERS = 8 << 20;

    /** Returns a text with halves of characters as question marks, because UTF-8, which leaves this process, has none. */
    static String encodable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    @Override
    void close();
}
