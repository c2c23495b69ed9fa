package io.posbias.base.json;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Typed access to a record read from a file. A missing or mistyped field is an error of one line with file, line,
 * field, value and known fields.
 */
public final class Fields {
    private static final int REPLACEMENT = 0xFFFD;
    private static final String RANGE = "a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE;

    private final Location where;
    private final String path;
    private final Map<String, @Nullable Object> values;

    /** @param values field names to strings, numbers, booleans, lists, maps or null */
    public Fields(Location where, Map<String, @Nullable Object> values) {
        this(where, "", values);
    }

    /** @param path prefix of field names in errors, for example {@code data[3].paragraphs[1].} */
    public Fields(Location where, String path, Map<String, @Nullable Object> values) {
        this.where = where;
        this.path = path;
        this.values = values;
    }

    public Location where() {
        return where;
    }

    /** Field names in file order. */
    public Collection<String> names() {
        return values.keySet();
    }

    public SequencedMap<String, @Nullable Object> toMap() {
        return new LinkedHashMap<>(values);
    }

    /** True if the field is present and not null. */
    public boolean has(String name) {
        return values.get(name) != null;
    }

    /** The name of a field that has two, as the record has it; the usual one if it has neither. */
    public String named(String usual, String other) {
        return has(usual) || !has(other) ? usual : other;
    }

    /** The raw value; null if absent. */
    public @Nullable Object raw(String name) {
        return values.get(name);
    }

    /**
     * The value, in a row of a file without the list of one that R writes around it, or MongoDB's record with its type; null if
     * absent. Recipes and results, which are whole files, say what they mean.
     */
    public @Nullable Object plain(String name) {
        Object value = values.get(name);
        if (where.line() == 0) {
            return value;
        }
        while (value instanceof List<?> list && list.size() == 1) {
            value = list.getFirst();
        }
        return value instanceof Map<?, ?> map
                        && map.size() == 1
                        && String.valueOf(map.keySet().iterator().next()).startsWith("$")
                ? map.values().iterator().next()
                : value;
    }

    /** A required string, possibly empty. Unpaired surrogates become U+FFFD, so offsets stay valid. */
    public String text(String name) {
        return whole(typed(name, scalar(name), String.class, "a string"));
    }

    public String text(String name, String fallback) {
        return has(name) ? text(name) : fallback;
    }

    /**
     * A required identifier: a string or whole number, not empty, without control characters or surrounding white
     * space.
     */
    public String id(String name) {
        Object value = scalar(name);
        String id = value instanceof Number number && isWhole(number)
                ? String.valueOf(number.longValue())
                : typed(name, value, String.class, "an identifier (a string or a whole number)");
        if (id.isEmpty() || !id.equals(id.strip())) {
            throw bad(
                    name, "is " + Printable.quoted(id), "an identifier is not empty and has no white space around it");
        }
        if (!whole(id).equals(id) || id.chars().anyMatch(Character::isISOControl)) {
            throw bad(name, "is " + Printable.quoted(id), "an identifier has no control characters or half characters");
        }
        return id;
    }

    /** An identifier without spaces, as TREC's columns require. */
    public String trecId(String name) {
        String id = id(name);
        if (id.indexOf(' ') >= 0) {
            throw bad(name, "is " + Printable.quoted(id), "identifiers of queries and passages have no spaces");
        }
        return id;
    }

    /** Replaces unpaired surrogates. */
    private static String whole(String text) {
        if (text.chars().noneMatch(unit -> Character.isSurrogate((char) unit))) {
            return text;
        }
        return text.codePoints()
                .map(point -> Character.getType(point) == Character.SURROGATE ? REPLACEMENT : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    public int integer(String name) {
        return toInt(name, scalar(name));
    }

    public int integer(String name, int fallback) {
        return has(name) ? integer(name) : fallback;
    }

    public double number(String name) {
        Object value = scalar(name);
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw wrongType(name, value, "a finite number");
    }

    public double number(String name, double fallback) {
        return has(name) ? number(name) : fallback;
    }

    /** A whole number, also if written as text, as in tab-separated files. */
    public int parsedInteger(String name) {
        return plain(name) instanceof String text ? whole(name, text, Integer::parseInt) : integer(name);
    }

    /** As {@link #parsedInteger}, of 64 bits. */
    public long parsedLong(String name) {
        return plain(name) instanceof String text ? whole(name, text, Long::parseLong) : longInteger(name);
    }

    private <N extends Number> N whole(String name, String text, Function<String, N> parse) {
        try {
            return parse.apply(text.strip());
        } catch (NumberFormatException notWhole) {
            throw bad(name, "is " + Printable.quoted(text), "it must be a whole number");
        }
    }

    /** A finite number, also if written as text, as in comma-separated files. */
    public double parsedNumber(String name) {
        if (plain(name) instanceof String text) {
            try {
                double number = Double.parseDouble(text.strip());
                if (Double.isFinite(number)) {
                    return number;
                }
            } catch (NumberFormatException notNumber) {
                // Told below, as what is no finite number.
            }
            throw bad(name, "is " + Printable.quoted(text), "it must be a finite number");
        }
        return number(name);
    }

    /** False if absent. */
    public boolean flag(String name) {
        return has(name) && typed(name, scalar(name), Boolean.class, "true or false");
    }

    public String oneOf(String name, String fallback, Collection<String> known) {
        String value = text(name, fallback);
        Optional<String> meant = Suggestions.meant(value, known);
        if (meant.isEmpty()) {
            String near = Suggestions.nearest(value, known)
                    .map(word -> "did you mean " + word + "? It")
                    .orElse("it");
            throw bad(name, "is " + Printable.quoted(value), near + " is one of " + String.join(", ", known));
        }
        return meant.get();
    }

    /** A list of whole numbers; empty if absent. */
    public List<Integer> integers(String name) {
        return list(name).stream().map(element -> toInt(name, element)).toList();
    }

    /** A list of strings, or a single string; empty if absent. */
    public List<String> texts(String name) {
        if (values.get(name) instanceof String single) {
            return List.of(whole(single));
        }
        return list(name).stream()
                .map(element -> whole(typed(name, element, String.class, "a list of strings")))
                .toList();
    }

    /** A list of records; empty if absent. */
    public List<Fields> records(String name) {
        List<Fields> records = new ArrayList<>();
        for (Object element : list(name)) {
            records.add(child(name + "[" + records.size() + "]", element));
        }
        return records;
    }

    /** The elements of a list as fields "0", "1" and so on; empty if absent. */
    public Fields places(String name) {
        return numbered(name, ".", "%d");
    }

    /** The elements of a list as fields "[0]", "[1]" and so on. */
    Fields elements(String name) {
        return numbered(name, "", "[%d]");
    }

    private Fields numbered(String name, String between, String format) {
        Map<String, @Nullable Object> elements = new LinkedHashMap<>();
        for (Object value : list(name)) {
            elements.put(String.format(Locale.ROOT, format, elements.size()), value);
        }
        return new Fields(where, full(name) + between, elements);
    }

    /** A nested record; empty if absent. */
    public Fields record(String name) {
        Object value = values.get(name);
        return value == null ? new Fields(where, full(name) + ".", Map.of()) : child(name, value);
    }

    /** Refuses unknown fields and suggests the nearest known name. */
    public void refuseOthers(Collection<String> known) {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new BadInputException(where, Suggestions.unknown("field", full(name), known), "");
            }
        }
    }

    /** Refuses fields whose names are those of absent fields but for one letter, their case, hyphens or spaces. */
    public void refuseMisspelt(Collection<String> known) {
        Suggestions.misspelling(values.keySet(), known).ifPresent(wrong -> {
            throw bad(
                    wrong.name(), "is not read", "did you mean " + wrong.meant() + "? Rename the field, or remove it");
        });
    }

    /**
     * Refuses a document whose field {@code schema} differs.
     *
     * @param advice ends the error
     */
    public void refuseOtherSchema(String schema, String advice) {
        if (!has("schema") || !text("schema").equals(schema)) {
            throw new BadInputException(
                    where,
                    has("schema") ? "schema " + Printable.quoted(text("schema")) : "no field \"schema\"",
                    advice);
        }
    }

    /** Creates an error about a field. */
    public BadInputException bad(String name, String found, String advice) {
        return new BadInputException(where, "field " + Printable.quoted(full(name)) + " " + found, advice);
    }

    /** Refuses infinite numbers and NaN at any depth, for example JSON's 1e999. */
    void refuseInfinite() {
        values.forEach((name, value) -> refuseInfinite(name, value));
    }

    private void refuseInfinite(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            child(name, value).refuseInfinite();
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                refuseInfinite(name + "[" + i + "]", list.get(i));
            }
        } else if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
            throw wrongType(name, value, "a finite number");
        }
    }

    <N extends Number> N inRange(String name, N number, Setting setting) {
        String missed = Setting.Range.missedBy(number.doubleValue(), setting, 1);
        if (missed != null) {
            throw bad(name, "is " + describe(raw(name)), "it is " + missed);
        }
        return number;
    }

    public Number number(String name, Setting setting) {
        return inRange(name, number(name), setting);
    }

    /** Returns the path of a file that is named in this one. */
    public Path beside(String file) {
        return where.file()
                .toAbsolutePath()
                .resolveSibling(FileNames.path(file))
                .normalize();
    }

    public Fields with(String name, Object value) {
        Map<String, @Nullable Object> changed = toMap();
        changed.put(name, value);
        return new Fields(where, path, changed);
    }

    /** A value as Jackson converts it. */
    Object converted(String name, Type type) {
        try {
            JsonMapper mapper = Json.mapper();
            return mapper.convertValue(required(name), mapper.constructType(type));
        } catch (JacksonException wrong) {
            Throwable cause = wrong;
            while (cause instanceof JacksonException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw switch (cause) {
                case PosbiasException said -> said;
                case IllegalArgumentException refused -> refused(name, refused);
                default -> wrongType(name, raw(name), "a " + word(type));
            };
        }
    }

    private static String word(Type type) {
        Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        boolean several =
                raw instanceof Class<?> known && (known.isArray() || Collection.class.isAssignableFrom(known));
        return several ? "list" : "record";
    }

    /** An error about a value that a constructor refuses. */
    BadInputException refused(String name, IllegalArgumentException why) {
        return bad(name, "is " + Printable.cut(String.valueOf(raw(name))), String.valueOf(why.getMessage()));
    }

    private Fields child(String name, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrongType(name, value, "a record");
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        map.forEach((key, field) -> fields.put(String.valueOf(key), field));
        return new Fields(where, full(name) + ".", fields);
    }

    private List<?> list(String name) {
        return has(name) ? typed(name, required(name), List.class, "a list") : List.of();
    }

    private <T> T typed(String name, @Nullable Object value, Class<T> type, String wanted) {
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw wrongType(name, value, wanted);
    }

    private Object scalar(String name) {
        Object value = plain(name);
        return value == null ? required(name) : value;
    }

    Object required(String name) {
        Object value = values.get(name);
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    private BadInputException missing(String name) {
        if (name.endsWith("]")) {
            return bad(name, "is null", "it must have a value");
        }
        String state = values.containsKey(name) ? "is null" : "is missing";
        return bad(name, state, "fields found: " + (values.isEmpty() ? "none" : Suggestions.listed(values.keySet())));
    }

    /** A whole number of 64 bits. */
    long longInteger(String name) {
        if (required(name) instanceof Number number && isWhole(number)) {
            return number.longValue();
        }
        throw wrongType(name, raw(name), "a whole number");
    }

    private int toInt(String name, @Nullable Object value) {
        if (value instanceof Number number && isWhole(number)) {
            long whole = number.longValue();
            if (whole == (int) whole) {
                return (int) whole;
            }
        }
        throw wrongType(name, value, isHuge(value) ? RANGE : "a whole number");
    }

    /** Returns true if a long holds the number exactly: QED's identifiers use all 64 bits. */
    private static boolean isWhole(Number number) {
        if (number instanceof Long || number instanceof Integer) {
            return true;
        }
        double value = number.doubleValue();
        return value == Math.rint(value) && Math.abs(value) < 1L << 53;
    }

    private static boolean isHuge(@Nullable Object value) {
        return value instanceof Number number
                && Double.isFinite(number.doubleValue())
                && number.doubleValue() == Math.rint(number.doubleValue());
    }

    private BadInputException wrongType(String name, @Nullable Object value, String wanted) {
        return bad(name, "is " + describe(value), "it must be " + wanted);
    }

    private static String describe(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String string -> Printable.quoted(string);
            case Number number ->
                Double.isFinite(number.doubleValue())
                        ? new BigDecimal(number.toString()).toPlainString()
                        : Printable.cut(number.toString());
            case List<?> list -> "a list of " + list.size();
            case Map<?, ?> map -> "a record of " + map.size() + " fields";
            default -> Printable.cut(String.valueOf(value));
        };
    }

    /** An empty name stands for the record itself. */
    private String full(String name) {
        return name.isEmpty() && path.endsWith(".") ? path.substring(0, path.length() - 1) : path + name;
    }
}
