package io.posbias.dataset;

import java.util.List;
import java.util.Map;

/** PosIR's words for languages. */
public final class PosirNames {
    private static final Map<String, String> ISO_639_1 = Map.ofEntries(
            Map.entry("ara", "ar"),
            Map.entry("ben", "bn"),
            Map.entry("cmn", "zh"),
            Map.entry("deu", "de"),
            Map.entry("eng", "en"),
            Map.entry("fra", "fr"),
            Map.entry("hin", "hi"),
            Map.entry("ita", "it"),
            Map.entry("jpn", "ja"),
            Map.entry("kor", "ko"),
            Map.entry("pol", "pl"),
            Map.entry("por", "pt"),
            Map.entry("rus", "ru"),
            Map.entry("spa", "es"));

    private PosirNames() {}

    /**
     * The two-letter code of a language folder.
     *
     * @param language for example {@code fra-Latn}
     * @return for example {@code fr}; empty for a language PosIR does not name
     */
    public static String iso639(String language) {
        return ISO_639_1.getOrDefault(List.of(language.split("-", 2)).getFirst(), "");
    }
}
