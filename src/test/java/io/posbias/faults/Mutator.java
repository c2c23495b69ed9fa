package io.posbias.faults;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Breaks files, each time otherwise. Texts are handled as Latin-1, so that every byte is a character. */
public final class Mutator {
    enum Coding {
        TEXT,
        GZIP,
        BINARY
    }

    @SuppressWarnings("ArrayRecordComponent") // made, written and forgotten; nobody compares two
    record Broken(byte[] bytes, String change) {
        private static final int SHOWN = 120;

        Broken {
            change = change.length() <= SHOWN ? change : change.substring(0, SHOWN) + "...";
        }
    }

    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?");
    private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[\\w.+-]+");
    private static final List<String> NUMBERS = List.of(
            "1e999",
            "-1e999",
            "NaN",
            ".inf",
            "-.inf",
            ".nan",
            "Infinity",
            "1e308",
            "-1",
            "0",
            "-0.0",
            "0.5",
            "2147483648",
            "9223372036854775808",
            "99999999999999999999999999999999",
            "1e-320",
            "0x10",
            "1_000",
            "1,5",
            "");
    private static final List<String> TYPES = List.of(
            "null", "true", "[]", "{}", "\"\"", "\"x\"", "17", "[1, [2]]", "{\"a\": {\"b\": 1}}", "~", "-", "''");
    private static final List<String> HOSTILE = List.of(
            "\0",
            "\\u0000",
            "\\ud800",
            "\\udfff\\ud800",
            "\u001b[31mred\u001b[0m",
            "\\u001b]0;title\\u0007",
            "\u0007",
            latin("\u202Eevil\u202C"),
            latin("\u2066x"),
            "\\u202e",
            "\u00ed\u00a0\u0080",
            "\u00ff",
            "\u00c3(",
            "\u0080",
            latin("\uFEFF"),
            "\r",
            "\n",
            "\t",
            "\\",
            "\"",
            "'",
            ",",
            "=cmd|' /C calc'!A0",
            "../../x",
            "/../../x",
            "%s%n",
            latin("\u2028"),
            "\u000b",
            "<script>alert(1)</script>",
            "&a [*a]",
            "!!java.net.URL ",
            "---\n");
    private static final int LONGEST = 1_000_000;
    private static final int[] LENGTHS = {300, 5_000, LONGEST};
    private static final int[] DEPTHS = {50, 1_200, 100_000};

    private final SplittableRandom random;

    Mutator(SplittableRandom random) {
        this.random = random;
    }

    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    Broken mutate(byte[] whole, Coding coding) {
        return switch (coding) {
            case TEXT -> random.nextInt(4) == 0 ? binary(whole) : text(whole);
            case BINARY -> binary(whole);
            case GZIP -> random.nextInt(3) == 0 ? binary(whole) : inside(mutate(inflate(whole), Coding.TEXT));
        };
    }

    /** Puts a million spaces into a value of a text: what looks at them again for each of them does not end. */
    Broken spaced(byte[] whole, Coding coding) {
        return switch (coding) {
            case TEXT ->
                inserted(new String(whole, StandardCharsets.ISO_8859_1), " ".repeat(LONGEST), LONGEST + " spaces");
            case GZIP -> inside(spaced(inflate(whole), Coding.TEXT));
            case BINARY -> binary(whole);
        };
    }

    private static Broken inside(Broken text) {
        return new Broken(deflate(text.bytes), "inside: " + text.change);
    }

    static byte[] inflate(byte[] gzip) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    public static byte[] deflate(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return bytes.toByteArray();
    }

    private Broken binary(byte[] whole) {
        int at = random.nextInt(Math.max(1, whole.length));
        int more = random.nextInt(1, Math.max(2, whole.length / 4));
        int end = Math.min(whole.length, at + more);
        byte[] bytes = whole.clone();
        return switch (random.nextInt(8)) {
            case 0, 1 -> flipped(bytes, 1);
            case 2 -> flipped(bytes, 8);
            case 3 -> new Broken(Arrays.copyOf(whole, at), "cut at " + at);
            case 4 -> new Broken(joined(whole, at, whole, end), "without " + at + " to " + end);
            case 5 -> new Broken(joined(whole, end, whole, at), "twice " + at + " to " + end);
            case 6 -> new Broken(filled(bytes, at), "a number at " + at);
            default -> new Broken(new byte[random.nextInt(3)], "nearly empty");
        };
    }

    /** The beginning of one up to {@code end}, then the other from {@code start}. */
    private static byte[] joined(byte[] one, int end, byte[] other, int start) {
        byte[] joined = Arrays.copyOf(one, end + other.length - start);
        System.arraycopy(other, start, joined, end, other.length - start);
        return joined;
    }

    private Broken flipped(byte[] bytes, int times) {
        StringBuilder where = new StringBuilder("bits flipped at");
        for (int i = 0; i < times && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            where.append(' ').append(at);
        }
        return new Broken(bytes, where.toString());
    }

    /** A size or an offset that cannot be. */
    private byte[] filled(byte[] bytes, int at) {
        int[] values = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0, 1 << 30, 0x7FC00000};
        if (bytes.length >= Integer.BYTES) {
            ByteBuffer.wrap(bytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(Math.min(at, bytes.length - Integer.BYTES), values[random.nextInt(values.length)]);
        }
        return bytes;
    }

    private Broken text(byte[] whole) {
        String text = new String(whole, StandardCharsets.ISO_8859_1);
        return switch (random.nextInt(13)) {
            case 0 -> lines(text);
            case 1 -> swapped(text);
            case 2, 3 -> replaced(text, NUMBER, pick(NUMBERS), "number");
            case 4 -> replaced(text, TOKEN, pick(TYPES), "type");
            case 5, 6 -> hostile(text);
            case 7 -> longer(text);
            case 8 -> nested(text);
            case 9 -> replaced(text, TOKEN, "", "removed");
            case 10 -> made(text.replace("\n", "\r\n"), "CRLF");
            case 11 -> made(latin("\uFEFF") + text, "byte order mark");
            default -> made("", "empty");
        };
    }

    private static Broken made(String text, String change) {
        return new Broken(text.getBytes(StandardCharsets.ISO_8859_1), change);
    }

    private String pick(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    private Broken lines(String text) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("(?<=\n)", -1)));
        int one = random.nextInt(lines.size());
        int other = random.nextInt(lines.size());
        return switch (random.nextInt(3)) {
            case 0 -> {
                lines.remove(one);
                yield made(String.join("", lines), "without line " + one);
            }
            case 1 -> {
                lines.add(other, lines.get(one));
                yield made(String.join("", lines), "line " + one + " twice");
            }
            default -> {
                Collections.swap(lines, one, other);
                yield made(String.join("", lines), "lines swapped: " + one + ", " + other);
            }
        };
    }

    private List<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private Broken replaced(String text, Pattern pattern, String by, String change) {
        List<MatchResult> all = found(pattern, text);
        if (all.isEmpty()) {
            return made(text + by, change + " appended: " + by);
        }
        MatchResult one = all.get(random.nextInt(all.size()));
        return made(
                text.substring(0, one.start()) + by + text.substring(one.end()),
                change + " at " + one.start() + ": " + one.group() + " -> " + by);
    }

    private Broken swapped(String text) {
        List<MatchResult> all = found(STRING, text).isEmpty() ? found(TOKEN, text) : found(STRING, text);
        if (all.size() < 2) {
            return flipped(text.getBytes(StandardCharsets.ISO_8859_1), 1);
        }
        int one = random.nextInt(all.size() - 1);
        int other = random.nextInt(one + 1, all.size());
        MatchResult left = all.get(one);
        MatchResult right = all.get(other);
        return made(
                text.substring(0, left.start())
                        + right.group()
                        + text.substring(left.end(), right.start())
                        + left.group()
                        + text.substring(right.end()),
                "swapped at " + left.start() + " and " + right.start());
    }

    private Broken inserted(String text, String what, String change) {
        List<MatchResult> all = found(TOKEN, text);
        int at = all.isEmpty() ? 0 : all.get(random.nextInt(all.size())).start() + 1;
        return made(text.substring(0, at) + what + text.substring(at), change + " at " + at);
    }

    private Broken hostile(String text) {
        String what = pick(HOSTILE);
        return inserted(text, what, "hostile " + what);
    }

    private Broken longer(String text) {
        String unit = pick(List.of("x", " ", "7", "\u00c3\u00a9", "[", "a b "));
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        return inserted(text, unit.repeat(length / unit.length()), length + " bytes of \"" + unit + "\"");
    }

    private Broken nested(String text) {
        int depth = DEPTHS[random.nextInt(DEPTHS.length)];
        String open = pick(List.of("[", "{\"a\":", "- "));
        String close = open.equals("[") ? "]" : open.equals("- ") ? "" : "}";
        return replaced(text, TOKEN, open.repeat(depth) + "1" + close.repeat(depth), "depth " + depth);
    }
}
