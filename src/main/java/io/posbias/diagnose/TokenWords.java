package io.posbias.diagnose;

import io.posbias.dataset.Span;
import io.posbias.dataset.Words;
import io.posbias.inside.Reading;
import io.posbias.plot.WordMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A taken apart score by words, for people: the tokens of a word together, their numbers summed, so that the sum of all
 * stays the score. Special tokens and those of a prompt are columns and rows by themselves.
 */
public final class TokenWords {
    /**
     * A word.
     *
     * @param of the word in the text; -1 for a special token
     * @param tokens of it
     */
    private record Group(int of, String text, boolean isEvidence, List<Integer> tokens) {
        WordMap.Word word() {
            return new WordMap.Word(
                    text, of < 0 ? WordMap.Mark.SPECIAL : isEvidence ? WordMap.Mark.EVIDENCE : WordMap.Mark.PLAIN);
        }
    }

    private TokenWords() {}

    /**
     * The words of a map.
     *
     * @param title what the map is called
     * @param pairs whose languages say where words end
     */
    public static WordMap of(String title, TokenMap map, TokenPairs pairs) {
        List<Group> rows = groups(map, map.asked(), map.pair().query(), pairs.queryLanguage(), false);
        List<Group> columns = groups(map, map.read(), map.pair().document(), pairs.language(), true);
        double[][] values = new double[rows.size()][columns.size()];
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < columns.size(); column++) {
                values[row][column] = sum(map, rows.get(row), columns.get(column));
            }
        }
        return new WordMap(
                title,
                rows.stream().map(Group::word).toList(),
                columns.stream().map(Group::word).toList(),
                values);
    }

    private static double sum(TokenMap map, Group row, Group column) {
        double sum = 0;
        for (int asked : row.tokens) {
            for (int read : column.tokens) {
                sum += map.product(asked, read);
            }
        }
        return sum;
    }

    private static List<Group> groups(TokenMap map, Reading reading, String text, String language, boolean isDocument) {
        List<Span> words = Words.cut(text, language);
        List<Group> groups = new ArrayList<>();
        for (int token = 0; token < reading.tokens().size(); token++) {
            Reading.Token own = reading.tokens().get(token);
            int word = word(own.span(), words);
            boolean isEvidence = isDocument && map.isEvidence(own.span());
            Group last = groups.isEmpty() ? null : groups.getLast();
            if (last != null && word >= 0 && last.of == word) {
                last.tokens.add(token);
                groups.set(groups.size() - 1, new Group(word, last.text, last.isEvidence || isEvidence, last.tokens));
            } else {
                String label = own.span() == null ? own.piece() : label(text, own.span(), word, words);
                groups.add(new Group(word, label, isEvidence, new ArrayList<>(List.of(token))));
            }
        }
        return groups;
    }

    private static String label(String text, Span token, int word, List<Span> words) {
        Span span = words.isEmpty() ? token : words.get(word);
        return text.substring(span.start(), span.end()).strip();
    }

    /** The word in which a token begins, 0 in a text without any; -1 for a special token. */
    private static int word(@Nullable Span token, List<Span> words) {
        if (token == null) {
            return -1;
        }
        int low = 0;
        int high = words.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (words.get(middle).start() <= token.start()) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
