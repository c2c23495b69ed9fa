package io.posbias.model.encode.onnx;

import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random tokenizers, of which those that count as tested cut hostile texts in this process: a program that prints each
 * seed before it is tried, so that the last one is to blame for the program's end.
 */
final class TokenizerFuzz {
    private static final List<String> PIECES = List.of(
            "a",
            "b",
            "ab",
            "a b",
            "A",
            " ",
            "  ",
            "▁",
            "Ġ",
            "é",
            "e\u0301",
            "\u0301",
            "ß",
            "İ",
            "ﬁ",
            "ﷺ",
            "ｱ",
            "狐",
            "🦉",
            "👩\u200d👩\u200d👧",
            "\u0000",
            "\u00ad",
            "\ufffd",
            "\ufeff",
            "\u202e",
            "\n",
            "\r\n",
            "\t",
            "\u3000",
            "\u00a0",
            "\u1100\u1161",
            "\u0e33",
            "\u093c",
            "q\u0307\u0323",
            "\ud83d",
            "\udc00",
            "##",
            "</w>",
            "<s>",
            "[MASK]",
            "[SEP]",
            "1",
            "12",
            "'s",
            ".",
            "(",
            "\\",
            "x".repeat(50),
            " ".repeat(30));
    private static final List<String> BEHAVIORS =
            List.of("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous");
    private static final List<String> PATTERNS = new ArrayList<>(new TreeSet<>(TestedTokenizers.patterns()));
    private static final int DEEPEST = 3;
    private static final int UNITS = 256;

    private final SplittableRandom random;

    private TokenizerFuzz(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** @param arguments first seed, and the one after the last */
    public static void main(String[] arguments) throws IOException {
        int tested = 0;
        for (long seed = Long.parseLong(arguments[0]); seed < Long.parseLong(arguments[1]); seed++) {
            byte[] json = new TokenizerFuzz(seed).tokenizer();
            if (TestedTokenizers.contain(json)) {
                System.out.println(seed);
                new TokenizerFuzz(-seed).tokenize(json);
                tested++;
            }
        }
        System.out.println(tested + " tested");
    }

    private void tokenize(byte[] json) throws IOException {
        List<String> texts = new ArrayList<>(List.of(
                "",
                "the cat sat, isn't it?  42 é 狐狸 🦉\n\n x",
                " ".repeat(3000) + "x",
                "ab".repeat(2000),
                "e\u0301".repeat(500)));
        IntStream.range(0, 6).forEach(i -> texts.add(text(12)));
        try (NativeTokenizer tokenizer = NativeTokenizer.read(json, Sessions.shared())) {
            for (String text : texts) {
                tokenizer.encode(text, null, false);
                tokenizer.encode(text, null, true);
                tokenizer.encode(text, texts.getLast(), true);
            }
        } catch (RuntimeException refused) {
            // Most have no token for some text.
        }
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean coin() {
        return random.nextBoolean();
    }

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, random.nextInt(most + 1)).forEach(i -> text.append(pick(PIECES)));
        return text.toString();
    }

    private String character() {
        return pick(PIECES).substring(0, 1);
    }

    private <T> List<T> some(int most, Supplier<T> value) {
        return Stream.generate(value).limit(random.nextInt(most + 1)).toList();
    }

    private static Map<String, @Nullable Object> record(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            record.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return record;
    }

    private byte[] tokenizer() {
        return Json.toBytes(record(
                "version",
                "1.0",
                "added_tokens",
                some(5, this::added),
                "normalizer",
                random.nextInt(5) == 0 ? null : normalizer(0),
                "pre_tokenizer",
                random.nextInt(5) == 0 ? null : preTokenizer(0),
                "post_processor",
                coin() ? null : postProcessor(0),
                "decoder",
                coin() ? null : decoder(0),
                "model",
                model()));
    }

    private Map<String, @Nullable Object> added() {
        return record(
                "id",
                random.nextInt(30),
                "content",
                text(2),
                "single_word",
                coin(),
                "lstrip",
                coin(),
                "rstrip",
                coin(),
                "normalized",
                coin(),
                "special",
                coin());
    }

    private Map<String, @Nullable Object> normalizer(int depth) {
        return switch (random.nextInt(depth < DEEPEST ? 12 : 10)) {
            case 0 ->
                record(
                        "type",
                        "BertNormalizer",
                        "clean_text",
                        coin(),
                        "handle_chinese_chars",
                        coin(),
                        "strip_accents",
                        coin() ? null : coin(),
                        "lowercase",
                        coin());
            case 1, 2 -> record("type", pick(List.of("NFC", "NFD", "NFKC", "NFKD")));
            case 3 -> record("type", pick(List.of("Lowercase", "Nmt", "StripAccents")));
            case 4 -> record("type", "Prepend", "prepend", text(2));
            case 5 -> record("type", "Strip", "strip_left", coin(), "strip_right", coin());
            case 6 -> record("type", "Replace", "pattern", record("String", text(2)), "content", text(1));
            case 7, 8 ->
                record(
                        "type",
                        "Replace",
                        "pattern",
                        record("Regex", pick(PATTERNS)),
                        "content",
                        pick(List.of("", " ", "▁", "x")));
            case 9 -> record("type", "Precompiled", "precompiled_charsmap", characterMap());
            default -> record("type", "Sequence", "normalizers", some(4, () -> normalizer(depth + 1)));
        };
    }

    /** A map of "A" to "a", of which some have bits flipped. */
    private String characterMap() {
        byte[] map = map();
        for (int i = 0; i < random.nextInt(4); i++) {
            int unit = Integer.BYTES * pick(List.of(1, 2, 1 + 'A')) + random.nextInt(Integer.BYTES);
            map[coin() ? unit : random.nextInt(map.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return Base64.getEncoder().encodeToString(map);
    }

    /** The double array leads from unit 0 by "A" to the unit of that place, and from there to the leaf in unit 1. */
    static byte[] map() {
        byte[] replacements = "a\0".getBytes(StandardCharsets.UTF_8);
        ByteBuffer map = ByteBuffer.allocate((1 + UNITS) * Integer.BYTES + replacements.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        map.putInt(0, UNITS * Integer.BYTES);
        map.putInt((1 + 1) * Integer.BYTES, Integer.MIN_VALUE);
        map.putInt((1 + 'A') * Integer.BYTES, 'A' | 1 << 8 | ('A' ^ 1) << 10);
        map.put((1 + UNITS) * Integer.BYTES, replacements);
        return map.array();
    }

    private Map<String, @Nullable Object> preTokenizer(int depth) {
        return switch (random.nextInt(depth < DEEPEST ? 10 : 8)) {
            case 0 -> record("type", pick(List.of("BertPreTokenizer", "Whitespace", "WhitespaceSplit")));
            case 1 -> byteLevel();
            case 2, 3 -> record("type", "Digits", "individual_digits", coin());
            case 4 ->
                record(
                        "type",
                        "Metaspace",
                        "replacement",
                        coin() ? "▁" : character(),
                        "prepend_scheme",
                        pick(List.of("always", "first", "never")),
                        "split",
                        coin());
            case 5 -> record("type", "Punctuation", "behavior", pick(BEHAVIORS));
            case 6, 7 ->
                record(
                        "type",
                        "Split",
                        "pattern",
                        coin() ? record("Regex", pick(PATTERNS)) : record("String", text(2)),
                        "behavior",
                        pick(BEHAVIORS),
                        "invert",
                        coin());
            default -> record("type", "Sequence", "pretokenizers", some(4, () -> preTokenizer(depth + 1)));
        };
    }

    private Map<String, @Nullable Object> byteLevel() {
        return record("type", "ByteLevel", "add_prefix_space", coin(), "trim_offsets", coin(), "use_regex", coin());
    }

    private Map<String, @Nullable Object> postProcessor(int depth) {
        return switch (random.nextInt(depth < DEEPEST ? 6 : 4)) {
            case 0 ->
                record(
                        "type",
                        "BertProcessing",
                        "sep",
                        List.of(text(1), random.nextInt(9)),
                        "cls",
                        List.of(text(1), random.nextInt(9)));
            case 1 ->
                record(
                        "type",
                        "RobertaProcessing",
                        "sep",
                        List.of("[SEP]", 3),
                        "cls",
                        List.of(text(1), 0),
                        "trim_offsets",
                        coin(),
                        "add_prefix_space",
                        coin());
            case 2 -> byteLevel();
            case 3 ->
                record(
                        "type",
                        "TemplateProcessing",
                        "single",
                        some(4, this::piece),
                        "pair",
                        some(4, this::piece),
                        "special_tokens",
                        record("[SEP]", special(), "[CLS]", special()));
            default -> record("type", "Sequence", "processors", some(3, () -> postProcessor(depth + 1)));
        };
    }

    private Map<String, @Nullable Object> piece() {
        return random.nextInt(3) == 0
                ? record(
                        "SpecialToken",
                        record("id", pick(List.of("[SEP]", "[CLS]", "no")), "type_id", random.nextInt(3)))
                : record("Sequence", record("id", coin() ? "A" : "B", "type_id", random.nextInt(3)));
    }

    private Map<String, @Nullable Object> special() {
        return record("id", text(1), "ids", some(2, () -> random.nextInt(10)), "tokens", some(2, () -> text(1)));
    }

    private Map<String, @Nullable Object> decoder(int depth) {
        return switch (random.nextInt(depth < DEEPEST ? 8 : 7)) {
            case 0 -> record("type", pick(List.of("ByteFallback", "Fuse", "ByteLevel")));
            case 1, 3 -> record("type", "BPEDecoder", "suffix", text(1));
            case 2 -> record("type", "WordPiece", "prefix", text(1), "cleanup", coin());
            case 4 -> record("type", "Strip", "content", character(), "start", random.nextInt(5), "stop", 1);
            case 5 -> record("type", "Metaspace", "replacement", "▁", "prepend_scheme", "always", "split", coin());
            case 6 -> record("type", "Replace", "pattern", record("String", "▁"), "content", " ");
            default -> record("type", "Sequence", "decoders", some(3, () -> decoder(depth + 1)));
        };
    }

    private Map<String, @Nullable Object> model() {
        Map<String, @Nullable Object> vocabulary = new LinkedHashMap<>();
        IntStream.range(0, random.nextInt(25)).forEach(i -> vocabulary.put(text(2), i));
        List.of("[UNK]", "a", "b", "ab", "▁", "Ġ").forEach(piece -> vocabulary.put(piece, vocabulary.size() + 25));
        String unknown = coin() ? "[UNK]" : text(1);
        return switch (random.nextInt(4)) {
            case 0 ->
                record(
                        "type",
                        "BPE",
                        "unk_token",
                        coin() ? null : unknown,
                        "continuing_subword_prefix",
                        random.nextInt(3) == 0 ? text(1) : null,
                        "end_of_word_suffix",
                        coin() ? null : text(1),
                        "fuse_unk",
                        coin(),
                        "byte_fallback",
                        coin(),
                        "ignore_merges",
                        coin(),
                        "vocab",
                        vocabulary,
                        "merges",
                        some(5, () -> merge(vocabulary)));
            case 1 ->
                record(
                        "type",
                        "WordPiece",
                        "unk_token",
                        unknown,
                        "continuing_subword_prefix",
                        coin() ? "##" : text(1),
                        "max_input_chars_per_word",
                        pick(List.of(0, 1, 100, 1000)),
                        "vocab",
                        vocabulary);
            case 2 -> record("type", "WordLevel", "vocab", vocabulary, "unk_token", unknown);
            default ->
                record(
                        "type",
                        "Unigram",
                        "unk_id",
                        coin() ? null : random.nextInt(vocabulary.size() + 2),
                        "vocab",
                        vocabulary.keySet().stream()
                                .map(piece -> List.of(piece, pick(List.of(-1.5, -9.0, 0.0, 1e300, -1e300, 1e-320))))
                                .toList(),
                        "byte_fallback",
                        coin());
        };
    }

    /** Most merges make a piece that the vocabulary has. */
    private Object merge(Map<String, @Nullable Object> vocabulary) {
        String first = pick(List.copyOf(vocabulary.keySet()));
        String second = pick(List.copyOf(vocabulary.keySet()));
        vocabulary.putIfAbsent(first + second, vocabulary.size() + 25);
        return coin() ? List.of(first, second) : first + " " + second;
    }
}
