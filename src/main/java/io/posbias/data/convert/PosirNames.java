package io.posbias.data.convert;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PosIR's language folders, for example {@code fra-Latn}. */
public final class PosirNames {
    private static final Map<String, String> ISO_639_1 = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
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
            Map.entry("spa-Latn", "es"))));

    private static final Pattern LANGUAGE =
            Pattern.compile("posir/([a-z]{3}-[A-Z][a-z]{3})(-[a-z]{3}-[A-Z][a-z]{3})?(/.*)?");

    private PosirNames() {}

    /** Returns the ISO 639-1 code of a folder, for example {@code fr}; empty if unknown. */
    public static String iso639(String language) {
        return ISO_639_1.getOrDefault(language, "");
    }

    /** Returns the folder of an ISO 639-1 code, as in PosIR and MTEB. */
    public static Optional<String> ofIso639(String code) {
        return ISO_639_1.entrySet().stream()
                .filter(entry -> entry.getValue().equals(code))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** True for names of cross-lingual benchmarks, for example {@code posir/fra-Latn-eng-Latn}. */
    public static boolean isCrossLingual(String dataset) {
        Matcher matcher = LANGUAGE.matcher(dataset);
        return matcher.matches() && matcher.group(2) != null;
    }

    /** Returns the language folder of a PosIR benchmark's queries; otherwise the benchmark's name. */
    public static String queryLanguage(String dataset) {
        Matcher matcher = LANGUAGE.matcher(dataset);
        return matcher.matches() ? matcher.group(1) : dataset;
    }
}
