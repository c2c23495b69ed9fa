package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.api.ApiException;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.rank.Ranking;
import io.posbias.rank.SearchStat;
import io.posbias.rank.TruncationReport;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
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

    static EncodedPassages ofAll(Dataset dataset, VectorSource encoder) {
        BitSet all = new BitSet();
        all.set(0, dataset.passages().size());
        return of(dataset, encoder, all);
    }

    /** Encodes the passages that are not blank: services refuse blank texts. */
    static EncodedPassages ofWritten(Dataset dataset, VectorSource encoder) {
        BitSet written = new BitSet();
        dataset.passages()
                .inFileOrder((ordinal, passage) ->
                        written.set(ordinal, !passage.content().isBlank()));
        return of(dataset, encoder, written);
    }

    int missing() {
        return places.length - vectors.size();
    }

    /** Returns rankings by ordinal for rankings by index among the vectors. */
    Ranking[] byOrdinal(Ranking[] byIndex) {
        if (missing() == 0) {
            return byIndex;
        }
        int[] ordinals = IntStream.range(0, places.length)
                .filter(ordinal -> places[ordinal] >= 0)
                .toArray();
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

    /** Returns statistics of a search with the counts of zero vectors, if there are any. */
    Map<String, Double> withZeros(Map<String, Double> stats, Vectors queries) {
        Map<String, Double> all = new LinkedHashMap<>(stats);
        SearchStat.ZEROS.put(vectors.zeros(), all);
        SearchStat.QUERY_ZEROS.put(queries.zeros(), all);
        return all;
    }

    /** Reports truncation by a recipe's model. */
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
