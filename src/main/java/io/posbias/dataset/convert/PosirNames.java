package io.posbias.dataset.convert;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PosIR's words for languages: its folders, such as {@code fra-Latn}, and what they mean. */
public final class PosirNames {
    private static final Map<String, String> ISO_639_1 = new TreeMap<>(Map.ofEntries(
            Map.entry("ara-Arab", "ar"),
            Map.entry("ben-Beng", "bn"),
            Map.entry("cmn-Hans", "zh"),
            Map.entry("deu-Latn", "de"),
            Map.entry("eng-Latn", "en"),
            Map.entry("fra-Latn", "fr"),
            Map.entry("hin-Deva", "hi"),
            Map.entry("ita-Latn", "it"),
            Map.entry("jpn-Jpan", "ja"),
            Map.entry("kor-Kore", "ko"),
            Map.entry("pol-Latn", "pl"),
            Map.entry("por-Latn", "pt"),
            Map.entry("rus-Cyrl", "ru"),
            Map.entry("spa-Latn", "es")));

    private static final Pattern LANGUAGE =
            Pattern.compile("posir/([a-z]{3}-[A-Z][a-z]{3})(-[a-z]{3}-[A-Z][a-z]{3})?(/.*)?");

    private PosirNames() {}

    /**
     * The two-letter code of a language.
     *
     * @param language a folder such as {@code fra-Latn}
     * @return for example {@code fr}; empty for a language PosIR does not name
     */
    public static String iso639(String language) {
        return ISO_639_1.getOrDefault(language, "");
    }

    /** The language of a two-letter code, {@code fra-Latn} for {@code fr}, as MTEB writes it too. */
    public static Optional<String> ofIso639(String code) {
        return ISO_639_1.entrySet().stream()
                .filter(entry -> entry.getValue().equals(code))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * The folder of a language by its three letters, as PosIR's results name it.
     *
     * @param letters for example {@code fra}
     * @return for example {@code fra-Latn}; the letters themselves for a language PosIR does not name
     */
    public static String folder(String letters) {
        return ISO_639_1.keySet().stream()
                .filter(folder -> folder.startsWith(letters + "-"))
                .findFirst()
                .orElse(letters);
    }

    /**
     * Whether a benchmark's name is one of PosIR's for queries of one language on passages of another, such as
     * {@code posir/fra-Latn-eng-Latn}.
     */
    public static boolean isCrossLingual(String dataset) {
        Matcher matcher = LANGUAGE.matcher(dataset);
        return matcher.matches() && matcher.group(2) != null;
    }

    /** The language of a benchmark's queries, {@code fra-Latn} of the above; other benchmarks' own name. */
    public static String queryLanguage(String dataset) {
        Matcher matcher = LANGUAGE.matcher(dataset);
        return matcher.matches() ? matcher.group(1) : dataset;
    }
}
