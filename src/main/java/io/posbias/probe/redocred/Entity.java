package io.posbias.probe.redocred;

import java.util.Comparator;
import java.util.List;

/**
 * An entity of a document.
 *
 * @param mentions at least one, in file order; Re-DocRED lists some twice, and each counts
 */
record Entity(List<Mention> mentions) {
    List<String> names() {
        return mentions.stream().map(Mention::name).distinct().toList();
    }

    /** The longest name, the first mentioned of equals. The paper's notebooks break ties at random. */
    String longestName() {
        return names().stream().sorted(byLength().reversed()).findFirst().orElseThrow();
    }

    /** The shortest name other than the longest; the longest if it is the only one. */
    String shortestOtherName() {
        String longest = longestName();
        return names().stream()
                .filter(name -> !name.equals(longest))
                .min(byLength())
                .orElse(longest);
    }

    /** By code points. */
    private static Comparator<String> byLength() {
        return Comparator.comparingInt(name -> name.codePointCount(0, name.length()));
    }

    /** The type of the first mention; a few entities mix types. */
    String type() {
        return mentions.getFirst().type();
    }

    boolean isMentionedIn(int sentence) {
        return mentionsIn(sentence) > 0;
    }

    int mentionsIn(int sentence) {
        return (int) mentions.stream()
                .filter(mention -> mention.sentence() == sentence)
                .count();
    }

    int firstSentence() {
        return mentions.stream().mapToInt(Mention::sentence).min().orElseThrow();
    }
}
