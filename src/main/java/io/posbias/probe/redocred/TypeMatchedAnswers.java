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
 * Wrong answers without a language model: a name of the tail's type that the query's article does not have, drawn by the
 * query's own seed. Names that hold, or are held by, a true answer of any article are passed over ("1945" for "May
 * 1945"). Such poison fits its sentence less well than the paper's, which GPT-4o wrote.
 */
final class TypeMatchedAnswers implements WrongAnswers {
    /** Of each type the names, each with its {@linkplain Spaces#folded folded} form. */
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
