package io.posbias.measure;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.retrieve.Coverage;
import io.posbias.retrieve.Retriever;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Queries whose evidence lies past the cut. With several relevant passages, the passage that the benchmark names counts,
 * otherwise the one of which least is read. Queries are identified by index.
 *
 * @param located queries with an evidence span
 * @param startsPast queries whose evidence begins past the cut
 * @param endsPast queries whose evidence ends past the cut; includes {@code startsPast}
 */
public record EvidenceCuts(List<Query> queries, BitSet located, BitSet startsPast, BitSet endsPast) {
    public EvidenceCuts {
        queries = List.copyOf(queries);
        located = (BitSet) located.clone();
        startsPast = (BitSet) startsPast.clone();
        endsPast = (BitSet) endsPast.clone();
    }

    /** Looks up the evidence in a truncation report; queries without judgements are in no set. */
    public static EvidenceCuts of(Coverage coverage, Dataset dataset, List<Query> queries) {
        BitSet located = new BitSet();
        BitSet startsPast = new BitSet();
        BitSet endsPast = new BitSet();
        for (int q = 0; q < queries.size(); q++) {
            Query query = queries.get(q);
            Evidence evidence = query.evidence();
            Judgments judgments = dataset.qrels().of(query.id());
            if (evidence == null || evidence.span() == null || judgments == null) {
                continue;
            }
            int seen = leastSeen(coverage, query, judgments, dataset.passages().ids());
            located.set(q);
            startsPast.set(q, seen >= 0 && evidence.span().start() >= seen);
            endsPast.set(q, seen >= 0 && evidence.span().end() > seen);
        }
        return new EvidenceCuts(queries, located, startsPast, endsPast);
    }

    /**
     * Forecasts the cuts of all judged queries with the model's tokenizer. Ignores the limit of a first stage.
     *
     * @return empty if the model has no tokenizer
     */
    public static Optional<EvidenceCuts> of(Retriever retriever, Dataset dataset, Engine engine) {
        return retriever
                .preview()
                .map(preview -> preview.of(dataset, engine).coverages().getFirst())
                .map(own -> of(own, dataset, dataset.judgedQueries()));
    }

    private static int leastSeen(Coverage coverage, Query query, Judgments judgments, PassageIds ids) {
        String named = query.passage();
        int[] holders = named == null ? judgments.relevantPassages() : new int[] {ids.ordinal(named)};
        return Arrays.stream(holders)
                .map(passage -> coverage.seen(query.id(), passage))
                .filter(seen -> seen >= 0)
                .min()
                .orElse(Coverage.WHOLE);
    }

    /** Identifiers of the queries whose evidence is truncated. */
    public Set<String> notWhollyRead() {
        return ids(endsPast);
    }

    /** Identifiers of the queries whose evidence is read to its end; queries without a span are in neither set. */
    public Set<String> whollyRead() {
        BitSet read = (BitSet) located.clone();
        read.andNot(endsPast);
        return ids(read);
    }

    private Set<String> ids(BitSet places) {
        return places.stream().mapToObj(place -> queries.get(place).id()).collect(Collectors.toUnmodifiableSet());
    }
}
