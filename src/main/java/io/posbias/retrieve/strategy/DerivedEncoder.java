package io.posbias.retrieve.strategy;

import io.posbias.Checksums;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.Vectors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Makes a text's vector from those that another encoder gives, and keeps: nothing is encoded that was encoded before. */
abstract class DerivedEncoder implements TextEncoder {
    private static final int BATCH = 256;

    private final CachedEncoder inner;
    private final String what;
    private final int dimension;
    private boolean lent;

    /**
     * @param inner closed with this, unless it is {@linkplain #lent()}
     * @param what all that the vectors depend on besides its own
     * @param dimension numbers of a vector
     */
    DerivedEncoder(CachedEncoder inner, String what, int dimension) {
        this.inner = inner;
        this.what = what;
        this.dimension = dimension;
    }

    /** Leaves the inner encoder open when this is closed: others have it too. */
    final DerivedEncoder lent() {
        lent = true;
        return this;
    }

    /** The texts whose vectors are needed for a text, the text itself first. */
    List<String> texts(String text, Role role) {
        return List.of(text);
    }

    /** The vector of a text, from those of its {@link #texts}. */
    abstract float[] derive(List<float[]> vectors, Role role);

    @Override
    public final int dimension() {
        return dimension;
    }

    @Override
    public final String space() {
        return Checksums.sha256((inner.space() + "\n" + what).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public final Map<String, Number> effort() {
        return inner.effort();
    }

    @Override
    public final CallEstimate estimate(List<String> texts, Role role) {
        return inner.estimate(sink -> texts.forEach(text -> texts(text, role).forEach(sink)), role);
    }

    @Override
    public final Work prepare(List<String> texts, Role role) {
        List<List<String>> needed =
                texts.stream().map(text -> texts(text, role)).toList();
        return sink -> {
            List<String> all = needed.stream().flatMap(List::stream).toList();
            Vectors vectors = inner.encode(all, role, "encode " + (role == Role.QUERY ? "queries" : "passages"));
            int next = 0;
            List<Encoded> batch = new ArrayList<>();
            for (int i = 0; i < texts.size(); i++) {
                batch.add(encoded(i, needed.get(i), vectors, next, role));
                next += needed.get(i).size();
                if (batch.size() == BATCH || i + 1 == texts.size()) {
                    sink.accept(batch);
                    batch = new ArrayList<>();
                }
            }
        };
    }

    private Encoded encoded(int text, List<String> texts, Vectors vectors, int first, Role role) {
        List<float[]> own = IntStream.range(first, first + texts.size())
                .mapToObj(vectors::read)
                .toList();
        return new Encoded(text, derive(own, role), 1, seen(texts, vectors, first));
    }

    /** How much of a text was seen, whose {@link #texts} begin at a place among vectors. */
    int seen(List<String> texts, Vectors vectors, int first) {
        return vectors.seen(first);
    }

    @Override
    public final void close() {
        if (!lent) {
            inner.close();
        }
    }
}
