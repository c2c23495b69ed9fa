package io.posbias.study.build.text;

import io.posbias.data.dataset.Sentences;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The core of a sentence with one key term replaced by {@value #GAP}. */
public record ClozeQuestion(String question, String answer) {
    public static final String GAP = "____";

    private static final int LEAST_WORDS = 8;
    private static final int MOST_WORDS = 20;

    private static final Pattern BRACKETS = Pattern.compile("\\s*(?:\\([^()]*\\)|\\[[^\\[\\]]*\\])");
    private static final Pattern LABEL = Pattern.compile("^(?:\\p{Lu}[\\p{L} ]{0,25}:\\s+)+");

    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern CLAUSE = Pattern.compile("[,;:\u2014]\\s+");
    private static final Pattern LAST_STOP = Pattern.compile(
            "[" + Sentences.STOPS + "\u1361,;:\"\u201c\u201d\u00ab\u00bb\u2019\u300d\u300f\u300b\uff09')]+$");

    /** Removes the heaviest term that occurs once and leaves a question of 8 to 20 words; empty if there is none. */
    public static Optional<ClozeQuestion> of(String sentence, List<KeyTerms.Term> terms) {
        String core = SPACE.matcher(BRACKETS.matcher(sentence).replaceAll("")).replaceAll(" ");
        String clean = LABEL.matcher(
                        LAST_STOP.matcher(core.strip()).replaceAll("").strip())
                .replaceAll("");
        return terms.stream()
                .sorted(Comparator.comparingDouble(KeyTerms.Term::weight).reversed())
                .flatMap(term -> without(clean, term.word()).stream())
                .findFirst();
    }

    private static Optional<ClozeQuestion> without(String core, String word) {
        Pattern whole = Pattern.compile(
                "(?<![\\p{L}\\p{N}\\p{M}-])" + Pattern.quote(word) + "(?![\\p{L}\\p{N}\\p{M}-])",
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        Matcher found = whole.matcher(core);
        if (!found.find()) {
            return Optional.empty();
        }
        int from = found.start();
        if (found.find()) {
            return Optional.empty();
        }
        String gapped = core.substring(0, from) + GAP + core.substring(from + word.length());
        String question = words(gapped) > MOST_WORDS ? clause(gapped, from) : gapped;
        long words = words(question);
        return words < LEAST_WORDS || words > MOST_WORDS
                ? Optional.empty()
                : Optional.of(new ClozeQuestion(question, word));
    }

    private static String clause(String text, int gap) {
        Matcher border = CLAUSE.matcher(text);
        while (border.find()) {
            if (border.start() > gap && words(text.substring(0, border.start())) >= LEAST_WORDS) {
                return text.substring(0, border.start());
            }
        }
        return text;
    }

    private static long words(String text) {
        return SPACE.splitAsStream(text).count();
    }
}
