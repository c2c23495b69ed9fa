package io.posbias.dataset.convert;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds a released sentence in a passage that was made from the same text: white space does not count, and the brackets that
 * FEVER spells out (-LRB-, -RRB-, -LSB-, -RSB-, -COLON-) are themselves.
 *
 * @param text without white space
 * @param starts the first code point of each character of {@code text} in the passage
 * @param ends the code point after its last
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record SentenceFinder(String text, int[] starts, int[] ends) {
    private static final String[][] SPELLED = {
        {"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"}, {"-COLON-", ":"}
    };

    /** A part of a passage, in code points. */
    record Place(int start, int end) {}

    /** Prepares a passage. */
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

    /** The first place of a sentence; empty where the passage does not have it, or the sentence is blank. */
    Optional<Place> find(String sentence) {
        String plain = in(sentence).text;
        int at = plain.isEmpty() ? -1 : text.indexOf(plain);
        return at < 0 ? Optional.empty() : Optional.of(new Place(starts[at], ends[at + plain.length() - 1]));
    }

    /** A name as it is compared: FEVER's pages have underscores and spelled brackets, titles do not. */
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

    /** The no-break space is no white space to Java. */
    private static boolean isSpace(String piece) {
        return Character.isSpaceChar(piece.codePointAt(0));
    }
}
