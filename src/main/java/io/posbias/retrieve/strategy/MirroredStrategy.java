package io.posbias.retrieve.strategy;

import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.Vectors;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.List;
import java.util.Optional;

/**
 * The mean of a passage and of the passage with its sentences in reverse order: what a model gives more to one end than to
 * the other by the same amount cancels out. Title and text are mirrored as one text.
 */
public final class MirroredStrategy implements Strategy {
    @Override
    public String kind() {
        return "mirrored";
    }

    @Override
    public String meaning() {
        return "the mean of a passage and of its sentences in reverse order";
    }

    @Override
    public List<String> fields() {
        return List.of();
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return wrapped.retriever().reading().unit() == Reading.Unit.WORDS
                ? Optional.of("counts words, whatever the order of sentences")
                : Optional.empty();
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        Retriever inner = wrapped.retriever();
        if (inner.vectors().isEmpty()) {
            return new MirroredRetriever(recipe, inner);
        }
        return new VectorRetriever(
                DenseRetriever.derived(recipe, wrapped, engine -> new Mean(VectorRetriever.vectors(wrapped, engine)))
                        .reading((reader, engine) -> new Both(reader)),
                inner.vectorBytes(1, 0));
    }

    /** A text with its sentences in reverse order; one of a single sentence as it is. */
    static String mirrored(String text) {
        Sentences sentences = Sentences.of(text, "");
        return sentences.size() < 2 ? text : sentences.join(sentences.all().reversed());
    }

    /** A text and its mirror image; a query, and a text that is its own image, once. */
    private static List<String> both(String text, Role role) {
        String mirrored = role == Role.QUERY ? text : mirrored(text);
        return mirrored.equals(text) ? List.of(text) : List.of(text, mirrored);
    }

    /**
     * How much of a text was seen, from how much of it and of its mirror image was: up to the first character that was seen in
     * neither. The mirror image shows the last sentences whole, and the beginning of the one before them.
     */
    static int seen(String text, int own, int mirrored) {
        if (own < 0 || mirrored < 0) {
            return own == TextEncoder.WHOLE || mirrored == TextEncoder.WHOLE ? TextEncoder.WHOLE : own;
        }
        Sentences sentences = Sentences.of(text, "");
        int rest = mirrored;
        for (int i = sentences.size() - 1; i >= 0; i--) {
            Span sentence = sentences.spans().get(i);
            if (own >= sentence.end()) {
                return TextEncoder.WHOLE;
            }
            int length = sentence.end() - sentence.start();
            if (rest < length) {
                boolean adjoins =
                        own >= (i == 0 ? 0 : sentences.spans().get(i - 1).end());
                return adjoins ? Math.max(own, sentence.start() + Math.max(0, rest)) : own;
            }
            rest -= length + sentences.joint().length();
        }
        return TextEncoder.WHOLE;
    }

    /** What is read of texts and of their mirror images. */
    private record Both(TextReader inner) implements TextReader {
        @Override
        public int seen(String text, Role role) {
            List<String> both = both(text, role);
            int own = inner.seen(text, role);
            return both.size() == 1 ? own : MirroredStrategy.seen(text, own, inner.seen(both.getLast(), role));
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    /** The mean of two vectors, whose product with a query is the mean of both products. */
    private static final class Mean extends DerivedEncoder {
        Mean(CachedEncoder inner) {
            super(inner, "mirrored", inner.dimension());
        }

        @Override
        List<String> texts(String text, Role role) {
            return both(text, role);
        }

        @Override
        float[] derive(List<float[]> vectors, Role role) {
            float[] mean = vectors.getFirst().clone();
            float[] other = vectors.getLast();
            for (int i = 0; i < mean.length && vectors.size() > 1; i++) {
                mean[i] = (mean[i] + other[i]) / 2;
            }
            return mean;
        }

        @Override
        int seen(List<String> texts, Vectors vectors, int first) {
            return texts.size() == 1
                    ? vectors.seen(first)
                    : MirroredStrategy.seen(texts.getFirst(), vectors.seen(first), vectors.seen(first + 1));
        }
    }
}
