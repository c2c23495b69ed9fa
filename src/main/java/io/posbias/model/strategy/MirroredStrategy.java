package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.VectorRetriever;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Mean of a passage and of the passage with its sentences in reverse order: equal preferences for either end cancel
 * out. Title and text are mirrored as one text.
 */
public final class MirroredStrategy extends Strategy {
    public MirroredStrategy() {
        super("mirrored", "the mean of a passage and of its sentences in reverse order", Mirrored.class);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        return wrapped.countsWords() ? Optional.of("counts words in any order") : Optional.empty();
    }

    record Mirrored(@JsonUnwrapped RecipeCard card, Recipe model) implements Wrapper {
        @Override
        public Retriever retriever() {
            return model.oneVector()
                    .<Retriever>map(encoder -> VectorRetriever.derived(
                            this,
                            encoder.withTruncationProbe(reader -> engine -> new Both(reader.apply(engine))),
                            encoder.bytes(),
                            engine -> new Mean(encoder.open(engine))))
                    .orElseGet(() -> new MirroredRetriever(this, model.retriever()));
        }
    }

    /** Reverses the order of a text's sentences. */
    static String mirrored(String text) {
        Sentences sentences = Sentences.of(text, "");
        return sentences.size() < 2 ? text : sentences.join(sentences.all().reversed());
    }

    /** Returns a text and its mirror image, if it has one; queries have none. */
    private static List<String> both(String text, Role role) {
        String mirrored = role == Role.QUERY ? text : mirrored(text);
        return mirrored.equals(text) ? List.of(text) : List.of(text, mirrored);
    }

    /**
     * Combines truncation of a text and of its mirror image: returns the first character that was read in neither. The
     * mirror image shows the last sentences whole, and the beginning of the one before them.
     *
     * @param own units read of the text, or a mark
     * @param mirrored units read of the mirror image, or a mark
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

    /** Truncation of texts and their mirror images. */
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

    /** Mean of two vectors, whose product with a query is the mean of both products. */
    private static final class Mean extends DerivedVectors {
        Mean(VectorSource inner) {
            super(inner, inner.dimension(), (vectors, role) -> vectors);
        }

        @Override
        public CallEstimate estimate(Consumer<Consumer<String>> texts, Role role) {
            return inner().estimate(
                            sink -> texts.accept(text -> both(text, role).forEach(sink)), role);
        }

        @Override
        public Collector collector(int size, Role role, String label) {
            return role == Role.QUERY ? super.collector(size, role, label) : new Means(inner(), size, label);
        }
    }

    /** Encodes passages and their mirror images in blocks. */
    private static final class Means implements VectorSource.Collector {
        private final VectorSource inner;
        private final String label;
        private final List<Integer> places = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();
        private long characters;

        /** By passage: the vectors of its block, and the indices of its vector and of the mirror image's. */
        private final Vectors[] blocks;

        private final int[] own;
        private final int[] images;
        private final int[] seen;

        Means(VectorSource inner, int size, String label) {
            this.inner = inner;
            this.label = label;
            this.blocks = new Vectors[size];
            this.own = new int[size];
            this.images = new int[size];
            this.seen = new int[size];
        }

        @Override
        public void add(int place, String text) {
            List<String> both = both(text, Role.PASSAGE);
            own[place] = texts.size();
            images[place] = texts.size() + both.size() - 1;
            places.add(place);
            texts.addAll(both);
            characters += text.length();
            if (texts.size() >= TextEncoder.WINDOW_TEXTS || characters >= TextEncoder.WINDOW_CHARACTERS) {
                encode();
            }
        }

        private void encode() {
            if (places.isEmpty()) {
                return;
            }
            Vectors block = inner.encode(texts, Role.PASSAGE, label);
            for (int place : places) {
                blocks[place] = block;
                int whole = block.seen(own[place]);
                seen[place] = own[place] == images[place]
                        ? whole
                        : MirroredStrategy.seen(texts.get(own[place]), whole, block.seen(images[place]));
            }
            places.clear();
            texts.clear();
            characters = 0;
        }

        @Override
        public Vectors finish() {
            encode();
            return Vectors.computed(blocks.length, inner.dimension(), this::mean, place -> seen[place]);
        }

        private float[] mean(int place) {
            float[] mean = blocks[place].read(own[place]);
            if (own[place] != images[place]) {
                float[] other = blocks[place].read(images[place]);
                for (int i = 0; i < mean.length; i++) {
                    mean[i] = (mean[i] + other[i]) / 2;
                }
            }
            return mean;
        }

        @Override
        public void close() {
            // Each block closes its own collector.
        }
    }
}
