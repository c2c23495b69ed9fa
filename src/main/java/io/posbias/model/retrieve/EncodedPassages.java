package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.rank.Ranking;
import io.posbias.rank.TruncationReport;
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
            dataset.passages().inFileOrder((ordinal, passage) -> {
                leads[ordinal] = passage.lead();
                if (places[ordinal] >= 0) {
                    collector.add(places[ordinal], passage.content());
                }
            });
            return new EncodedPassages(collector.finish(), places, leads);
        } catch (ApiException refusal) {
            throw named(dataset, refusal);
        }
    }

    private static ApiException named(Dataset dataset, ApiException refusal) {
        ApiException[] named = {refusal};
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (named[0] == refusal && refusal.isOf(passage.content())) {
                named[0] = refusal.named("passage " + passage.id());
            }
        });
        return named[0];
    }

    /**
     * Encodes passages of a dataset.
     *
     * @param onlyWritten true to leave out blank passages, which services refuse
     */
    static EncodedPassages of(Dataset dataset, VectorSource encoder, boolean onlyWritten) {
        BitSet wanted = new BitSet();
        wanted.set(0, dataset.passages().size());
        if (onlyWritten) {
            dataset.passages()
                    .inFileOrder((ordinal, passage) ->
                            wanted.set(ordinal, !passage.content().isBlank()));
        }
        return of(dataset, encoder, wanted);
    }

    int missing() {
        return places.length - vectors.size();
    }

    /** Returns the index of a passage's vector, or -1. */
    int place(int ordinal) {
        return places[ordinal];
    }

    /** Returns the ordinals that have vectors, in their order. */
    int[] encoded(int[] ordinals) {
        return Arrays.stream(ordinals).filter(ordinal -> places[ordinal] >= 0).toArray();
    }

    /** Returns rankings by ordinal for rankings by index among the vectors. */
    Ranking[] byOrdinal(Ranking[] byIndex) {
        if (missing() == 0) {
            return byIndex;
        }
        int[] ordinals = encoded(IntStream.range(0, places.length).toArray());
        return Arrays.stream(byIndex)
                .map(ranking -> {
                    float[] scores = new float[ranking.size()];
                    int[] passages = new int[scores.length];
                    Arrays.setAll(passages, rank -> {
                        scores[rank] = ranking.score(rank);
                        return ordinals[ranking.passage(rank)];
                    });
                    return Ranking.of(passages, scores);
                })
                .toArray(Ranking[]::new);
    }

    TruncationReport truncation(Recipe model, long queriesCut) {
        int[] seen = new int[places.length];
        Arrays.setAll(
                seen,
                ordinal -> places[ordinal] < 0
                        ? TruncationReport.NEVER_READ
                        : TruncationReport.ofText(leads[ordinal], vectors.seen(places[ordinal])));
        return TruncationReport.ofPassages(model.name(), model.maxTokens(), seen, queriesCut);
    }
}
