package io.posbias.data.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import opennlp.tools.langdetect.LanguageDetectorME;
import opennlp.tools.langdetect.LanguageDetectorModel;

/**
 * Language of texts by Apache OpenNLP's detector of 103 languages (docs/adr/0043-language-detection.md). The confidence of a piece
 * of about {@value #PIECE} characters is the language's probability over its sum with that of the most
 * probable other one: all probabilities are small in repetitive texts. It is averaged over pieces, so that texts in two languages are not sure of either.
 *
 * @param code ISO 639-1 code; empty with too few letters, or for a language without a code
 * @param confidence in [0, 1]
 */
public record LanguageGuess(String code, double confidence) {
    /** Least confidence of a language that is used. */
    public static final double LEAST = 0.9;

    /** Texts of a sample. */
    public static final int TEXTS = 200;

    private static final String MODEL = "/langdetect-183.bin";
    private static final int PIECE = 1_000;
    private static final int PIECES = 20;
    private static final int LEAST_LETTERS = 200;

    /** Codes of the model that Java's languages lack. */
    private static final Map<String, String> CODES = Map.of(
            "cmn", "zh", "nob", "no", "nno", "no", "ekk", "et", "lvs", "lv", "pes", "fa", "plt", "mg", "pnb", "pa");

    /** Most spoken languages of scripts whose languages the model lacks. */
    private static final Map<UnicodeScript, String> BY_SCRIPT = Map.of(
            UnicodeScript.ETHIOPIC, "am",
            UnicodeScript.KHMER, "km",
            UnicodeScript.LAO, "lo",
            UnicodeScript.MYANMAR, "my",
            UnicodeScript.ORIYA, "or",
            UnicodeScript.TIBETAN, "bo");

    private static final class Shipped {
        private static final LanguageDetectorModel MODEL = read();

        private static LanguageDetectorModel read() {
            try (InputStream in = LanguageGuess.class.getResourceAsStream(LanguageGuess.MODEL)) {
                if (in == null) {
                    throw new IllegalStateException("no " + LanguageGuess.MODEL + " on the class path");
                }
                return new LanguageDetectorModel(in);
            } catch (IOException broken) {
                throw new IllegalStateException(LanguageGuess.MODEL, broken);
            }
        }
    }

    /** Guesses the language of the first {@value #TEXTS} texts. */
    public static LanguageGuess of(List<String> texts) {
        List<String> pieces = pieces(texts);
        long letters = pieces.stream()
                .flatMapToInt(String::codePoints)
                .filter(Character::isLetter)
                .limit(LEAST_LETTERS)
                .count();
        if (letters < LEAST_LETTERS) {
            return new LanguageGuess("", 0);
        }
        LanguageGuess byScript = byScript(pieces);
        if (byScript.isSure()) {
            return byScript;
        }
        LanguageDetectorME detector = new LanguageDetectorME(Shipped.MODEL);
        Map<String, String> codes = iso();
        List<Map<String, Double>> found = pieces.stream()
                .map(piece -> probabilities(detector, piece, codes))
                .toList();
        Map<String, Double> sums = new TreeMap<>();
        found.forEach(each -> each.forEach((code, probability) -> sums.merge(code, probability, Double::sum)));
        String best = sums.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
        double confidence = found.stream()
                .mapToDouble(each -> againstNext(each, best))
                .average()
                .orElse(0);
        return best.length() == 2 ? new LanguageGuess(best, confidence) : new LanguageGuess("", 0);
    }

    /** Returns the most frequent of {@link #BY_SCRIPT} with its share of the letters. */
    private static LanguageGuess byScript(List<String> pieces) {
        Map<String, Long> counts = pieces.stream()
                .flatMapToInt(String::codePoints)
                .filter(Character::isLetter)
                .mapToObj(letter -> BY_SCRIPT.getOrDefault(UnicodeScript.of(letter), ""))
                .collect(Collectors.groupingBy(code -> code, Collectors.counting()));
        double all = counts.values().stream().mapToLong(Long::longValue).sum();
        return BY_SCRIPT.values().stream()
                .map(code -> new LanguageGuess(code, counts.getOrDefault(code, 0L) / all))
                .max(Comparator.comparingDouble(LanguageGuess::confidence))
                .orElseThrow();
    }

    /** Returns the probabilities by ISO 639-1 code; languages without one keep their code of three letters. */
    private static Map<String, Double> probabilities(
            LanguageDetectorME detector, String piece, Map<String, String> codes) {
        Map<String, Double> sums = new TreeMap<>();
        for (var language : detector.predictLanguages(piece)) {
            sums.merge(
                    codes.getOrDefault(language.getLang(), language.getLang()), language.getConfidence(), Double::sum);
        }
        return sums;
    }

    private static double againstNext(Map<String, Double> probabilities, String code) {
        double own = probabilities.getOrDefault(code, 0.0);
        double next = probabilities.entrySet().stream()
                .filter(other -> !other.getKey().equals(code))
                .mapToDouble(Map.Entry::getValue)
                .max()
                .orElse(0);
        return own == 0 ? 0 : own / (own + next);
    }

    private static Map<String, String> iso() {
        Map<String, String> codes = new TreeMap<>(CODES);
        for (String code : Locale.getISOLanguages()) {
            codes.putIfAbsent(Locale.of(code).getISO3Language(), code);
        }
        return codes;
    }

    private static List<String> pieces(List<String> texts) {
        List<String> pieces = new ArrayList<>();
        StringBuilder piece = new StringBuilder();
        for (String text : texts.subList(0, Math.min(TEXTS, texts.size()))) {
            piece.append(text, 0, Math.min(PIECE, text.length())).append('\n');
            if (piece.length() >= PIECE) {
                pieces.add(piece.toString());
                piece.setLength(0);
            }
        }
        // A short rest is not as sure as the others.
        if (pieces.isEmpty()) {
            pieces.add(piece.toString());
        }
        return pieces.subList(0, Math.min(PIECES, pieces.size()));
    }

    /** True for a language that can be used without asking. */
    public boolean isSure() {
        return !code.isEmpty() && confidence >= LEAST;
    }

    /** Returns what was detected, or the request for a language. */
    public String note() {
        return isSure()
                ? "the language is " + this + ", detected; --language gives another"
                : "the language is not clear (" + this + "): give --language";
    }

    /** Returns the language with its confidence: {@code German (de), confidence 0.98}. */
    @Override
    public String toString() {
        return code.isEmpty()
                ? "unknown"
                : String.format(
                        Locale.ROOT,
                        "%s (%s), confidence %.2f",
                        Language.name(code),
                        code,
                        Math.floor(100 * confidence) / 100);
    }
}
