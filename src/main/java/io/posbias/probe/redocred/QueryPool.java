package io.posbias.probe.redocred;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queries that all probes choose from: one for each label that has evidence and a question.
 *
 * @param documents all articles, in walk order; their titles differ
 * @param selection the queries in walk order, and how many there were at each step
 */
record QueryPool(List<RedocredDocument> documents, Selection selection) {
    /** Relations near many-to-many that the authors pass over: "contains administrative entity" and "participant". */
    private static final Set<String> SKIPPED = Set.of("P150", "P710");

    QueryPool {
        documents = List.copyOf(documents);
    }

    /**
     * Walks over the labels of all documents, in order.
     *
     * @param keepDuplicates whether queries stay that another article answers as well
     */
    static QueryPool of(List<RedocredDocument> documents, QuestionTemplates templates, boolean keepDuplicates) {
        Selection selection = Selection.of("relations", walk(documents, templates.questions()));
        if (!keepDuplicates) {
            Duplicates duplicates = new Duplicates(selection.queries());
            selection = selection.keep("in no other article", query -> !duplicates.contains(query));
        }
        return new QueryPool(
                documents,
                selection
                        .keep(
                                "with evidence",
                                query -> !query.label().evidence().isEmpty())
                        .keep("with a question", query -> !query.template().isEmpty()));
    }

    List<ProbeQuery> queries() {
        return selection.queries();
    }

    /** All queries, for a probe to choose from. */
    Selection candidates() {
        return Selection.of("queries", queries());
    }

    private static List<ProbeQuery> walk(List<RedocredDocument> documents, Map<String, String> questions) {
        Map<String, Integer> numbers = new HashMap<>();
        List<ProbeQuery> walk = new ArrayList<>();
        for (RedocredDocument document : documents) {
            for (Label label : document.labels()) {
                if (SKIPPED.contains(label.relation())) {
                    continue;
                }
                int number = numbers.merge(document.split(), 1, Integer::sum) - 1;
                walk.add(new ProbeQuery(
                        walk.size(),
                        document.split() + number,
                        document,
                        label,
                        questions.getOrDefault(label.relation(), "")));
            }
        }
        return walk;
    }
}
