package io.posbias.base.json;

import io.posbias.base.text.Printable;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;

/** Descriptions of malformed JSON, YAML and CSV: Jackson's own name Java's classes and its options. */
public final class Malformed {
    /** Descriptions by the beginnings of Jackson's and SnakeYAML's messages; {@code %s} is the first group. */
    private static final Map<Pattern, String> SYNTAX = Collections.unmodifiableMap(syntax());

    private static final Pattern TOKEN = Pattern.compile("token `JsonToken\\.(\\w+)`");
    private static final Map<String, String> TOKENS = Map.of(
            "START_ARRAY", "a list",
            "START_OBJECT", "a record",
            "VALUE_STRING", "a text",
            "VALUE_NUMBER_INT", "a number",
            "VALUE_NUMBER_FLOAT", "a number",
            "VALUE_TRUE", "a flag",
            "VALUE_FALSE", "a flag",
            "VALUE_NULL", "null");

    private Malformed() {}

    private static Map<Pattern, String> syntax() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("Duplicate Object property \"(.*?)\"", "a duplicate of the name %s");
        words.put("Unexpected character \\('(.)'", "%s does not belong there");
        words.put("Unexpected close marker '(.)'", "%s does not belong there");
        words.put("(?:Unrecognized|Non-standard) token '(.*?)'", "%s is not a value");
        words.put("Illegal unquoted character", "a control character in a text");
        words.put(
                "(?:Unrecognized|Illegal) character escape|Unrecognized character escape",
                "a backslash before another character");
        words.put("Invalid (?:UTF|white space)|.*Invalid UTF", "it is not UTF-8");
        words.put("Invalid numeric value|Leading zeroes|Decimal point not", "a malformed number");
        words.put("Unexpected end", "it ends too early");
        words.put("Too many entries", "a row has more cells than the header");
        words.put(".*\\\\t\\(TAB\\)", "a tab: indent with spaces");
        words.put(".*mapping values are not allowed", "a text with a colon needs quotes");
        words.put(".*could not find expected ':'", "a name without a colon");
        words.put(".*(?:undefined alias|found undefined)", "an alias of nothing");
        words.put("(?:while|expected|did not find|found )", "indentation, brackets or quotes do not match");
        Map<Pattern, String> syntax = new LinkedHashMap<>();
        words.forEach((start, description) -> syntax.put(Pattern.compile(start, Pattern.DOTALL), description));
        return syntax;
    }

    /** Describes what is wrong in a few words; empty if unknown. */
    public static String describe(JacksonException broken) {
        if (broken instanceof StreamConstraintsException) {
            return "it is nested too deeply, or a text or number is too long";
        }
        if (broken instanceof UnexpectedEndOfInputException) {
            return "it ends too early";
        }
        String own = broken.getOriginalMessage();
        if (broken instanceof MismatchedInputException mismatched) {
            if (own.startsWith("Trailing token")) {
                return "more than one value";
            }
            Matcher token = TOKEN.matcher(own);
            String found = mismatched instanceof InvalidNullException
                    ? "null"
                    : own.startsWith("No content")
                            ? "nothing"
                            : token.find() ? TOKENS.getOrDefault(token.group(1), "another value") : "another value";
            return place(mismatched.getPath()) + found + wanted(mismatched.getTargetType());
        }
        return SYNTAX.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey().matcher(own), entry.getValue()))
                .filter(entry -> entry.getKey().lookingAt())
                .map(entry -> entry.getValue()
                        .replace(
                                "%s",
                                entry.getKey().groupCount() > 0
                                        ? Printable.quoted(entry.getKey().group(1))
                                        : ""))
                .findFirst()
                .orElse("");
    }

    private static String place(List<JacksonException.Reference> path) {
        String place = path.stream()
                .map(step -> step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : "." + Printable.of(step.getPropertyName()))
                .collect(Collectors.joining());
        return place.isEmpty() ? "" : place.replaceFirst("^\\.", "") + " is ";
    }

    private static String wanted(@Nullable Class<?> type) {
        if (type == null) {
            return "";
        }
        return ", not "
                + (Collection.class.isAssignableFrom(type) || type.isArray()
                        ? "a list"
                        : Number.class.isAssignableFrom(type) || (type.isPrimitive() && type != boolean.class)
                                ? "a number"
                                : type == String.class
                                        ? "a text"
                                        : type == Boolean.class || type == boolean.class ? "a flag" : "a record");
    }
}
