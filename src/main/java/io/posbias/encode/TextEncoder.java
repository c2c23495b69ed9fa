package io.posbias.encode;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Turns texts into vectors, one or several a text. Safe for several threads. */
public interface TextEncoder extends AutoCloseable {
    /** How many numbers a vector has. */
    int dimension();

    /**
     * What its vectors depend on, as a SHA-256: settings, model files, kind of device. Vectors of equal spaces are
     * interchangeable.
     */
    String space();

    /**
     * Prepares texts, which takes no model: tokenises them. Called ahead, while the work before is still running.
     *
     * @param texts as the data set has them, without prompts
     */
    EncodingWork prepare(List<String> texts, Role role);

    /** How many windows of texts it works on at once, each of them prepared by itself. */
    default int windows() {
        return 1;
    }

    /** What calls of services it would take to encode texts; none for models that run here. */
    default CallEstimate estimate(List<String> texts, Role role) {
        return CallEstimate.NONE;
    }

    /** What it took so far beyond time, such as calls and dollars. */
    default Map<String, Number> effort() {
        return Map.of();
    }

    /** Texts on their way to vectors. */
    @FunctionalInterface
    interface EncodingWork {
        /** Encodes all texts; batches are handed over as they finish, in no particular order, by several threads. */
        void run(VectorSink sink);
    }

    /** Takes finished vectors. */
    @FunctionalInterface
    interface VectorSink {
        /** Takes the vectors of some texts, each text once. */
        void accept(List<Encoded> batch);
    }

    /**
     * The vectors of a text.
     *
     * @param text its place in the list that was prepared
     * @param vectors one after another, {@code rows * dimension} numbers
     * @param rows how many
     * @param seen how many UTF-16 units of the text the model saw; {@link #WHOLE} for all, {@link #UNKNOWN} where
     *     nobody tells
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; a list would box every number
    record Encoded(int text, float[] vectors, int rows, int seen) implements Serializable {}

    /** Nothing was cut off. */
    int WHOLE = -1;

    /** The vendor cuts without saying where. */
    int UNKNOWN = -2;

    /** Texts that make a good piece of work: enough to sort by length, few enough for memory. */
    int WINDOW_TEXTS = 16_384;

    /** The characters of such a piece at most, unless a single text is longer. */
    int WINDOW_CHARACTERS = 8 << 20;

    @Override
    void close();
}
