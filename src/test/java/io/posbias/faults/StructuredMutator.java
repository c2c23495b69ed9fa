package io.posbias.faults;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Changes one value, key or row of a file, which stays well-formed. */
public final class StructuredMutator {
    private static final JsonMapper JSON = new JsonMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    /** What must come of a change. */
    public enum Oracle {
        /** The file means the same: the same output. */
        SAME,
        /** Nobody wrote this on purpose: refused, or the field is not read and the output is the same. */
        WRONG,
        /** The file means something else: another output or a refusal; the same output where the field is not printed. */
        OTHER
    }

    @SuppressWarnings("ArrayRecordComponent") // made, written and forgotten; nobody compares two
    public record Change(byte[] bytes, Oracle oracle, String what) {}

    /** Text that is written as it is. */
    private record Raw(String text) {}

    /** A record or list, and the place of one of its values. */
    private record Place(Object parent, Object key, String path) {
        @Nullable
        Object value() {
            return parent instanceof Map<?, ?> map ? map.get(key) : ((List<?>) parent).get((Integer) key);
        }

        @SuppressWarnings("unchecked")
        void set(@Nullable Object value) {
            if (parent instanceof Map<?, ?> map) {
                ((Map<String, @Nullable Object>) map).put((String) key, value);
            } else {
                ((List<@Nullable Object>) parent).set((Integer) key, value);
            }
        }
    }

    /** The values of a key that is there twice. */
    private record Twice(@Nullable Object first, @Nullable Object second) {}

    private final SplittableRandom random;

    public StructuredMutator(SplittableRandom random) {
        this.random = random;
    }

    /** Returns a change of a file; none leaves it as it is. */
    public Change change(byte[] whole, String file) {
        Change change = drawn(whole, file);
        return change.oracle != Oracle.SAME && Arrays.equals(change.bytes, plain(whole, file))
                ? change(whole, file)
                : change;
    }

    /** The file as a change that changes nothing would write it. */
    private static byte[] plain(byte[] whole, String file) {
        String text = new String(whole, StandardCharsets.UTF_8);
        if (file.endsWith(".gz")) {
            return Mutator.deflate(plain(Mutator.inflate(whole), file.substring(0, file.length() - 3)));
        }
        if (file.contains(".jsonl") || (!file.endsWith(".json") && !file.endsWith(".yaml"))) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        Object root = file.endsWith(".json") ? JSON.readValue(text, Object.class) : YAML.readValue(text, Object.class);
        return written(root).getBytes(StandardCharsets.UTF_8);
    }

    private Change drawn(byte[] whole, String file) {
        String text = new String(whole, StandardCharsets.UTF_8);
        if (file.endsWith(".gz")) {
            Change inside = change(Mutator.inflate(whole), file.substring(0, file.length() - 3));
            return new Change(Mutator.deflate(inside.bytes), inside.oracle, inside.what);
        }
        if (file.contains(".jsonl")) {
            return lines(text);
        }
        if (file.endsWith(".json")) {
            return tree(JSON.readValue(text, Object.class), false, text);
        }
        if (file.endsWith(".yaml")) {
            return tree(YAML.readValue(text, Object.class), true, text);
        }
        if (file.endsWith(".csv")) {
            return table(text, ",");
        }
        return table(text, file.endsWith(".tsv") ? "\t" : " ");
    }

    private static Change made(String text, Oracle oracle, String what) {
        return new Change(text.getBytes(StandardCharsets.UTF_8), oracle, what);
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private Change tree(Object root, boolean yaml, String text) {
        if (random.nextInt(8) == 0) {
            return same(root, yaml, text);
        }
        Object[] holder = {root};
        Altered altered = altered(holder);
        return made(written(holder[0]), altered.oracle, altered.what);
    }

    private record Altered(Oracle oracle, String what) {}

    private Change lines(String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        int at = random.nextInt(lines.size());
        return switch (random.nextInt(12)) {
            case 0 -> {
                lines.remove(at);
                yield made(joined(lines), Oracle.OTHER, "row removed");
            }
            case 1 -> {
                lines.add(at, lines.get(random.nextInt(lines.size())));
                yield made(joined(lines), Oracle.OTHER, "row twice");
            }
            case 2 -> {
                Collections.shuffle(lines, new Random(random.nextLong()));
                yield made(joined(lines), Oracle.OTHER, "rows in another order");
            }
            case 3 -> {
                Object[] all = lines.stream()
                        .map(line -> same(JSON.readValue(line, Object.class), false, line))
                        .map(change -> new String(change.bytes, StandardCharsets.UTF_8)
                                .replaceAll("\\s*\\R\\s*", " ")
                                .replace("\uFEFF", ""))
                        .toArray();
                yield made(
                        joined(all) + (random.nextBoolean() ? "\n" : "\n\n"),
                        Oracle.SAME,
                        "the same rows, written otherwise");
            }
            default -> {
                Object[] holder = {JSON.readValue(lines.get(at), Object.class)};
                Altered altered = altered(holder);
                lines.set(at, written(holder[0]));
                yield made(joined(lines), altered.oracle, "row " + at + ": " + altered.what);
            }
        };
    }

    private static String joined(Object[] all) {
        return Arrays.stream(all).map(String::valueOf).collect(Collectors.joining("\n"));
    }

    private static String joined(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    private Change same(Object root, boolean yaml, String text) {
        return switch (random.nextInt(yaml ? 5 : 4)) {
            case 0 -> made(written(shuffled(root)), Oracle.SAME, "keys in another order");
            case 1 ->
                made(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root), Oracle.SAME, "on many lines");
            case 2 -> made(text.replace("\n", "\r\n"), Oracle.SAME, "CRLF");
            case 3 -> made(written(root), Oracle.SAME, "as JSON on one line");
            default -> made(YAML.writeValueAsString(root), Oracle.SAME, "block style");
        };
    }

    private Object shuffled(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            List<Object> keys = new ArrayList<>(map.keySet());
            Collections.shuffle(keys, new Random(random.nextLong()));
            Map<Object, Object> other = new LinkedHashMap<>();
            keys.forEach(key -> other.put(key, shuffled(map.get(key))));
            return other;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(this::shuffled).toList();
        }
        return Objects.requireNonNullElse(value, new Raw("null"));
    }

    private static void places(@Nullable Object value, String path, List<Place> found) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, inner) -> {
                found.add(new Place(map, key, path + "." + key));
                places(inner, path + "." + key, found);
            });
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                found.add(new Place(list, i, path + "[]"));
                places(list.get(i), path + "[]", found);
            }
        }
    }

    private Altered altered(Object[] holder) {
        List<Place> places = new ArrayList<>();
        places(holder[0], "", places);
        if (places.isEmpty()) {
            holder[0] = List.of();
            return new Altered(Oracle.WRONG, "emptied");
        }
        // Each path as often as any other: long lists have no more than their share.
        SortedMap<String, List<Place>> byPath =
                places.stream().collect(Collectors.groupingBy(Place::path, TreeMap::new, Collectors.toList()));
        Place place = pick(pick(List.copyOf(byPath.values())));
        if (place.parent instanceof Map<?, ?> && random.nextInt(3) == 0) {
            return key(place);
        }
        if (place.parent instanceof List<?> && random.nextInt(3) == 0) {
            return element(place);
        }
        return value(place, places);
    }

    @SuppressWarnings("unchecked")
    private Altered key(Place place) {
        Map<String, Object> map = (Map<String, Object>) place.parent;
        String key = (String) place.key;
        Object value = map.get(key);
        return switch (random.nextInt(7)) {
            case 0 -> {
                map.remove(key);
                yield new Altered(Oracle.OTHER, "without " + place.path);
            }
            case 1 -> {
                int at = random.nextInt(key.length());
                String other = key.substring(0, at) + (key.charAt(at) == 'x' ? 'y' : 'x') + key.substring(at + 1);
                yield renamed(map, key, other, place.path);
            }
            case 2 -> {
                String upper = key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
                yield renamed(map, key, upper.equals(key) ? key + "s" : upper, place.path);
            }
            case 3 -> {
                String dashed = key.contains("_")
                        ? key.replace('_', '-')
                        : key.contains("-") ? key.replace('-', '_') : key + " ";
                yield renamed(map, key, dashed, place.path);
            }
            case 4 -> {
                map.put("zz", 7);
                yield new Altered(Oracle.WRONG, "a key zz beside " + place.path);
            }
            case 5 -> {
                map.put(key, new Twice(value, value));
                yield new Altered(Oracle.WRONG, "the key twice: " + place.path);
            }
            default -> {
                Object other = pick(List.copyOf(
                        map.values().stream().filter(Objects::nonNull).toList()));
                map.put(key, new Twice(value, other));
                yield new Altered(Oracle.WRONG, "the key twice with another value: " + place.path);
            }
        };
    }

    private static Altered renamed(Map<String, Object> map, String key, String other, String path) {
        Map<String, Object> copy = new LinkedHashMap<>(map);
        map.clear();
        copy.forEach((name, value) -> map.put(name.equals(key) ? other : name, value));
        return new Altered(Oracle.WRONG, path + " renamed " + other);
    }

    @SuppressWarnings("unchecked")
    private Altered element(Place place) {
        List<Object> list = (List<Object>) place.parent;
        int at = (Integer) place.key;
        return switch (random.nextInt(4)) {
            case 0 -> {
                list.remove(at);
                yield new Altered(Oracle.OTHER, "an element less in " + place.path);
            }
            case 1 -> {
                list.add(at, list.get(at));
                yield new Altered(Oracle.OTHER, "an element twice in " + place.path);
            }
            case 2 -> {
                Collections.swap(list, at, random.nextInt(list.size()));
                yield new Altered(Oracle.OTHER, "two elements swapped in " + place.path);
            }
            default -> {
                list.clear();
                yield new Altered(Oracle.OTHER, "emptied " + place.path);
            }
        };
    }

    private Altered value(Place place, List<Place> places) {
        Object value = place.value();
        if (random.nextInt(6) == 0) {
            Place other = pick(places.stream()
                    .filter(one -> !(one.value() instanceof Map) && !(one.value() instanceof List))
                    .toList());
            Object swapped = other.value();
            if (!(value instanceof Map) && !(value instanceof List)) {
                place.set(swapped);
                other.set(value);
                return new Altered(Oracle.OTHER, place.path + " and " + other.path + " swapped");
            }
        }
        List<Object> wrong = new ArrayList<>(List.of(List.of(List.of()), Map.of("a", 1), List.of(Map.of())));
        List<Object> other = new ArrayList<>();
        List<Object> same = new ArrayList<>();
        if (value instanceof Number number) {
            numbers(number, wrong, other, same);
        } else if (value instanceof String text) {
            texts(text, wrong, other);
        } else if (value instanceof Boolean flag) {
            other.add(!flag);
            wrong.addAll(List.of("true", 1, 0, "no", "yes"));
        } else {
            wrong.clear();
            wrong.addAll(List.of("x", 7, true, ""));
            other.add(new Raw("null"));
            if (value instanceof List<?>) {
                wrong.add(Map.of());
                wrong.add(Map.of("0", 1));
            } else {
                wrong.add(List.of(Objects.requireNonNullElse(value, 7)));
            }
        }
        int all = random.nextInt(wrong.size() + other.size() + same.size());
        Oracle oracle =
                all < wrong.size() ? Oracle.WRONG : all < wrong.size() + other.size() ? Oracle.OTHER : Oracle.SAME;
        Object by = all < wrong.size()
                ? wrong.get(all)
                : all < wrong.size() + other.size()
                        ? other.get(all - wrong.size())
                        : same.get(all - wrong.size() - other.size());
        place.set(by);
        return new Altered(oracle, place.path + ": " + shortened(value) + " -> " + shortened(by));
    }

    private static String shortened(@Nullable Object value) {
        String text = written(value);
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }

    private static void numbers(Number number, List<Object> wrong, List<Object> other, List<Object> same) {
        double value = number.doubleValue();
        wrong.addAll(List.of(
                number.toString(),
                " " + number,
                true,
                "x",
                "",
                "NaN",
                List.of(number),
                new Raw("1e999"),
                new Raw("123456789012345678901234567890")));
        other.addAll(List.of(
                new Raw("null"),
                value + 1,
                value - 1,
                -value,
                0,
                -1,
                1,
                value * 10,
                value / 10,
                value * 1e9,
                2147483648L,
                2147483647,
                0.5,
                value + 0.5,
                value * 1.01,
                1e-300));
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            other.addAll(List.of((long) value + 1, (long) value - 1, -(long) value, 10 * (long) value));
            same.add(new Raw((long) value + ".0"));
            same.add(new Raw((long) value + "e0"));
        } else {
            same.add(new Raw(
                    new BigDecimal(number.toString()).scaleByPowerOfTen(2).toPlainString() + "e-2"));
            same.add(new Raw(new BigDecimal(number.toString()).toPlainString() + "00"));
        }
    }

    private static void texts(String text, List<Object> wrong, List<Object> other) {
        wrong.addAll(List.of(7, true, 0.5));
        other.addAll(List.of(
                "",
                new Raw("null"),
                text + "x",
                text + " ",
                " " + text,
                text.toUpperCase(Locale.ROOT),
                text.toLowerCase(Locale.ROOT),
                text + "\u00e9",
                text + text,
                List.of(text),
                List.of(text, text),
                text.isEmpty() ? "y" : text.substring(1)));
        if (text.matches("[\\w.+-]+")) {
            other.addAll(List.of(text.replace('_', '-'), text.replace('-', '_'), text + "2"));
        }
    }

    /** JSON, which is YAML too. */
    private static String written(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        return switch (value) {
            case Raw raw -> raw.text;
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .flatMap(entry -> entry.getValue() instanceof Twice twice
                                ? Stream.of(twice.first, twice.second)
                                        .map(one -> JSON.writeValueAsString(entry.getKey()) + ": " + written(one))
                                : Stream.of(JSON.writeValueAsString(entry.getKey()) + ": " + written(entry.getValue())))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list ->
                list.stream().map(StructuredMutator::written).collect(Collectors.joining(", ", "[", "]"));
            default -> JSON.writeValueAsString(value);
        };
    }

    private Change table(String text, String separator) {
        List<List<String>> rows = new ArrayList<>(text.lines()
                .map(line -> (List<String>) new ArrayList<>(Arrays.asList(
                        separator.equals(",")
                                ? line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1)
                                : line.split(separator, -1))))
                .toList());
        boolean headed = !separator.equals(" ");
        int at = random.nextInt(headed ? 1 : 0, rows.size());
        List<String> row = rows.get(at);
        int column = random.nextInt(row.size());
        String name = headed ? rows.getFirst().get(column) : "column " + column;
        Altered altered = switch (random.nextInt(headed ? 14 : 9)) {
            case 0 -> {
                rows.remove(at);
                yield new Altered(Oracle.OTHER, "row removed");
            }
            case 1 -> {
                rows.add(at, rows.get(random.nextInt(headed ? 1 : 0, rows.size())));
                yield new Altered(Oracle.OTHER, "row twice");
            }
            case 2 -> {
                Collections.swap(rows, at, random.nextInt(headed ? 1 : 0, rows.size()));
                yield new Altered(Oracle.OTHER, "rows swapped");
            }
            case 3 -> {
                row.add("7");
                yield new Altered(Oracle.WRONG, "a cell more");
            }
            case 4 -> {
                row.removeLast();
                // The last cell may be one that need not be there.
                yield new Altered(Oracle.OTHER, "a cell less");
            }
            case 5, 6, 7 -> {
                String old = row.get(column);
                List<String> by = new ArrayList<>(List.of(
                        "",
                        "x",
                        "-1",
                        "0",
                        "1",
                        "7",
                        "NaN",
                        "1e999",
                        "0.5",
                        "1_0",
                        "0x10",
                        "0,5",
                        old + old,
                        old + "x",
                        " " + old,
                        old + " ",
                        "-" + old,
                        "+" + old,
                        "2147483648",
                        "true",
                        "null",
                        "1e-1",
                        "0.50"));
                String other = pick(by);
                row.set(column, other);
                yield new Altered(Oracle.OTHER, name + ": " + old + " -> " + other);
            }
            case 8 -> {
                List<String> two = pick(rows);
                if (column >= two.size()) {
                    yield new Altered(Oracle.SAME, "nothing");
                }
                String old = row.get(column);
                row.set(column, two.get(column));
                two.set(column, old);
                yield new Altered(Oracle.OTHER, name + " swapped in two rows");
            }
            case 9 -> {
                rows.forEach(one -> one.remove(column));
                yield new Altered(Oracle.OTHER, "without column " + name);
            }
            case 10 -> {
                int other = random.nextInt(row.size());
                rows.forEach(one -> Collections.swap(one, column, other));
                yield new Altered(Oracle.SAME, "columns " + column + " and " + other + " swapped with their names");
            }
            case 11 -> {
                rows.getFirst().set(column, name.substring(0, name.length() - 1) + "x");
                yield new Altered(Oracle.WRONG, name + " renamed");
            }
            case 12 -> {
                rows.getFirst().set(column, name.toUpperCase(Locale.ROOT));
                yield new Altered(Oracle.WRONG, name + " in capitals");
            }
            default -> {
                int from = random.nextInt(row.size());
                IntStream.range(0, rows.size())
                        .forEach(
                                i -> rows.get(i).add(i == 0 ? name : rows.get(i).get(from)));
                yield new Altered(
                        Oracle.WRONG,
                        "column " + name + " twice, from " + rows.getFirst().get(from));
            }
        };
        String all = rows.stream().map(one -> String.join(separator, one)).collect(Collectors.joining("\n", "", "\n"));
        return made(all, altered.oracle, altered.what);
    }
}
