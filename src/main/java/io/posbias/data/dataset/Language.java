package io.posbias.data.dataset;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.lang.Character.UnicodeScript;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Languages by ISO 639-1 code, and their scripts. */
public final class Language {
    private static final int SAMPLE = 200;

    private static final int LEAST_LETTERS = 200;

    private static final Map<UnicodeScript, List<String>> BY_SCRIPT = scripts();

    private Language() {}

    private static Map<UnicodeScript, List<String>> scripts() {
        Map<UnicodeScript, List<String>> map = new EnumMap<>(UnicodeScript.class);
        map.put(UnicodeScript.HAN, List.of("zh", "ja"));
        map.put(UnicodeScript.HIRAGANA, List.of("ja"));
        map.put(UnicodeScript.KATAKANA, List.of("ja"));
        map.put(UnicodeScript.HANGUL, List.of("ko"));
        map.put(UnicodeScript.ARABIC, List.of("ar", "fa", "ur"));
        map.put(UnicodeScript.CYRILLIC, List.of("ru", "bg", "sr", "uk"));
        map.put(UnicodeScript.GREEK, List.of("el"));
        map.put(UnicodeScript.HEBREW, List.of("he"));
        map.put(UnicodeScript.ARMENIAN, List.of("hy"));
        map.put(UnicodeScript.DEVANAGARI, List.of("hi", "mr", "ne"));
        map.put(UnicodeScript.BENGALI, List.of("bn"));
        map.put(UnicodeScript.TAMIL, List.of("ta"));
        map.put(UnicodeScript.TELUGU, List.of("te"));
        map.put(UnicodeScript.THAI, List.of("th"));
        map.put(UnicodeScript.LAO, List.of("lo"));
        map.put(UnicodeScript.KHMER, List.of("km"));
        map.put(UnicodeScript.MYANMAR, List.of("my"));
        map.put(UnicodeScript.TIBETAN, List.of("bo", "dz"));
        map.put(UnicodeScript.ETHIOPIC, List.of("am", "ti"));
        map.put(UnicodeScript.GEORGIAN, List.of("ka"));
        map.put(UnicodeScript.GUJARATI, List.of("gu"));
        map.put(UnicodeScript.KANNADA, List.of("kn"));
        map.put(UnicodeScript.MALAYALAM, List.of("ml"));
        map.put(UnicodeScript.SINHALA, List.of("si"));
        map.put(UnicodeScript.ORIYA, List.of("or"));
        map.put(
                UnicodeScript.LATIN,
                List.of(
                        "en", "ca", "cs", "da", "de", "es", "et", "eu", "fi", "fr", "ga", "gl", "hu", "id", "it", "lt",
                        "lv", "nl", "no", "pl", "pt", "ro", "sr", "sv", "tr", "vi"));
        return Collections.unmodifiableMap(map);
    }

    /**
     * Returns the ISO 639-1 code of a code, a BCP 47 tag ({@code zh-Hans}), an ISO 639-2 code ({@code zho}) or an
     * English name ({@code Chinese}).
     *
     * @throws UsageException if unknown, suggesting the nearest
     */
    public static String code(String given) {
        String word = given.strip().toLowerCase(Locale.ROOT);
        String first = word.split("[-_]", 2)[0];
        Map<String, String> codes = new TreeMap<>();
        for (String code : Locale.getISOLanguages()) {
            Locale locale = Locale.of(code);
            codes.put(locale.getDisplayLanguage(Locale.ENGLISH).toLowerCase(Locale.ROOT), code);
            codes.put(locale.getISO3Language(), code);
            codes.put(code, code);
        }
        String code = codes.get(codes.containsKey(word) ? word : first);
        if (code == null) {
            throw new UsageException("unknown language " + Printable.quoted(given) + near(word, codes)
                    + ": give an ISO 639-1 code, for example en");
        }
        return code;
    }

    /** In English, by ISO 639-1 code. */
    public static String name(String code) {
        return Locale.of(code).getDisplayLanguage(Locale.ENGLISH);
    }

    /** Empty for an unknown language. */
    public static List<UnicodeScript> scripts(String code) {
        return BY_SCRIPT.entrySet().stream()
                .filter(script -> script.getValue().contains(code))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String near(String word, Map<String, String> codes) {
        return Suggestions.near(word, codes.keySet()).stream()
                .findFirst()
                .map(name -> "; did you mean " + codes.get(name) + " (" + name + ")?")
                .orElse("");
    }

    /** Letters of the first {@value #SAMPLE} texts, by script. */
    public static final class Letters {
        private final Map<UnicodeScript, Integer> counts = new EnumMap<>(UnicodeScript.class);
        private int passages;

        public void add(String text) {
            if (passages++ < SAMPLE) {
                text.codePoints()
                        .filter(Character::isLetter)
                        .forEach(letter -> counts.merge(UnicodeScript.of(letter), 1, Integer::sum));
            }
        }

        /**
         * Refuses passages in another script than their language's, which BM25 would tokenize wrongly.
         *
         * @throws PosbiasException naming the script and likely codes
         */
        public void check(String language) {
            problem(language, "give --language").ifPresent(problem -> {
                throw new PosbiasException(problem);
            });
        }

        /** Returns true if more texts change nothing. */
        public boolean isFull() {
            return passages >= SAMPLE;
        }

        /** Returns the mismatch of script and language with the likely codes; empty if they match. */
        Optional<String> problem(String language, String advice) {
            return mismatch(language, "passages").map(mismatch -> {
                List<String> likely = BY_SCRIPT.getOrDefault(most(), List.of());
                return mismatch + ": " + advice
                        + (likely.isEmpty() || most() == UnicodeScript.LATIN ? "" : " " + String.join(" or ", likely));
            });
        }

        /**
         * Returns the mismatch of script and language; empty if they match.
         *
         * @param texts noun in the message
         */
        public Optional<String> mismatch(String language, String texts) {
            int all = counts.values().stream().mapToInt(Integer::intValue).sum();
            if (all < LEAST_LETTERS) {
                return Optional.empty();
            }
            UnicodeScript most = most();
            boolean isChecked = BY_SCRIPT.values().stream().anyMatch(codes -> codes.contains(language));
            boolean fits = language.isEmpty()
                    ? most == UnicodeScript.LATIN
                    : !isChecked || BY_SCRIPT.getOrDefault(most, List.of()).contains(language);
            return fits
                    ? Optional.empty()
                    : Optional.of("the " + texts + " are mostly in " + name(most) + " script ("
                            + 100L * counts.getOrDefault(most, 0) / all
                            + "% of their letters), and their language is "
                            + (language.isEmpty() ? "not given" : language));
        }

        private UnicodeScript most() {
            return Collections.max(counts.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
        }
    }

    private static String name(UnicodeScript script) {
        String word = script.name().toLowerCase(Locale.ROOT);
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
