package io.posbias.study.build.text;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Language;
import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Detects announcements and refusals in translations, by the phrases of {@code configs/cleaning/translations.yaml}
 * and the script of letters.
 *
 * @param prefixes lower-case words of announcing lines
 * @param english words that mark a line as English
 * @param refusals lower-case English phrases
 */
public record TranslationCleaning(
        @Setting(identifier = true) String name,
        @Setting(usual = "''") String description,
        @Setting(usual = "''") String source,
        @Setting(usual = "[]") Set<String> prefixes,
        @Setting(usual = "[]") Set<String> english,
        @Setting(usual = "[]") List<String> refusals) {
    private static final int PREFIX = 500;

    private static final int REFUSAL = 1500;

    private static final String FOLDER = "configs/cleaning";
    private static final Pattern LINE = Pattern.compile("\\s*([^\\r\\n]*\\S)\\s*\\R\\s*");
    private static final Pattern NO_LETTER = Pattern.compile("[^\\p{L}]+");

    /** Reads the phrases by name or from a YAML file. */
    @JsonCreator
    public static TranslationCleaning find(String nameOrFile) {
        return Json.settings(
                Configs.find("cleaning", FOLDER, nameOrFile, "posbias construct list"), TranslationCleaning.class);
    }

    /**
     * Removes an announcing first line: within the first 500 characters, contains one of the words, and ends with a
     * colon or is English in a text of another language.
     */
    public String withoutPrefix(String text, String language) {
        Matcher line = LINE.matcher(text);
        if (!line.lookingAt() || line.end(1) > PREFIX || line.end() == text.length()) {
            return text;
        }
        Set<String> words =
                new HashSet<>(Arrays.asList(NO_LETTER.split(line.group(1).toLowerCase(Locale.ROOT))));
        boolean announces = prefixes.stream().anyMatch(words::contains);
        boolean foreign = line.group(1).endsWith(":") || isEnglish(line.group(1), language);
        return announces && foreign ? text.substring(line.end()) : text;
    }

    /** Returns the beginning of a text that decides about a refusal. */
    public static String front(String text) {
        return text.substring(0, Math.min(REFUSAL, text.length()));
    }

    /** True for a refusal: a phrase in the first 500 characters of an English text that should not be English. */
    public boolean isRefusal(String text, String language) {
        String front = front(text);
        String lower = front.substring(0, Math.min(PREFIX, front.length()))
                .replace('\u2019', '\'')
                .toLowerCase(Locale.ROOT);
        return refusals.stream().anyMatch(lower::contains) && isEnglish(front, language);
    }

    private boolean isEnglish(String text, String language) {
        List<UnicodeScript> scripts = Language.scripts(language);
        if (!scripts.isEmpty() && !scripts.contains(UnicodeScript.LATIN)) {
            long own = letters(text, scripts);
            return own * 2 < letters(text, List.of(UnicodeScript.LATIN)) + own;
        }
        return Arrays.stream(NO_LETTER.split(text.toLowerCase(Locale.ROOT)))
                        .filter(english::contains)
                        .distinct()
                        .count()
                >= 2;
    }

    private static long letters(String text, List<UnicodeScript> scripts) {
        return text.codePoints()
                .filter(Character::isLetter)
                .filter(letter -> scripts.contains(UnicodeScript.of(letter)))
                .count();
    }
}
