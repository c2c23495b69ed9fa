package io.posbias.faults;

import io.posbias.cli.Cli;
import io.posbias.faults.Campaign.Defect;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

public final class Judge {
    private static final Set<Integer> CODES = Set.of(0, 1, 2, 3);
    /** Longer lines were not written by a person: the longest is an advice with a path of two hundred characters. */
    private static final int LINE = 1_100;

    /** Words of Jackson, whose messages name Java's classes. */
    public static final Pattern JACKSON = Pattern.compile(
            "REDACTED|Cannot (?:deserialize|construct|coerce|map)|JsonToken|START_(?:ARRAY|OBJECT)|LinkedHashMap"
                    + "|reference chain|was expecting|Unexpected (?:character|end-of)|tools\\.jackson|StreamReadFeature");

    private Judge() {}

    public static void ending(String sort, String fault, Cli.Ended ended) {
        String err = ended.err();
        if (err.contains("\tat ") || err.contains("this is a bug") || !CODES.contains(ended.code())) {
            Campaign.found(sort, Defect.STACK_TRACE, fault + " -> " + ended.code() + ": " + first(err));
        } else if (ended.code() != 0 && ended.code() != 3 && err.isBlank()) {
            Campaign.found(sort, Defect.BAD_TEXT, fault + " -> " + ended.code() + " without a word");
        }
        if (JACKSON.matcher(err).find()) {
            Campaign.found(sort, Defect.BAD_TEXT, fault + " -> Jackson's words: " + first(err));
        }
        for (String text : List.of(ended.out(), err)) {
            text.lines()
                    .filter(line -> text.equals(err) && line.length() > LINE)
                    .findFirst()
                    .ifPresent(line -> Campaign.found(
                            sort,
                            Defect.BAD_TEXT,
                            fault + " -> a line of " + line.length() + ": " + line.substring(0, 200)));
            raw(text)
                    .ifPresent(code -> Campaign.found(
                            sort,
                            Defect.BAD_TEXT,
                            fault + " -> raw U+" + Integer.toHexString(code) + " in: " + around(text, code)));
        }
    }

    private static String first(String err) {
        return err.lines().limit(4).reduce("", (one, other) -> one + " | " + other);
    }

    private static String around(String text, int code) {
        int at = text.indexOf(code);
        return text.substring(Math.max(0, at - 60), Math.min(text.length(), at + 20))
                .replaceAll("\\p{Cc}|\\p{Cf}", "?");
    }

    /** A character that a terminal obeys or a reader cannot see. */
    private static Optional<Integer> raw(String text) {
        return text.codePoints()
                .filter(code -> code != '\n' && isRaw(code))
                .boxed()
                .findFirst();
    }

    private static boolean isRaw(int code) {
        return switch (Character.getType(code)) {
            case Character.CONTROL, Character.SURROGATE -> true;
            default ->
                (code >= 0x202A && code <= 0x202E)
                        || (code >= 0x2066 && code <= 0x2069)
                        || code == 0x2028
                        || code == 0x2029;
        };
    }

    static void leftovers(String sort, String fault, Collection<String> files) {
        files.stream()
                .filter(file -> !file.endsWith("/.posbias-folder"))
                .filter(file -> file.contains(".posbias-") || file.endsWith(".part") || file.contains("/unpacked/"))
                .findFirst()
                .ifPresent(file -> Campaign.found(sort, Defect.LEFTOVER, fault + " -> " + file));
    }
}
