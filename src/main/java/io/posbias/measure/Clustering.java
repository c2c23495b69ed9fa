package io.posbias.measure;

import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.stats.Clusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which of a list of queries count as one for intervals and tests: scores of queries of one passage depend on each other.
 *
 * @param by what makes queries belong together
 * @param passages the relevant passage of each query, the first by identifier of several, or what it was cut from for a
 *     {@link Query.Variant}; empty where it has none, or is not known
 * @param articles the title of that passage, or its identifier where it has none; no list where titles were not read
 */
public record Clustering(By by, List<String> passages, List<String> articles) {
    /** What makes queries belong together. */
    public enum By {
        /** One relevant passage. */
        PASSAGE,
        /** Relevant passages of one title. */
        ARTICLE,
        /** Nothing: each query by itself. */
        NONE;

        /** What is counted, in words. */
        public String units() {
            return switch (this) {
                case PASSAGE -> "relevant passages of the queries";
                case ARTICLE -> "articles of the queries' relevant passages";
                case NONE -> "queries";
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the lists. */
    public Clustering {
        passages = List.copyOf(passages);
        articles = List.copyOf(articles);
    }

    /** Each query by itself. */
    public static Clustering none(int queries) {
        return new Clustering(
                By.NONE, IntStream.range(0, queries).mapToObj(query -> "").toList(), List.of());
    }

    /** The units of queries by their judgements; reads the corpus where titles are asked for. */
    public static Clustering of(Dataset dataset, List<Query> queries, By by) {
        int[] relevant =
                queries.stream().mapToInt(query -> passage(dataset, query)).toArray();
        List<String> passages = IntStream.range(0, relevant.length)
                .mapToObj(query -> name(dataset, queries.get(query), relevant[query]))
                .toList();
        return new Clustering(by, passages, by == By.ARTICLE ? articles(dataset, relevant, passages) : List.of());
    }

    /** Windows of one document belong together as the queries of that document did. */
    private static String name(Dataset dataset, Query query, int relevant) {
        Query.Variant variant = query.variant();
        if (variant != null) {
            return variant.document();
        }
        return relevant < 0 ? "" : dataset.passages().ids().id(relevant);
    }

    private static int passage(Dataset dataset, Query query) {
        Judgments judgments = dataset.qrels().of(query.id());
        return judgments == null ? -1 : judgments.firstRelevant();
    }

    private static List<String> articles(Dataset dataset, int[] relevant, List<String> passages) {
        Map<Integer, String> titles = new HashMap<>();
        Arrays.stream(relevant).forEach(ordinal -> titles.put(ordinal, ""));
        dataset.passages().forEach((ordinal, passage) -> {
            if (titles.containsKey(ordinal)) {
                titles.put(ordinal, passage.title());
            }
        });
        return IntStream.range(0, relevant.length)
                .mapToObj(query -> {
                    String title = titles.getOrDefault(relevant[query], "");
                    return title.isEmpty() ? passages.get(query) : title;
                })
                .toList();
    }

    /**
     * The same queries, together for another reason.
     *
     * @throws UsageException if titles are asked for that were not read
     */
    Clustering by(By other) {
        if (other == By.ARTICLE && articles.isEmpty()) {
            throw new UsageException("--cluster article: the results do not say of which article a query is; evaluate"
                    + " with --cluster article");
        }
        return new Clustering(other, passages, articles);
    }

    /** The units of some of the queries, by their places in the list. */
    Clustering at(int[] places) {
        return new Clustering(by, at(passages, places), articles.isEmpty() ? articles : at(articles, places));
    }

    private static List<String> at(List<String> names, int[] places) {
        return Arrays.stream(places).mapToObj(names::get).toList();
    }

    /** The clusters; a query without a name is one by itself. */
    public Clusters clusters() {
        return by == By.NONE ? Clusters.single(passages.size()) : Clusters.named(names());
    }

    /** The unit of each query; queries of one unit count as one. */
    public List<String> names() {
        List<String> names = by == By.ARTICLE ? articles : passages;
        List<String> own = new ArrayList<>();
        for (int query = 0; query < names.size(); query++) {
            // No identifier holds a line break.
            own.add(by == By.NONE || names.get(query).isEmpty() ? "\n" + query : names.get(query));
        }
        return own;
    }
}
