package io.posbias.score.measure;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Clusters;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Clusters of queries for intervals and tests: scores of queries of one passage depend on each other.
 *
 * @param passages the relevant passage of each query, the first by identifier of several, or the source document of a {@link
 *     Query.Variant}; empty if unknown
 * @param articles the title of that passage, or its identifier if untitled; an empty list if titles were not read
 */
public record Clustering(By by, List<String> passages, List<String> articles) {
    /** Criterion of a cluster. */
    public enum By {
        /** One relevant passage. */
        PASSAGE,
        /** Relevant passages of one title. */
        ARTICLE,
        /** Each query is a cluster. */
        NONE;

        /** The usual cluster of a benchmark. */
        public static By of(DatasetCard card) {
            return card.clustersByArticle() ? ARTICLE : PASSAGE;
        }

        public String describe() {
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

    public Clustering {
        passages = List.copyOf(passages);
        articles = List.copyOf(articles);
    }

    /** Each query as a cluster. */
    public static Clustering none(int queries) {
        return new Clustering(
                By.NONE, IntStream.range(0, queries).mapToObj(query -> "").toList(), List.of());
    }

    /** Clusters queries by their judgements; reads the corpus for titles. */
    public static Clustering of(Dataset dataset, List<Query> queries, By by) {
        int[] relevant =
                queries.stream().mapToInt(query -> passage(dataset, query)).toArray();
        List<String> passages = IntStream.range(0, relevant.length)
                .mapToObj(query -> name(dataset, queries.get(query), relevant[query]))
                .toList();
        return new Clustering(by, passages, by == By.ARTICLE ? articles(dataset, relevant, passages) : List.of());
    }

    /** Windows of one document are one cluster. */
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
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (titles.containsKey(ordinal)) {
                titles.put(ordinal, passage.article());
            }
        });
        if (titles.values().stream().allMatch(String::isEmpty)) {
            throw new UsageException("--cluster article: no passage of " + dataset.name()
                    + " has a title, so that articles are unknown; use --cluster passage");
        }
        return IntStream.range(0, relevant.length)
                .mapToObj(query -> {
                    String title = titles.getOrDefault(relevant[query], "");
                    return title.isEmpty() ? passages.get(query) : title;
                })
                .toList();
    }

    /**
     * Clusters the queries by another criterion.
     *
     * @throws UsageException if the titles were not read
     */
    Clustering by(By other) {
        if (other == By.ARTICLE && articles.isEmpty()) {
            throw new UsageException(
                    "--cluster article: these results have no article titles; evaluate" + " with --cluster article");
        }
        return new Clustering(other, passages, articles);
    }

    /** The clusters of a subset of the queries, by index. */
    Clustering at(int[] places) {
        return new Clustering(by, at(passages, places), articles.isEmpty() ? articles : at(articles, places));
    }

    private static List<String> at(List<String> names, int[] places) {
        return Arrays.stream(places).mapToObj(names::get).toList();
    }

    /** The clusters; a query without a name is one. */
    public Clusters clusters() {
        return by == By.NONE ? Clusters.single(passages.size()) : Clusters.named(names());
    }

    /** The cluster's name for each query. */
    public List<String> names() {
        List<String> own = new ArrayList<>();
        for (int query = 0; query < passages.size(); query++) {
            String passage = passages.get(query);
            String name = by == By.ARTICLE && !articles.get(query).isEmpty() ? articles.get(query) : passage;
            // No identifier holds a line break.
            own.add(by == By.NONE || name.isEmpty() ? "\n" + query : name);
        }
        return own;
    }
}
