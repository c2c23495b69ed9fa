package io.posbias.probe.redocred;

import io.posbias.probe.Spaces;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What answers a query in any article, so that a wrong answer can be told from a right one. */
final class TrueAnswers {
    private final Map<List<String>, Set<String>> answers = new HashMap<>();

    TrueAnswers(List<RedocredDocument> documents) {
        for (RedocredDocument document : documents) {
            document.labels().forEach(label -> note(document, label));
        }
    }

    private void note(RedocredDocument document, Label label) {
        for (String head : document.entities().get(label.head()).names()) {
            answers.computeIfAbsent(List.of(head, label.relation()), unseen -> new LinkedHashSet<>())
                    .addAll(document.entities().get(label.tail()).names());
        }
    }

    /** Head and tail, and whatever answers the same question in any article; {@linkplain Spaces#folded folded}. */
    List<String> of(ProbeQuery query) {
        Set<String> right = new LinkedHashSet<>(query.head().names());
        right.addAll(query.tail().names());
        query.head()
                .names()
                .forEach(head -> right.addAll(answers.getOrDefault(List.of(head, query.relation()), Set.of())));
        return right.stream().map(Spaces::folded).toList();
    }

    /** Whether a folded name neither holds nor is held by one of the right ones ("1945" for "May 1945"). */
    static boolean isWrong(String name, List<String> right) {
        return right.stream().noneMatch(answer -> name.contains(answer) || answer.contains(name));
    }
}
