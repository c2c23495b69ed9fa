package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.faults.Campaign;
import io.posbias.model.encode.StandIns;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TestedTokenizersTest {
    private static final String WORDS =
            "{\"type\":\"WordLevel\",\"vocab\":{\"a\":0,\"[UNK]\":1},\"unk_token\":\"[UNK]\"}";
    private static final String BPE = "{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[\"a b\"]";
    private static final String MAP = Base64.getEncoder().encodeToString(TokenizerFuzz.map());
    private static final String GPT2 =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\\\p{L}+| ?\\\\p{N}+| ?[^\\\\s\\\\p{L}\\\\p{N}]+|\\\\s+(?!\\\\S)|\\\\s+";
    private static final String LLAMA3 =
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}{1,3}|"
                    + " ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+";

    private static final List<String> UNITS =
            List.of(" ", "a", "A", "aA", "1", ".", "'", "\n", " \n", "狐", "e\u0301", "\u0301", "🦉");

    @TempDir
    Path temp;

    private static boolean isTested(String json) {
        return TestedTokenizers.contain(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String file(String members) {
        return "{\"version\":\"1.0\",\"added_tokens\":[]," + members + ",\"model\":" + WORDS + "}";
    }

    private static String split(String pattern) {
        return "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"" + pattern
                + "\"},\"behavior\":\"Isolated\",\"invert\":false}";
    }

    private static String sequence(String name, String... parts) {
        return "{\"type\":\"Sequence\",\"" + name + "\":[" + String.join(",", parts) + "]}";
    }

    private static String replace(String pattern, String content) {
        return "{\"type\":\"Replace\",\"pattern\":" + pattern + ",\"content\":\"" + content + "\"}";
    }

    private static String template(String single, String pair) {
        return "{\"type\":\"TemplateProcessing\",\"single\":[" + single + "],\"pair\":[" + pair
                + "],\"special_tokens\":{\"</s>\":{\"id\":\"</s>\",\"ids\":[2],\"tokens\":[\"</s>\"]}}}";
    }

    private static String text(String which) {
        return "{\"Sequence\":{\"id\":\"" + which + "\",\"type_id\":0}}";
    }

    private static final String END = "{\"SpecialToken\":{\"id\":\"</s>\",\"type_id\":0}}";
    private static final String BYTES = "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true}";
    private static final String SPACES = "{\"type\":\"Metaspace\",\"replacement\":\"▁\",\"prepend_scheme\":\"always\"}";

    private static String added(String content, boolean lstrip, boolean normalized) {
        return "\"added_tokens\":[{\"id\":5,\"content\":\"" + content + "\",\"single_word\":false,\"lstrip\":" + lstrip
                + ",\"rstrip\":false,\"normalized\":" + normalized + ",\"special\":true}]";
    }

    private static String withAdded(String added, String members) {
        return file(members).replace("\"added_tokens\":[]", added);
    }

    /** Forms of files on the Hub, without their vocabularies. */
    static Stream<Arguments> published() {
        String precompiled = "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"" + MAP + "\"}";
        String bert = "\"normalizer\":{\"type\":\"BertNormalizer\",\"clean_text\":true,\"handle_chinese_chars\":true,"
                + "\"strip_accents\":null,\"lowercase\":true},\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},"
                + "\"decoder\":{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true},\"post_processor\":";
        return Stream.of(
                Arguments.of("BERT", file(bert + template(text("A") + "," + END, text("A") + "," + text("B")))),
                Arguments.of(
                        "GPT-2",
                        "{\"pre_tokenizer\":" + BYTES + ",\"post_processor\":" + BYTES + ",\"decoder\":" + BYTES
                                + ",\"model\":{\"dropout\":null,\"continuing_subword_prefix\":\"\",\"vocab\":{},\"merges\":[]}}"),
                Arguments.of(
                        "RoBERTa",
                        withAdded(
                                added("<mask>", true, false),
                                "\"pre_tokenizer\":" + BYTES
                                        + ",\"post_processor\":{\"type\":\"RobertaProcessing\",\"sep\":[\"</s>\",2],"
                                        + "\"cls\":[\"<s>\",0],\"trim_offsets\":true,\"add_prefix_space\":false}")),
                Arguments.of(
                        "Llama 3",
                        file("\"pre_tokenizer\":" + sequence("pretokenizers", split(LLAMA3), BYTES)
                                + ",\"post_processor\":"
                                + sequence("processors", BYTES, template(text("A"), text("A") + "," + text("B"))))),
                Arguments.of(
                        "Qwen3",
                        file("\"normalizer\":{\"type\":\"NFC\"},\"pre_tokenizer\":"
                                + sequence("pretokenizers", split(LLAMA3.replace("{1,3}", "")), BYTES))),
                Arguments.of("OLMo", file("\"pre_tokenizer\":" + sequence("pretokenizers", split(GPT2), BYTES))),
                Arguments.of(
                        "DeBERTa-v2 of transformers 5",
                        file("\"normalizer\":"
                                + sequence(
                                        "normalizers",
                                        replace("{\"Regex\":\"\\\\s{2,}|[\\\\n\\\\r\\\\t]\"}", " "),
                                        "{\"type\":\"NFC\"}",
                                        "{\"type\":\"Strip\",\"strip_left\":false,\"strip_right\":true}")
                                + ",\"pre_tokenizer\":" + sequence("pretokenizers", SPACES))),
                Arguments.of("BLOOM", file("\"pre_tokenizer\":" + split(" ?[^(\\\\s|[.,!?…。，、।۔،])]+"))),
                Arguments.of(
                        "XLM-RoBERTa",
                        withAdded(
                                added("<mask>", true, false),
                                "\"normalizer\":"
                                        + sequence("normalizers", precompiled, replace("{\"Regex\":\" {2,}\"}", " "))
                                        + ",\"pre_tokenizer\":"
                                        + sequence("pretokenizers", "{\"type\":\"WhitespaceSplit\"}", SPACES))),
                Arguments.of(
                        "T5",
                        file("\"normalizer\":"
                                + sequence(
                                        "normalizers",
                                        precompiled,
                                        "{\"type\":\"Strip\",\"strip_left\":false,\"strip_right\":true}",
                                        replace("{\"Regex\":\" {2,}\"}", "▁"))
                                + ",\"pre_tokenizer\":" + SPACES + ",\"decoder\":" + SPACES)),
                Arguments.of(
                        "ModernBERT",
                        withAdded(
                                added("  ", false, true),
                                "\"normalizer\":{\"type\":\"NFC\"},\"pre_tokenizer\":" + BYTES)),
                Arguments.of(
                        "Llama 2",
                        file("\"normalizer\":"
                                + sequence(
                                        "normalizers",
                                        "{\"type\":\"Prepend\",\"prepend\":\"▁\"}",
                                        replace("{\"String\":\" \"}", "▁"))
                                + ",\"pre_tokenizer\":null,\"decoder\":"
                                + sequence(
                                        "decoders",
                                        replace("{\"String\":\"▁\"}", " "),
                                        "{\"type\":\"ByteFallback\"}",
                                        "{\"type\":\"Fuse\"}",
                                        "{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":0}"))),
                Arguments.of(
                        "Gemma",
                        file("\"normalizer\":" + replace("{\"String\":\" \"}", "▁")
                                + ",\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"String\":\" \"},"
                                + "\"behavior\":\"MergedWithPrevious\",\"invert\":false}")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("published")
    void tokenizersOfTheHubStayInTheProcess(String name, String json) {
        assertThat(isTested(json)).as(name).isTrue();
    }

    @Test
    void ownTokenizersStayInTheProcess() throws IOException {
        String miniLm = "/all-minilm-l6-v2-tokenizer.json";
        try (InputStream in = Objects.requireNonNull(TestedTokenizersTest.class.getResourceAsStream(miniLm))) {
            assertThat(TestedTokenizers.contain(in.readAllBytes())).isTrue();
        }
        assertThat(TestedTokenizers.contain(WordTokenizer.of(StandIns.WORDS).toJson()))
                .isTrue();
    }

    /** Each of these ended the process, or did not end; found by {@link TokenizerFuzz} and by hand. */
    static Stream<Arguments> hostile() {
        String spaces = "\"normalizer\":{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":true}";
        String empty = "\"normalizer\":" + replace("{\"String\":\"é\"}", "");
        String prepends = "\"normalizer\":{\"type\":\"Prepend\",\"prepend\":\"\"}";
        return Stream.of(
                Arguments.of("nested quantifiers", file("\"pre_tokenizer\":" + split("(a+)+$"))),
                Arguments.of("two ways", file("\"pre_tokenizer\":" + split("(a|a)*$"))),
                Arguments.of("deep pattern", file("\"pre_tokenizer\":" + split("(".repeat(9) + "a" + ")".repeat(9)))),
                Arguments.of("in a sequence", file("\"pre_tokenizer\":" + sequence("pretokenizers", split("(a+)+$")))),
                Arguments.of("Replace", file("\"normalizer\":" + replace("{\"Regex\":\"(a+)+$\"}", "x"))),
                Arguments.of("Replace, longer", file("\"normalizer\":" + replace("{\"String\":\"a\"}", "aa"))),
                Arguments.of(
                        "Replace of a listed pattern, longer",
                        file("\"normalizer\":" + replace("{\"Regex\":\" {2,}\"}", "ab"))),
                Arguments.of("decoder", file("\"decoder\":" + replace("{\"Regex\":\"(a+)+$\"}", "x"))),
                Arguments.of("FixedLength", file("\"pre_tokenizer\":{\"type\":\"FixedLength\",\"length\":0}")),
                Arguments.of("Prepend", file(prepends)),
                Arguments.of("no type", file("\"normalizer\":{\"pattern\":{\"Regex\":\"(a+)+$\"},\"content\":\"\"}")),
                Arguments.of("a name twice", file("\"pre_tokenizer\":" + split("(a+)+$") + ",\"pre_tokenizer\":null")),
                Arguments.of(
                        "a name twice inside",
                        file("\"pre_tokenizer\":" + split(GPT2).replace("\"type\"", "\"type\":\"Digits\",\"type\""))),
                Arguments.of("parts", file("\"normalizer\":" + sequence("normalizers", strips(40)))),
                Arguments.of(
                        "template without its token",
                        file("\"post_processor\":" + template(END.replace('s', 'x'), END))),
                Arguments.of("template without a second text", file("\"post_processor\":" + template(text("B"), END))),
                Arguments.of(
                        "two templates",
                        file("\"post_processor\":" + sequence("processors", template(END, END), template(END, END)))),
                Arguments.of("empty map", file(precompiled(""))),
                Arguments.of("no map", file(precompiled("AAAA"))),
                Arguments.of("added, made empty", withAdded(added("é", false, true), empty)),
                Arguments.of("added spaces, made empty", withAdded(added("  ", false, true), spaces)),
                Arguments.of("added spaces", withAdded(added(" ", true, false), "\"normalizer\":null")),
                Arguments.of("added, long", withAdded(added("a".repeat(1_001), false, false), "\"normalizer\":null")),
                Arguments.of("prefix", "{\"model\":" + BPE + ",\"continuing_subword_prefix\":\"##\"}}"),
                Arguments.of("long words", "{\"model\":{\"vocab\":{},\"max_input_chars_per_word\":1000000}}"));
    }

    private static String[] strips(int count) {
        return Stream.generate(() -> "{\"type\":\"NFC\"}").limit(count).toArray(String[]::new);
    }

    private static String precompiled(String map) {
        return "\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"" + map + "\"}";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void othersLeaveTheProcess(String name, String json) {
        assertThat(isTested(json)).as(name).isFalse();
    }

    @Test
    void aCharacterMapIsFollowedToItsEnds() {
        assertThat(CharacterMap.isSound(MAP)).isTrue();
        int unit = Integer.BYTES * (1 + 'A');
        // Offsets out of the array: by "A", and at the root; a leaf that is none.
        assertThat(CharacterMap.isSound(changed(unit, 'A' | 1 << 8 | 300 << 10)))
                .isFalse();
        assertThat(CharacterMap.isSound(changed(Integer.BYTES, 256 << 10))).isFalse();
        assertThat(CharacterMap.isSound(changed(Integer.BYTES * 2, 0))).isFalse();
        // Values behind the replacements, at their end, and inside of a character.
        int value = Integer.BYTES * 2;
        assertThat(CharacterMap.isSound(changed(value, Integer.MIN_VALUE | 3))).isFalse();
        assertThat(CharacterMap.isSound(changed(value, Integer.MIN_VALUE | 2))).isTrue();
        byte[] accent = TokenizerFuzz.map();
        accent[accent.length - 2] = (byte) 0xC3;
        accent[accent.length - 1] = (byte) 0xA9;
        assertThat(CharacterMap.isSound(Base64.getEncoder().encodeToString(accent)))
                .isTrue();
        ByteBuffer.wrap(accent).order(ByteOrder.LITTLE_ENDIAN).putInt(value, Integer.MIN_VALUE | 1);
        assertThat(CharacterMap.isSound(Base64.getEncoder().encodeToString(accent)))
                .isFalse();
        accent[accent.length - 1] = 'a';
        assertThat(CharacterMap.isSound(Base64.getEncoder().encodeToString(accent)))
                .isFalse();
    }

    private static String changed(int at, int unit) {
        ByteBuffer map = ByteBuffer.wrap(TokenizerFuzz.map()).order(ByteOrder.LITTLE_ENDIAN);
        return Base64.getEncoder().encodeToString(map.putInt(at, unit).array());
    }

    @Test
    @Tag("faults")
    @Tag("slow")
    void testedTokenizersEndNoProcess() throws IOException, InterruptedException {
        long seeds = Campaign.FULL ? 50_000 : 3_000;
        Path out = temp.resolve("out");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                TokenizerFuzz.class.getName(),
                String.valueOf(Campaign.SEED),
                String.valueOf(Campaign.SEED + seeds));
        int code = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start()
                .waitFor();
        List<String> lines = Files.readAllLines(out);
        assertThat(code)
                .as(String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size())))
                .isZero();
        assertThat(lines.getLast()).matches("[0-9]{3,} tested");
    }

    static Set<String> patterns() {
        return TestedTokenizers.patterns();
    }

    /** The longest text that stays in the process, of one character or two: a pattern goes over it many times. */
    @Tag("faults")
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("patterns")
    void patternsEndNoProcessOnLongTexts(String pattern) throws IOException {
        String quoted = new String(Json.toLine(pattern), StandardCharsets.UTF_8).strip();
        String json = file("\"pre_tokenizer\":" + split(quoted.substring(1, quoted.length() - 1)));
        assertThat(isTested(json)).isTrue();
        int length = Campaign.FULL ? Tokenizer.LONGEST_TESTED : 50_000;
        try (TokenizerProcess process =
                TokenizerProcess.read(json.getBytes(StandardCharsets.UTF_8), Sessions.shared())) {
            for (String unit : UNITS) {
                String text = unit.repeat(length / unit.length() - 1) + "x";
                assertThat(process.encode(text, null, false).ids()).as(unit).isNotEmpty();
            }
        }
    }
}
