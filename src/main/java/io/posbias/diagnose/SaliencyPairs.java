package io.posbias.diagnose;

import io.posbias.PosbiasException;
import io.posbias.Session;
import io.posbias.dataset.DatasetPool;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.dataset.Words;
import io.posbias.stats.Clusters;
import io.posbias.stats.Interval;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The pairs of query and document whose saliency is looked at, the same for all methods and models. */
public record SaliencyPairs(Documents documents, List<SaliencySource.Fit> fits) {
    /**
     * Which pairs fit.
     *
     * @param minWords the fewest words of a document
     * @param minTokens the fewest tokens of a document, as the benchmark counts them; null where tokens do not matter
     * @param between where the middle of the evidence must be, as shares of the text; null for anywhere, known or not
     */
    public record Choice(
            int minWords,
            @Nullable Integer minTokens,
            @Nullable Interval between) {}

    /**
     * Reads documents.
     *
     * @param session is told how many fit
     * @throws PosbiasException if none does
     */
    public static SaliencyPairs of(Documents documents, Choice choice, Session session) {
        List<Query> queries = queries(documents, choice.minTokens(), choice.between());
        Map<String, List<Span>> words = new HashMap<>();
        return new SaliencyPairs(
                documents,
                documents.fitting(
                        documents.read(queries),
                        document -> Optional.of(new SaliencySource.Fit(
                                        document,
                                        words.computeIfAbsent(
                                                document.sentences().text(),
                                                text -> Words.cut(text, documents.language()))))
                                .filter(fit -> fit.words().size() >= choice.minWords()),
                        "pairs of query and document",
                        "fewer than " + choice.minWords() + " words",
                        "--min-words sets how many they need",
                        "",
                        session));
    }

    /** Those whose evidence is in its place and whose document has enough tokens. */
    private static List<Query> queries(Documents documents, @Nullable Integer minTokens, @Nullable Interval between) {
        List<Query> queries = between == null
                ? documents.answered()
                : documents.evident().stream()
                        .filter(query -> isBetween(query, between))
                        .toList();
        if (queries.isEmpty()) {
            throw nothing(
                    documents,
                    between == null
                            ? "no query with a relevant passage"
                            : "no query whose evidence has its middle in that part of its one relevant passage");
        }
        if (minTokens == null) {
            return queries;
        }
        IntPredicate longEnough = TokenLengths.atLeast(minTokens, documents.dataset());
        List<Query> longer = queries.stream()
                .filter(query -> longEnough.test(documents.passage(query)))
                .toList();
        if (longer.isEmpty()) {
            throw nothing(documents, "no such query on a document of at least " + minTokens + " tokens");
        }
        return longer;
    }

    private static PosbiasException nothing(Documents documents, String what) {
        return new PosbiasException(documents.dataset().name() + " has " + what + "; there is nothing to look at");
    }

    private static boolean isBetween(Query query, Interval between) {
        Evidence evidence = query.evidence();
        return evidence != null && evidence.isPlaced() && between.holds(evidence.relativePosition());
    }

    /** The benchmark's name. */
    public String dataset() {
        return documents.dataset().name();
    }

    /** How many there are. */
    public int size() {
        return fits.size();
    }

    /** Which count as one. */
    Clusters clusters() {
        return Clusters.named(
                fits.stream().map(fit -> documents.unit(fit.document())).toList());
    }

    /** How many are of each of several benchmarks. */
    Map<String, Integer> pooled() {
        return DatasetPool.counts(
                documents.dataset().parts(),
                fits.stream().map(fit -> fit.document().query().id()).toList());
    }
}
