package io.posbias.data.convert;

import io.posbias.data.dataset.Span;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds a released sentence in a passage of the same text, ignoring white space; FEVER's -LRB-, -RRB-, -LSB-, -RSB-
 * and -COLON- match their characters.
 *
 * @param text without white space
 * @param starts first code point in the passage of each character of {@code text}
 * @param ends exclusive code points
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record SentenceFinder(String text, int[] starts, int[] ends) {
    private static final String[][] SPELLED = {
        {"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"}, {"-COLON-", ":"}
    };

    static SentenceFinder in(String passage) {
        StringBuilder plain = new StringBuilder(passage.length());
        int[] starts = new int[passage.length()];
        int[] ends = new int[passage.length()];
        int point = 0;
        for (int at = 0; at < passage.length(); ) {
            String[] spelled = spelled(passage, at);
            int units = spelled == null ? Character.charCount(passage.codePointAt(at)) : spelled[0].length();
            int points = spelled == null ? 1 : units;
            String piece = spelled == null ? passage.substring(at, at + units) : spelled[1];
            if (!piece.isBlank() && !isSpace(piece)) {
                for (int unit = 0; unit < piece.length(); unit++) {
                    starts[plain.length()] = point;
                    ends[plain.length()] = point + points;
                    plain.append(piece.charAt(unit));
                }
            }
            point += points;
            at += units;
        }
        return new SentenceFinder(plain.toString(), starts, ends);
    }

    /** Returns the first place of a sentence in code points of the passage; empty if absent or blank. */
    Optional<Span> find(String sentence) {
        String plain = in(sentence).text;
        int at = plain.isEmpty() ? -1 : text.indexOf(plain);
        return at < 0 ? Optional.empty() : Optional.of(new Span(starts[at], ends[at + plain.length() - 1]));
    }

    /** Normalizes a name: FEVER's pages use underscores and spelled-out brackets, titles do not. */
    static String name(String name) {
        return in(name.replace('_', ' ')).text;
    }

    private static String @Nullable [] spelled(String passage, int at) {
        if (passage.charAt(at) != '-') {
            return null;
        }
        for (String[] pair : SPELLED) {
            if (passage.startsWith(pair[0], at)) {
                return pair;
            }
        }
        return null;
    }

    private static boolean isSpace(String piece) {
        return Character.isSpaceChar(piece.codePointAt(0));
    }
}
