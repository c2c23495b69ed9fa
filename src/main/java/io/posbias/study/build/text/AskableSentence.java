package io.posbias.study.build.text;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Sentences;
import java.util.Optional;
import java.util.regex.Pattern;

/** Filter of sentences that a question can ask for: no headings, table rows, references or lists of numbers. */
public final class AskableSentence {
    private static final int LEAST_WORDS = 10;

    /** Other languages join what English writes as words of their own. */
    private static final int LEAST_ELSEWHERE = 7;

    private static final int MOST_WORDS = 45;
    private static final double LEAST_LETTERS = 0.7;

    private static final Pattern START = Pattern.compile(
            "[\\p{Lu}\\p{Lo}\\p{Lt}\\p{IsGeorgian}\\p{N}\"\u201c\u201e\u201a\u00ab\u00bb\u300c\u300e\u300a\uff08\u00bf\u00a1(].*",
            Pattern.DOTALL);
    private static final Pattern END = Pattern.compile(
            ".*(?:[" + Sentences.STOPS + "]|\u1361\u1361|[" + Sentences.UNSTOPPED
                    + "])[\"\u201c\u201d\u00ab\u00bb\u2019\u300d\u300f\u300b\uff09')\\]]*(?:\\s*\\[[\\d,\\s\u2013-]+\\])?",
            Pattern.DOTALL);

    /** Vowel signs and other marks belong to letters. */
    private static final Pattern LETTER = Pattern.compile("[\\p{L}\\p{M}]");

    /** Not the marks of Hebrew abbreviations. */
    private static final Pattern QUOTE = Pattern.compile("(?<!\\p{IsHebrew})\"|\"(?!\\p{IsHebrew})");

    /** Marks between syllables of Tibetan and words of Ethiopic, and characters that are not seen. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{javaWhitespace}\\p{Cf}\u0f0b\u1361]");

    private static final Pattern REFERENCE = Pattern.compile(
            "https?:|www\\.|\\bdoi\\b|\\d{4}\\s*;\\s*\\d|\\bpp?\\.\\s*\\d|\\bISSN\\b|\u00a9|\\bcopyright\\b|\\blicen[sc]e|"
                    + "\\bcreative commons\\b|\\S@\\S|\\bfig\\b|\\bet al\\b|[|\\t\u2022\u25cf]|_{2,}|\\.{4,}",
            Pattern.CASE_INSENSITIVE);

    /** In English, whose words have other senses in other languages. */
    private static final Pattern ENGLISH_REFERENCE = Pattern.compile(
            "\\bcorrespond(?:ence|ing author)|\\bauthors?\\b|\\bsupplementa|"
                    + "\\b(?:this|present|current|our) (?:study|paper|work|review|article)\\b|"
                    + "\\b(?:figure|figures|table|tables|section|asterisks?|error bars?)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern POINTS_BACK = Pattern.compile(
            "(?:We|Our|Another|This|These|Those|That|It|Its|They|Their|He|His|She|Her|Such|Both|Here|Thus|Hence|Therefore|Then|There|Moreover|However|"
                    + "Furthermore|Similarly|Conversely|Interestingly|Consistent|Accordingly)\\b.*",
            Pattern.DOTALL);

    private static final Pattern POINTS_BACK_INSIDE =
            Pattern.compile("\\bsuch (?!as\\b|that\\b)|\\bthe (?:former|latter)\\b", Pattern.CASE_INSENSITIVE);

    private AskableSentence() {}

    /** Reason to ask nothing about a sentence, from the first that applies. */
    public enum Refusal {
        SHORT("sentences of fewer than " + LEAST_WORDS + " words (" + LEAST_ELSEWHERE + " outside English)"),
        LONG("sentences of more than " + MOST_WORDS + " words"),
        NO_PROSE("headings, tables or lists, no whole sentences"),
        REFERENCE("references, notices or captions"),
        POINTS_BACK("sentences that point to others (It, This, Such)");

        private final String words;

        Refusal(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * Returns why a sentence is left out; empty for one that a question can ask for.
     *
     * @param words number of them
     * @param language ISO 639-1 code; empty if unknown
     */
    public static Optional<Refusal> refusal(String sentence, long words, String language) {
        String seen = UNSEEN.matcher(sentence).replaceAll("");
        long letters = LETTER.matcher(seen).results().count();
        boolean isEnglish = language.isEmpty() || language.equals("en");
        if (words < (isEnglish ? LEAST_WORDS : LEAST_ELSEWHERE)) {
            return Optional.of(Refusal.SHORT);
        } else if (words > MOST_WORDS) {
            return Optional.of(Refusal.LONG);
        } else if (letters < LEAST_LETTERS * CodePoints.count(seen)
                || !START.matcher(sentence).matches()
                || !END.matcher(sentence).matches()
                || !balanced(sentence)) {
            return Optional.of(Refusal.NO_PROSE);
        } else if (REFERENCE.matcher(sentence).find()
                || (isEnglish && ENGLISH_REFERENCE.matcher(sentence).find())) {
            return Optional.of(Refusal.REFERENCE);
        }
        boolean pointsBack = POINTS_BACK.matcher(sentence).matches()
                || POINTS_BACK_INSIDE.matcher(sentence).find();
        return isEnglish && pointsBack ? Optional.of(Refusal.POINTS_BACK) : Optional.empty();
    }

    private static boolean balanced(String text) {
        return text.chars().filter(unit -> unit == '(').count()
                        == text.chars().filter(unit -> unit == ')').count()
                && text.chars().filter(unit -> unit == '[').count()
                        == text.chars().filter(unit -> unit == ']').count()
                && QUOTE.matcher(text).results().count() % 2 == 0;
    }
}
