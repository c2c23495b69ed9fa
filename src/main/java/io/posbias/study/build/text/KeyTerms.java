package io.posbias.study.build.text;

import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Span;
import io.posbias.model.retrieve.text.UnspacedWords;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Key terms of sentences by tf-idf over all documents: {@code (1 + ln tf) ln((N + 1) / df)}, with tf within the
 * document, times a burstiness factor {@code cf / df - 0.8} clipped to [0.2, 1], where cf is the collection
 * frequency (Church and Gale 1995: content words repeat within a document). Frequencies are in hash tables of fixed
 * size; words with equal hash share a count.
 */
public final class KeyTerms {
    /** Words, also with the invisible joiners of Persian and Indic scripts. */
    private static final Pattern WORD = Pattern.compile(
            "[\\p{L}\\p{N}\\p{M}]+(?:(?:[-'\u2019\u200c\u200d]|(?<=\\p{N})\\.(?=\\p{N}))[\\p{L}\\p{N}\\p{M}]+)*");

    private static final int PLACES = 1 << 20;

    private static final double MOST_SHARE = 0.1;

    private static final int LEAST_DOCUMENTS = 3;

    private static final int SHORTEST = 4;
    private static final int SHORTEST_NAME = 2;
    private static final double BURST_OFFSET = 0.8;
    private static final int STEM = 5;
    private static final double NAME_BONUS = 1.3;

    /** Scripts in which a character is a syllable or a word. */
    private static final Set<UnicodeScript> SYLLABIC = Set.of(
            UnicodeScript.HAN,
            UnicodeScript.HANGUL,
            UnicodeScript.ETHIOPIC,
            UnicodeScript.THAI,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR,
            UnicodeScript.TIBETAN);

    private final int[] frequencies = new int[PLACES];
    private final int[] occurrences = new int[PLACES];
    private final int documents;
    private final int shortest;
    private final Function<String, List<Span>> words;

    /**
     * A key term in a sentence, in UTF-16 units.
     *
     * @param weight above 0
     */
    public record Term(String word, int start, int end, double weight) {}

    /**
     * Counts the words of documents.
     *
     * @param language ISO 639-1 code
     * @param unspaced words of a language without spaces
     */
    public KeyTerms(Passages documents, String language, Optional<UnspacedWords> unspaced) {
        this.words = unspaced.map(UnspacedWords::cut).orElse(KeyTerms::spaced);
        this.shortest = Language.scripts(language).stream().anyMatch(SYLLABIC::contains) ? SHORTEST_NAME : SHORTEST;
        int[] last = new int[PLACES];
        documents.inFileOrder((ordinal, passage) -> words(passage.text())
                .mapToInt(KeyTerms::place)
                .forEach(place -> {
                    occurrences[place]++;
                    if (last[place] != ordinal + 1) {
                        last[place] = ordinal + 1;
                        frequencies[place]++;
                    }
                }));
        this.documents = documents.size();
    }

    private static int place(String word) {
        int hash = word.toLowerCase(Locale.ROOT).hashCode();
        return (hash ^ hash >>> 12) & (PLACES - 1);
    }

    private static List<Span> spaced(String text) {
        return WORD.matcher(text)
                .results()
                .map(word -> new Span(word.start(), word.end()))
                .toList();
    }

    /** Returns the words of a text, in order. */
    public Stream<String> words(String text) {
        return words.apply(text).stream().map(word -> word.of(text));
    }

    /** Counts the lower-cased words of a text. */
    public Map<String, Integer> counts(String text) {
        Map<String, Integer> counts = new HashMap<>();
        words(text).forEach(word -> counts.merge(word.toLowerCase(Locale.ROOT), 1, Integer::sum));
        return counts;
    }

    /**
     * Returns the key terms of a sentence, one per stem, in order.
     *
     * @param counts of its document
     * @param withCommon true to admit words of many documents
     */
    public List<Term> of(String sentence, Map<String, Integer> counts, boolean withCommon) {
        Map<String, Term> terms = new LinkedHashMap<>();
        for (Span found : words.apply(sentence)) {
            String word = found.of(sentence);
            double weight = weight(word, found.start() > 0, counts, withCommon);
            if (weight > 0) {
                terms.putIfAbsent(stem(word), new Term(word, found.start(), found.end(), weight));
            }
        }
        return new ArrayList<>(terms.values());
    }

    private static String stem(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return lower.substring(0, Math.min(lower.length(), Math.max(STEM, lower.length() - 2)));
    }

    private double weight(String word, boolean inside, Map<String, Integer> counts, boolean withCommon) {
        boolean letters = word.codePoints().anyMatch(Character::isLetter);
        boolean name = letters
                && (word.codePoints().anyMatch(Character::isDigit)
                        || (inside && Character.isUpperCase(word.codePointAt(0))));
        int place = place(word);
        double frequency = Math.max(1, frequencies[place]);
        boolean common = !withCommon && frequency > Math.max(LEAST_DOCUMENTS, MOST_SHARE * documents);
        if (!letters || common || word.length() < (name ? SHORTEST_NAME : shortest)) {
            return 0;
        }
        int count = counts.getOrDefault(word.toLowerCase(Locale.ROOT), 1);
        double burst = Math.clamp(occurrences[place] / frequency - BURST_OFFSET, 1 - BURST_OFFSET, 1);
        double weight = (1 + Math.log(count)) * Math.log((documents + 1.0) / frequency) * burst;
        return name ? NAME_BONUS * weight : weight;
    }

    /** Returns the n heaviest terms in sentence order; ties go to the first. */
    public static List<Term> heaviest(List<Term> terms, int n) {
        Term[] sorted = terms.toArray(Term[]::new);
        Arrays.sort(sorted, Comparator.comparingDouble(Term::weight).reversed());
        return Arrays.stream(sorted)
                .limit(n)
                .sorted(Comparator.comparingInt(Term::start))
                .toList();
    }
}
