package io.posbias.data.dataset;

import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Relevant passages whose text, but for white space, is also that of a passage which is relevant for no query: rankings may
 * place either of them first.
 */
final class CopiedPassages {
    private final Map<Long, String> relevant = new LinkedHashMap<>();
    private final LongStream.Builder others = LongStream.builder();

    void add(Passage passage, boolean isRelevant) {
        long hash = CodePoints.hash((passage.title() + passage.text())
                .chars()
                .filter(unit -> !Character.isWhitespace(unit) && !Character.isSpaceChar(unit)));
        if (isRelevant) {
            relevant.putIfAbsent(hash, passage.id());
        } else {
            others.add(hash);
        }
    }

    /** Returns a note; empty without such passages. May be called once. */
    Optional<String> note() {
        Set<Long> copied = others.build().filter(relevant::containsKey).boxed().collect(Collectors.toSet());
        List<String> ids = relevant.entrySet().stream()
                .filter(passage -> copied.contains(passage.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        return ids.isEmpty()
                ? Optional.empty()
                : Optional.of(Plural.of(ids.size(), "relevant passage") + " with the text of another one that is not"
                        + " judged relevant (first: " + Printable.quoted(ids.getFirst())
                        + "): where that ranks higher, points are lost");
    }
}
