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
    static final Set<String> SKIPPED = Set.of("P150", "P710");

    /**
     * Walks over the labels of all documents, in order.
     *
     * @param keepDuplicates whether queries stay that another article answers as well
     */
    static QueryPool of(List<RedocredDocument> documents, QuestionTemplates templates, boolean keepDuplicates) {
        return of(documents, templates, keepDuplicates, RedocredCorpus.NONE);
    }

    /**
     * The same, looking for duplicates in more articles.
     *
     * @param corpus those that ask nothing themselves
     */
    static QueryPool of(
            List<RedocredDocument> documents,
            QuestionTemplates templates,
            boolean keepDuplicates,
            RedocredCorpus corpus) {
        Selection selection = Selection.of("relations", walk(documents, templates.questions()));
        if (!keepDuplicates) {
            Duplicates duplicates = new Duplicates(selection.queries(), corpus);
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

    Selection candidates() {
        return Selection.of("queries", queries());
    }

    /** Queries with evidence for a probe to build on: one sentence that mentions head and tail. */
    Selection evident() {
        return candidates().keep("one evidence sentence with head and tail", ProbeQuery::evidenceMentionsBoth);
    }

    /** Queries whose head and tail are in the evidence alone: moving or leaving out the rest takes nothing from the answer. */
    Selection restFree() {
        return evident()
                .keep(
                        "one relation, rest free of head and tail",
                        query -> query.singleRelation() && query.restIsFree());
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
