package io.posbias.probe.redocred;

import io.posbias.probe.Spaces;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** True answers of queries in any article, to recognise wrong answers. */
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

    /** Head, tail and all answers to the same question in any article, {@linkplain Spaces#folded folded}. */
    List<String> of(ProbeQuery query) {
        Set<String> right = new LinkedHashSet<>(query.head().names());
        right.addAll(query.tail().names());
        query.head()
                .names()
                .forEach(head -> right.addAll(answers.getOrDefault(List.of(head, query.relation()), Set.of())));
        return right.stream().map(Spaces::folded).toList();
    }

    /** Returns true if a folded name neither contains nor is contained in a true answer ("1945" in "May 1945"). */
    static boolean isWrong(String name, List<String> right) {
        return right.stream().noneMatch(answer -> name.contains(answer) || answer.contains(name));
    }
}
