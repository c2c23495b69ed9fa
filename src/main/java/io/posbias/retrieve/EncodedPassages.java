package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.Role;
import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.cache.Vectors;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Encoded passages, all of a corpus or some.
 *
 * @param places index among the vectors by ordinal, or -1
 * @param leads length of the title before the text by ordinal, in UTF-16 units
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record EncodedPassages(Vectors vectors, int[] places, int[] leads) {
    static EncodedPassages of(Dataset dataset, VectorSource encoder, BitSet wanted) {
        int[] places = new int[dataset.passages().size()];
        int[] leads = new int[places.length];
        Arrays.fill(places, -1);
        int[] members = wanted.stream().toArray();
        IntStream.range(0, members.length).forEach(i -> places[members[i]] = i);
        try (VectorSource.Collector collector =
                encoder.collector(members.length, Role.PASSAGE, "encode " + dataset.name())) {
            dataset.passages().forEach((ordinal, passage) -> {
                leads[ordinal] = passage.lead();
                if (places[ordinal] >= 0) {
                    collector.add(places[ordinal], passage.content());
                }
            });
            return new EncodedPassages(collector.finish(), places, leads);
        }
    }

    static EncodedPassages ofAll(Dataset dataset, VectorSource encoder) {
        BitSet all = new BitSet();
        all.set(0, dataset.passages().size());
        return of(dataset, encoder, all);
    }

    /** Reports truncation by a recipe's model. */
    TruncationReport truncation(Recipe model, long queriesCut) {
        int[] seen = new int[places.length];
        Arrays.setAll(
                seen,
                ordinal -> places[ordinal] < 0
                        ? TruncationReport.NEVER_READ
                        : TruncationReport.ofText(leads[ordinal], vectors.seen(places[ordinal])));
        return TruncationReport.ofPassages(model, seen, queriesCut);
    }
}
