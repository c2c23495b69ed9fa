package io.posbias.dataset.convert;

import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Passage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The distinct passages of a benchmark published as rows, numbered as the SQuAD-PosQ paper's code does: sorted by code
 * points, {@code d00000} first. So identifiers do not depend on the order of the rows.
 */
final class DistinctTexts {
    private static final int LEAST_DIGITS = 5;

    private final Set<String> texts = new HashSet<>();

    void add(String text) {
        texts.add(text);
    }

    /** Text to identifier, in the order of identifiers. */
    List<Passage> numbered() {
        List<String> sorted = new ArrayList<>(texts);
        sorted.sort(CodePoints.ORDER);
        int digits = Math.max(LEAST_DIGITS, String.valueOf(sorted.size() - 1).length());
        List<Passage> passages = new ArrayList<>(sorted.size());
        for (String text : sorted) {
            passages.add(new Passage("d" + padded(passages.size(), digits), "", text));
        }
        return passages;
    }

    static Map<String, String> idByText(List<Passage> passages) {
        Map<String, String> ids = HashMap.newHashMap(passages.size());
        passages.forEach(passage -> ids.put(passage.text(), passage.id()));
        return ids;
    }

    static String padded(int number, int digits) {
        String plain = String.valueOf(number);
        return "0".repeat(Math.max(0, digits - plain.length())) + plain;
    }
}
