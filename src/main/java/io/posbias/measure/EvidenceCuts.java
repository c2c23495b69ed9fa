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
 * Whose evidence lies past what a model reads. A query with several relevant passages counts by the one that holds its
 * evidence, where the benchmark names it, else by the one of them of which least is read. Queries are known by their place in
 * a list.
 *
 * @param queries judged ones
 * @param located those whose evidence is known to the character; of others nothing is said
 * @param startsPast those of {@code located} whose evidence begins past the cut: none of it is read
 * @param endsPast those whose evidence ends past the cut, those of {@code startsPast} among them
 */
public record EvidenceCuts(List<Query> queries, BitSet located, BitSet startsPast, BitSet endsPast) {
    /** Copies what it is given. */
    public EvidenceCuts {
        queries = List.copyOf(queries);
        located = (BitSet) located.clone();
        startsPast = (BitSet) startsPast.clone();
        endsPast = (BitSet) endsPast.clone();
    }

    /**
     * Looks queries up in what was read.
     *
     * @param queries of the benchmark; those without judgements are in no set
     */
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
     * Finds the same of all judged queries with the model's tokenizer: the model is not loaded. A first stage's limit does not
     * count.
     *
     * @return empty where the model tells nothing, as {@link Retriever#preview()}
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

    /** The identifiers of the queries whose evidence is not wholly read. */
    public Set<String> notWhollyRead() {
        return ids(endsPast);
    }

    /** The identifiers of the queries whose evidence is wholly read; queries whose evidence is not known are in neither. */
    public Set<String> whollyRead() {
        BitSet read = (BitSet) located.clone();
        read.andNot(endsPast);
        return ids(read);
    }

    private Set<String> ids(BitSet places) {
        return places.stream().mapToObj(place -> queries.get(place).id()).collect(Collectors.toUnmodifiableSet());
    }
}
