package io.posbias.study.build.text;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks documents for emptiness, control characters, markup and duplicates, independent of length. */
public final class RawChecks {
    private static final int MOST_TAGS = 3;

    private static final Pattern TAG = Pattern.compile("</?[A-Za-z][A-Za-z0-9]*(?:\\s[^<>]*)?/?>");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final int NEXT_LINE = 0x85;

    private final boolean dropMarkup;
    private final Set<Long> texts = new HashSet<>();

    public RawChecks(boolean dropMarkup) {
        this.dropMarkup = dropMarkup;
    }

    /** Returns the reason to refuse a document; empty if it passes. The first of several duplicates passes. */
    public Optional<String> refuse(String text) {
        if (text.isBlank()) {
            return Optional.of("empty");
        }
        if (text.codePoints().anyMatch(RawChecks::isControl)) {
            return Optional.of("control characters");
        }
        if (dropMarkup && TAG.matcher(text).results().limit(MOST_TAGS + 1).count() > MOST_TAGS) {
            return Optional.of("markup");
        }
        return texts.add(Draw.priority(0, SPACE.matcher(text.strip()).replaceAll(" ")))
                ? Optional.empty()
                : Optional.of("duplicate");
    }

    private static boolean isControl(int point) {
        return Character.isISOControl(point) && !Character.isWhitespace(point) && point != NEXT_LINE;
    }
}
