package io.posbias.run.placing;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.TextScorer;
import io.posbias.score.measure.Clustering;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Queries of a benchmark with their relevant passages.
 *
 * @param n number of queries to draw; null for all
 */
public record Documents(Dataset dataset, @Nullable Integer n, int seed, Clustering.By cluster) {
    /** @param cluster null for the usual one of the benchmark */
    public static Documents of(Dataset dataset, @Nullable Integer n, int seed, Clustering.@Nullable By cluster) {
        return new Documents(dataset, n, seed, cluster == null ? Clustering.By.of(dataset.card()) : cluster);
    }

    /** Clusters queries by passage. */
    public Documents(Dataset dataset, @Nullable Integer n, int seed) {
        this(dataset, n, seed, Clustering.By.PASSAGE);
    }

    /** The cluster of a document's query. */
    public String clusterOf(Document document) {
        Passage passage = document.passage();
        return switch (cluster) {
            case PASSAGE -> passage.id();
            case ARTICLE -> passage.article().isEmpty() ? passage.id() : passage.article();
            case NONE -> document.query().id();
        };
    }

    public String language() {
        return dataset.card().language();
    }

    /**
     * A query with its relevant passage.
     *
     * @param evidence the answer in the passage's text, in UTF-16 units; null if unknown
     */
    public record Document(
            Query query,
            Passage passage,
            Sentences sentences,
            @Nullable Span evidence) {
        /** Its sentences, joined. */
        public String text() {
            return sentences.join(sentences.all());
        }
    }

    /**
     * The judged queries that have a relevant passage, in file order.
     *
     * @throws PosbiasException if there are none
     */
    public List<Query> answered() {
        List<Query> answered = queries(query -> judgments(query).relevant() > 0);
        if (answered.isEmpty()) {
            throw new PosbiasException(
                    dataset.name() + " has no query with a relevant passage; there is nothing to look at");
        }
        return answered;
    }

    /**
     * The judged queries with an evidence span and one relevant passage, or several that hold the same evidence. With others it is
     * unknown which holds the evidence.
     */
    public List<Query> evident() {
        return queries(query -> isOfOnePassage(query) && span(query) != null);
    }

    private boolean isOfOnePassage(Query query) {
        return judgments(query).relevant() == 1 || hasCopies(dataset, query);
    }

    /** True if the further relevant passages of a query hold the same evidence. */
    static boolean hasCopies(Dataset dataset, Query query) {
        return dataset.card().relevant().isPresent() && query.passage() != null;
    }

    private List<Query> queries(Predicate<Query> wanted) {
        return dataset.judgedQueries().stream().filter(wanted).toList();
    }

    /**
     * Scores each sentence of documents for its query.
     *
     * @param documents of the benchmark
     * @return by document and sentence
     */
    public static List<double[]> scores(List<Document> documents, Dataset dataset, Recipe recipe, Engine engine) {
        DatasetCard card = dataset.card();
        List<TextScorer.Texts> texts = documents.stream()
                .map(document -> new TextScorer.Texts(
                        document.query().text(), document.sentences().all()))
                .toList();
        return TextScorer.byQuery(
                        texts,
                        pairs -> new TextScorer(pairs, card.language(), card.queryLanguage()).score(recipe, engine))
                .stream()
                .map(TextScorer::values)
                .toList();
    }

    /** Reads the passages of the queries, or of a sample of them; of several relevant passages the first by identifier. */
    public List<Document> read(List<Query> queries) {
        List<Query> drawn = drawn(queries);
        Map<Integer, Passage> passages = passages(drawn);
        Map<Integer, Sentences> sentences = new HashMap<>();
        passages.forEach((ordinal, passage) -> sentences.put(
                ordinal, Sentences.of(passage.text(), dataset.card().language())));
        return drawn.stream()
                .map(query -> new Document(
                        query,
                        Objects.requireNonNull(passages.get(passage(query))),
                        Objects.requireNonNull(sentences.get(passage(query))),
                        isOfOnePassage(query) ? span(query) : null))
                .toList();
    }

    private List<Query> drawn(List<Query> queries) {
        return n == null ? queries : Sampler.draw(queries, n, seed);
    }

    private SequencedMap<Integer, Passage> passages(List<Query> queries) {
        Set<Integer> wanted = queries.stream().map(this::passage).collect(Collectors.toSet());
        SequencedMap<Integer, Passage> passages = new LinkedHashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (wanted.contains(ordinal)) {
                passages.put(ordinal, passage);
            }
        });
        return passages;
    }

    /**
     * Converts the documents that fit and reports how many do.
     *
     * @param make empty for a document that does not fit
     * @param unfit names the lack, for messages
     * @param advice ends the message if no document fits
     * @throws PosbiasException if no document fits
     */
    public <T> List<T> fitting(
            List<Document> read,
            Function<Document, Optional<T>> make,
            String things,
            String unfit,
            String advice,
            String more,
            Session session) {
        List<T> fit = read.stream().map(make).flatMap(Optional::stream).toList();
        if (fit.isEmpty()) {
            throw new PosbiasException(
                    dataset.name() + ": all " + Plural.of(read.size(), "document") + " have " + unfit + "; " + advice);
        }
        session.say(dataset.name() + ": " + fit.size() + " " + things + "; " + (read.size() - fit.size())
                + " left out with " + unfit + more);
        return fit;
    }

    /** Returns true if one of the models does not read most passages with evidence to their end; false where that is unknown. */
    boolean areCut(List<Recipe> recipes, Engine engine) {
        List<Recipe> known = recipes.stream()
                .filter(recipe -> recipe.retriever().preview().isPresent())
                .toList();
        List<Query> evident = evident();
        if (known.isEmpty() || evident.isEmpty()) {
            return false;
        }
        List<Query> drawn = drawn(evident);
        SequencedMap<Query, String> relevant = new LinkedHashMap<>();
        drawn.forEach(query -> relevant.put(query, dataset.passages().ids().id(passage(query))));
        Dataset only = dataset.restricted(List.copyOf(passages(drawn).values()), relevant);
        return known.stream().anyMatch(recipe -> {
            new ModelStore(engine.session()).require(recipe);
            return recipe
                    .retriever()
                    .preview()
                    .orElseThrow()
                    .of(only, engine)
                    .truncations()
                    .withoutFirstStage()
                    .all()
                    .stream()
                    .anyMatch(report -> 2 * report.cut() > report.total());
        });
    }

    private Judgments judgments(Query query) {
        return Objects.requireNonNull(dataset.qrels().of(query.id()));
    }

    /** The ordinal of a query's passage, of several that hold its evidence the one that it names. */
    public int passage(Query query) {
        return passage(dataset, query);
    }

    static int passage(Dataset dataset, Query query) {
        String named = query.passage();
        return named != null && hasCopies(dataset, query)
                ? dataset.passages().ids().ordinal(named)
                : Objects.requireNonNull(dataset.qrels().of(query.id())).firstRelevant();
    }

    private static @Nullable Span span(Query query) {
        Evidence evidence = query.evidence();
        return evidence == null ? null : evidence.span();
    }

    /**
     * Passage lengths in tokens as given by the benchmark for its queries ({@code pos_token_length}), so that all models get the
     * same passages. PosIR counts with the Qwen3 tokenizer, for translations on the English original.
     */
    public static final class TokenLengths {
        private TokenLengths() {}

        /**
         * Returns true for passages, by ordinal, of at least the given length; false if unknown.
         *
         * @throws UsageException if no length is known
         */
        public static IntPredicate atLeast(int tokens, Dataset dataset) {
            Set<Integer> known = new HashSet<>();
            Set<Integer> longEnough = new HashSet<>();
            for (Query query : dataset.judgedQueries()) {
                int own = of(query);
                int[] relevant =
                        Objects.requireNonNull(dataset.qrels().of(query.id())).relevantPassages();
                if (own > 0 && relevant.length == 1) {
                    known.add(relevant[0]);
                    if (own >= tokens) {
                        longEnough.add(relevant[0]);
                    }
                }
            }
            if (known.isEmpty()) {
                throw new UsageException("dataset " + dataset.name() + " says of no passage how many tokens it has"
                        + " (pos_token_length): give --min-words instead of --min-tokens");
            }
            return longEnough::contains;
        }

        private static int of(Query query) {
            Evidence evidence = query.evidence();
            return evidence == null ? Evidence.UNKNOWN : evidence.tokenLength();
        }
    }
}
