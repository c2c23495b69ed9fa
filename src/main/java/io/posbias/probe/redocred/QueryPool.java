package io.posbias.probe.redocred;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pool of all probes: one query per label with evidence and a question.
 *
 * @param documents with distinct titles
 * @param selection queries with the numbers after each filter
 */
record QueryPool(List<RedocredDocument> documents, Selection selection) {
    /** Relations near many-to-many that the authors skip: "contains administrative entity" and "participant". */
    static final Set<String> SKIPPED = Set.of("P150", "P710");

    /** Collects the queries of all documents, in order. */
    static QueryPool of(List<RedocredDocument> documents, QuestionTemplates templates, boolean keepDuplicates) {
        return of(documents, templates, keepDuplicates, RedocredCorpus.NONE);
    }

    /** Collects the queries, searching duplicates in a corpus as well. */
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

    /** Queries with one evidence sentence that mentions head and tail. */
    Selection evident() {
        return candidates().keep("one evidence sentence with head and tail", ProbeQuery::evidenceMentionsBoth);
    }

    /** Queries whose head and tail occur in the evidence alone: moving or dropping the rest keeps the answer. */
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
