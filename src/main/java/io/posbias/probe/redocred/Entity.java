package io.posbias.probe.redocred;

import java.util.Comparator;
import java.util.List;

/**
 * An entity of a document.
 *
 * @param mentions where it is named, in file order, at least one; Re-DocRED lists some twice, and each counts
 */
record Entity(List<Mention> mentions) {
    List<String> names() {
        return mentions.stream().map(Mention::name).distinct().toList();
    }

    /** The name of most characters. The paper's notebooks leave ties to chance; here the first mentioned wins. */
    String longestName() {
        return names().stream().sorted(byLength().reversed()).findFirst().orElseThrow();
    }

    /** The name of fewest characters among those that are not the longest; the longest where there is no other. */
    String shortestOtherName() {
        String longest = longestName();
        return names().stream()
                .filter(name -> !name.equals(longest))
                .min(byLength())
                .orElse(longest);
    }

    /** Code points decide; sorting is stable, so the first mentioned of equally long names comes first. */
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
