package io.posbias.probe.redocred;

import io.posbias.probe.NumpyPermutation;
import io.posbias.probe.Spaces;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Wrong answers without a language model: a name of the tail's type from another article, drawn by the query's own seed. Names
 * that contain, or are contained in, a true answer are skipped. They fit the sentence less well than the paper's, which GPT-4o
 * wrote.
 */
final class TypeMatchedAnswers implements WrongAnswers {
    /** {@linkplain Spaces#folded Folded} names by type and name. */
    private final Map<String, Map<String, String>> namesByType = new HashMap<>();

    private final TrueAnswers answers;

    TypeMatchedAnswers(List<RedocredDocument> documents) {
        answers = new TrueAnswers(documents);
        for (RedocredDocument document : documents) {
            for (Entity entity : document.entities()) {
                namesByType
                        .computeIfAbsent(entity.type(), unseen -> new LinkedHashMap<>())
                        .computeIfAbsent(Spaces.single(entity.longestName()), Spaces::folded);
            }
        }
    }

    @Override
    public String kind() {
        return "type-matched";
    }

    @Override
    public Optional<String> of(ProbeQuery query) {
        Set<String> own = query.document().entities().stream()
                .flatMap(entity -> entity.names().stream())
                .map(Spaces::single)
                .collect(Collectors.toSet());
        List<String> right = answers.of(query);
        List<String> wrong = namesByType.getOrDefault(query.tail().type(), Map.of()).entrySet().stream()
                .filter(name -> !own.contains(name.getKey()) && TrueAnswers.isWrong(name.getValue(), right))
                .map(Map.Entry::getKey)
                .toList();
        return NumpyPermutation.draw(wrong, 1, query.ordinal()).stream().findFirst();
    }
}
