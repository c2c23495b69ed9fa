package io.posbias.study.probe.rag;

import io.posbias.base.table.Meaning;
import io.posbias.data.dataset.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/**
 * A reply compared with true answers by the rules of SQuAD's evaluation script (Rajpurkar et al. 2016, 2018): lower case, without
 * ASCII punctuation, without the articles a, an and the, split at white space; the best of the true answers counts.
 *
 * @param exact true if the words of both are equal
 * @param holds true if the reply's words hold the words of a true answer side by side
 * @param f1 harmonic mean of the shares of equal words, from 0 to 1; of texts without words 1 if both are
 */
public record AnswerMatch(
        @Meaning("the reply equals a true answer by SQuAD's rules")
        boolean exact,

        @Meaning("the reply's words hold those of a true answer side by side")
        boolean holds,

        @Meaning("SQuAD's F1 of the words, the best of the true answers")
        double f1) {
    private static final Pattern ASCII_PUNCTUATION = Pattern.compile("\\p{Punct}");
    private static final Pattern PUNCTUATION = Pattern.compile("[\\p{Punct}\\p{IsPunctuation}]");
    private static final Pattern ARTICLES = Pattern.compile("\\b(a|an|the)\\b", Pattern.UNICODE_CHARACTER_CLASS);
    private static final Pattern SPACE = Pattern.compile("\\s+", Pattern.UNICODE_CHARACTER_CLASS);

    /** SQuAD's rules are for this language. */
    static final String ENGLISH = "en";

    /**
     * Compares a reply.
     *
     * @param language ISO 639-1. For other languages than English articles stay, all punctuation is removed, and a Chinese or
     *     Japanese character is a word
     */
    static AnswerMatch of(String reply, List<String> answers, String language) {
        List<String> words = words(reply, language);
        List<List<String>> wanted =
                answers.stream().map(answer -> words(answer, language)).toList();
        ToDoubleFunction<List<String>> f1 = answer -> f1(words, answer);
        return new AnswerMatch(
                wanted.contains(words),
                wanted.stream().anyMatch(answer -> !answer.isEmpty() && Collections.indexOfSubList(words, answer) >= 0),
                wanted.stream().mapToDouble(f1).max().orElse(0));
    }

    static List<String> words(String text, String language) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (language.isEmpty() || language.equals(ENGLISH)) {
            String bare = ASCII_PUNCTUATION.matcher(lower).replaceAll("");
            return split(ARTICLES.matcher(bare).replaceAll(" "));
        }
        String bare = PUNCTUATION.matcher(lower).replaceAll("");
        return Words.cut(bare, language).stream()
                .flatMap(word -> split(word.of(bare)).stream())
                .toList();
    }

    private static List<String> split(String text) {
        return Arrays.stream(SPACE.split(text)).filter(word -> !word.isEmpty()).toList();
    }

    private static double f1(List<String> reply, List<String> answer) {
        if (reply.isEmpty() || answer.isEmpty()) {
            return reply.equals(answer) ? 1 : 0;
        }
        List<String> left = new ArrayList<>(answer);
        int same = (int) reply.stream().filter(left::remove).count();
        double precision = (double) same / reply.size();
        double recall = (double) same / answer.size();
        return same == 0 ? 0 : 2 * precision * recall / (precision + recall);
    }
}
