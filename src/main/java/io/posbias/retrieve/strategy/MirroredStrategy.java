package io.posbias.retrieve.strategy;

import io.posbias.dataset.Sentences;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
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
                DenseRetriever.derived(recipe, wrapped, engine -> new Mean(VectorRetriever.vectors(wrapped, engine))),
                inner.vectorBytes(1, 0));
    }

    /** A text with its sentences in reverse order; one of a single sentence as it is. */
    static String mirrored(String text) {
        Sentences sentences = Sentences.of(text, "");
        return sentences.size() < 2 ? text : sentences.join(sentences.all().reversed());
    }

    /**
     * How much of a text was seen, from how much of it and of its mirror image was: all of it where both together cover it,
     * else what was seen of the text itself. Both are about as long.
     */
    static int seen(int own, int mirrored, int length) {
        return (own >= 0 && mirrored >= 0 && own + mirrored >= length) || mirrored == TextEncoder.WHOLE
                ? TextEncoder.WHOLE
                : own;
    }

    /** The mean of two vectors, whose product with a query is the mean of both products. */
    private static final class Mean extends DerivedEncoder {
        Mean(CachedEncoder inner) {
            super(inner, "mirrored", inner.dimension());
        }

        @Override
        List<String> texts(String text, Role role) {
            return role == Role.QUERY ? List.of(text) : List.of(text, mirrored(text));
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
                    : MirroredStrategy.seen(
                            vectors.seen(first),
                            vectors.seen(first + 1),
                            texts.getFirst().length());
        }
    }
}
