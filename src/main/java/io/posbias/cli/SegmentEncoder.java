package io.posbias.cli;

import io.posbias.PosbiasException;
import io.posbias.encode.CachedEncoder;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.Vectors;
import io.posbias.probe.SegmentCosines;
import io.posbias.probe.SegmentSample;
import io.posbias.report.SegmentTables;
import io.posbias.retrieve.Recipe;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes whole texts and their segments, all as passages. */
final class SegmentEncoder {
    /** The whole and three segments. */
    private static final int PARTS = 4;

    private SegmentEncoder() {}

    /**
     * What a model made of a sample.
     *
     * @param cosines of each text, in the order of the sample
     * @param cut what it did not see
     */
    record Encoded(List<SegmentCosines> cosines, SegmentTables.Cut cut) {}

    static Encoded encode(SegmentSample sample, CachedEncoder encoder, Recipe recipe, String label) {
        List<String> texts = new ArrayList<>();
        sample.texts().forEach(text -> texts.addAll(text.parts()));
        Vectors vectors = encoder.encode(texts, Role.PASSAGE, label);
        List<SegmentCosines> cosines = new ArrayList<>();
        for (int i = 0; i < sample.texts().size(); i++) {
            int first = PARTS * i;
            try {
                cosines.add(SegmentCosines.of(
                        sample.texts().get(i),
                        vectors.seen(first) >= 0,
                        read(vectors, first),
                        read(vectors, first + 1),
                        read(vectors, first + 2),
                        read(vectors, first + 3)));
            } catch (PosbiasException noDirection) {
                throw new PosbiasException(recipe.name() + ", " + noDirection.getMessage(), noDirection);
            }
        }
        return new Encoded(cosines, cut(vectors, recipe));
    }

    private static float[] read(Vectors vectors, int text) {
        FloatBuffer buffer = FloatBuffer.allocate(vectors.dimension());
        vectors.read(text, buffer);
        return buffer.array();
    }

    private static SegmentTables.Cut cut(Vectors vectors, Recipe recipe) {
        int segments = 0;
        boolean known = true;
        for (int i = 0; i < vectors.size(); i++) {
            int seen = vectors.seen(i);
            known &= seen != TextEncoder.UNKNOWN;
            segments += seen >= 0 && i % PARTS != 0 ? 1 : 0;
        }
        return new SegmentTables.Cut(recipe.settings().integer("max-tokens", 0), segments, known);
    }
}
