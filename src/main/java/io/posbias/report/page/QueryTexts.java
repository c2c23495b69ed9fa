package io.posbias.report.page;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.report.query.Excerpt;
import io.posbias.report.query.Holder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The texts behind a query, shortened.
 *
 * @param text the question
 * @param gold its relevant passages, at most {@value #PASSAGES}
 * @param more how many relevant passages were left out
 */
public record QueryTexts(Excerpt text, List<Gold> gold, int more) {
    /** The longest excerpt of a passage, in UTF-16 units: most of SQuAD's stay whole, five benchmarks below 1 MB. */
    private static final int PASSAGE = 1500;

    private static final int QUERY = 500;
    private static final int TITLE = 200;
    private static final int PASSAGES = 3;

    /** Copies the passages. */
    public QueryTexts {
        gold = List.copyOf(gold);
    }

    /**
     * A relevant passage.
     *
     * @param id its identifier
     * @param title its title, shortened; empty when it has none
     * @param text what of it is shown
     */
    record Gold(String id, Excerpt title, Excerpt text) {}

    /** Adds their texts to queries. The corpus is read once. */
    static List<SampledQuery> added(Dataset dataset, List<SampledQuery> sample) {
        Set<String> wanted = sample.stream().map(SampledQuery::id).collect(Collectors.toSet());
        List<Query> queries = dataset.queries().stream()
                .filter(query -> wanted.contains(query.id()))
                .toList();
        Map<Integer, Passage> passages = passages(dataset, queries);
        Map<String, QueryTexts> texts = new LinkedHashMap<>();
        queries.forEach(query -> texts.put(query.id(), of(query, relevant(dataset, query), passages)));
        return sample.stream().map(query -> query.with(texts.get(query.id()))).toList();
    }

    private static int[] relevant(Dataset dataset, Query query) {
        Judgments judgments = dataset.qrels().of(query.id());
        return judgments == null ? new int[0] : judgments.relevantPassages();
    }

    private static Map<Integer, Passage> passages(Dataset dataset, List<Query> queries) {
        Set<Integer> wanted = new HashSet<>();
        queries.forEach(query -> Arrays.stream(relevant(dataset, query)).forEach(wanted::add));
        Map<Integer, Passage> passages = HashMap.newHashMap(wanted.size());
        dataset.passages().forEach((ordinal, passage) -> {
            if (wanted.contains(ordinal)) {
                passages.put(ordinal, passage);
            }
        });
        return passages;
    }

    private static QueryTexts of(Query query, int[] relevant, Map<Integer, Passage> passages) {
        List<Passage> all = Arrays.stream(relevant)
                .mapToObj(ordinal -> Objects.requireNonNull(passages.get(ordinal)))
                .collect(Collectors.toCollection(ArrayList::new));
        Passage holder = Holder.of(query.evidence(), all);
        if (holder != null) {
            all.remove(holder);
            all.addFirst(holder);
        }
        List<Gold> gold = all.stream()
                .limit(PASSAGES)
                .map(passage -> gold(passage, passage.equals(holder) ? span(query) : null))
                .toList();
        return new QueryTexts(Excerpt.of(query.text(), null, QUERY), gold, all.size() - gold.size());
    }

    private static Gold gold(Passage passage, @Nullable Span evidence) {
        return new Gold(
                passage.id(), Excerpt.of(passage.title(), null, TITLE), Excerpt.of(passage.text(), evidence, PASSAGE));
    }

    private static @Nullable Span span(Query query) {
        return query.evidence() == null ? null : query.evidence().span();
    }
}
