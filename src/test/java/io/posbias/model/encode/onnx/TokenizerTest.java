package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.StandIns;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerTest {
    @TempDir
    Path temp;

    /** The file in MiniLM's jar; it says to cut at 128 tokens and to pad to 128. */
    static Tokenizer miniLm() throws IOException {
        String name = "all-minilm-l6-v2-tokenizer.json";
        try (InputStream in = Objects.requireNonNull(TokenizerTest.class.getResourceAsStream("/" + name))) {
            return Tokenizer.read(name, in.readAllBytes(), Sessions.shared());
        }
    }

    private Tokenizer parse(String json) {
        return Tokenizer.read("made.json", json.getBytes(StandardCharsets.UTF_8), Sessions.shared());
    }

    private static List<String> pieces(Tokenizer tokenizer, String text) {
        Tokens tokens = tokenizer.tokenize(text);
        return IntStream.range(0, tokens.size())
                .mapToObj(i -> text.substring(tokens.starts()[i], tokens.ends()[i]))
                .toList();
    }

    @Test
    void offsetsAreInUtf16WhateverStandsBefore() throws IOException {
        try (Tokenizer tokenizer = miniLm()) {
            assertThat(pieces(tokenizer, "Café 🦉 owl 狐狸, naïve 👩‍👩‍👧 end"))
                    .startsWith("Café", "🦉", "owl", "狐", "狸", ",", "naïve")
                    .endsWith("end");
            // An accent of its own is no part of a token; what follows is not shifted by it.
            assertThat(pieces(tokenizer, "Cafe\u0301 🦉🦉 x")).containsExactly("Cafe", "🦉🦉", "x");
            assertThat(pieces(tokenizer, "hydrangeaceous")).hasSizeGreaterThan(1);
            assertThat(String.join("", pieces(tokenizer, "hydrangeaceous"))).isEqualTo("hydrangeaceous");
        }
    }

    private Tokenizer words(String vocabulary, String added) {
        return parse("{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[" + added
                + "],\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"Whitespace\"},\"post_processor\":null,"
                + "\"decoder\":null,\"model\":{\"type\":\"WordLevel\",\"vocab\":{" + vocabulary
                + "},\"unk_token\":\"[UNK]\"}}");
    }

    @Test
    void aVocabularyWithoutItsUnknownTokenIsOneLine() {
        try (Tokenizer tokenizer = words("\"a\":0", "")) {
            assertThat(tokenizer.tokenize("a a").ids()).containsExactly(0, 0);
            assertThatThrownBy(() -> tokenizer.tokenize("a b"))
                    .isInstanceOf(PosbiasException.class)
                    .message()
                    .contains("made.json")
                    .contains("[UNK]")
                    .contains("tokenizer.json");
        }
    }

    @Test
    void idsThatNoModelHasAreOneLine() {
        try (Tokenizer tokenizer = words("\"a\":3000000000,\"[UNK]\":1", "")) {
            assertThatThrownBy(() -> tokenizer.id("a"))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("made.json", "\"a\"", "3000000000", "2^31");
            assertThatThrownBy(() -> tokenizer.tokenize("a"))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("3000000000", "2^31");
        }
    }

    /** The characters that stand for bytes in byte-level vocabularies (Radford et al. 2019). */
    private static List<String> byteCharacters() {
        List<String> characters = new ArrayList<>();
        int other = 256;
        for (int b = 0; b < 256; b++) {
            boolean plain = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE);
            characters.add(Character.toString(plain ? b : other++));
        }
        return characters;
    }

    @Test
    void bytesOfOneCharacterStandWhereItStands() {
        List<String> bytes = byteCharacters();
        String vocabulary = IntStream.range(0, 256)
                .mapToObj(i -> "\"" + (bytes.get(i).matches("[\"\\\\]") ? "\\" : "") + bytes.get(i) + "\":" + i)
                .collect(Collectors.joining(","));
        try (Tokenizer tokenizer = parse("""
                {"version":"1.0","pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":false,
                "use_regex":false},"model":{"type":"BPE","vocab":{%s},"merges":[]}}""".formatted(vocabulary))) {
            assertThat(pieces(tokenizer, "a🦉é")).containsExactly("a", "🦉", "🦉", "🦉", "🦉", "é", "é");
        }
    }

    @Test
    void theFilesOwnCutAndPaddingDoNotCount() throws IOException {
        try (Tokenizer tokenizer = miniLm()) {
            assertThat(tokenizer.tokenize("word ".repeat(1_000)).size()).isEqualTo(1_000);
            assertThat(tokenizer.tokenize("word").ids()).hasSize(1);
            assertThat(tokenizer.tokenize("").size()).isZero();
        }
        String words = new String(WordTokenizer.of(StandIns.WORDS).toJson(), StandardCharsets.UTF_8);
        String blocks = words.replace(
                        "\"truncation\" : null",
                        "\"truncation\" : {\"direction\": \"Right\", \"max_length\": 3, \"strategy\": \"LongestFirst\","
                                + " \"stride\": 0}")
                .replace(
                        "\"padding\" : null",
                        "\"padding\" : {\"strategy\": {\"Fixed\": 9}, \"direction\": \"Right\","
                                + " \"pad_to_multiple_of\": null, \"pad_id\": 4, \"pad_type_id\": 0, \"pad_token\": \"[MASK]\"}");
        assertThat(blocks).isNotEqualTo(words).contains("Fixed", "max_length");
        try (Tokenizer tokenizer = parse(blocks)) {
            assertThat(tokenizer.tokenize("a b c d e").ids()).containsExactly(5, 6, 7, 8, 9);
            assertThat(tokenizer.single().size()).isEqualTo(2);
            assertThat(tokenizer.padId()).isEqualTo(4);
        }
    }

    @Test
    void templatesAreReadFromTheTokenizer() throws IOException {
        try (Tokenizer tokenizer = miniLm()) {
            assertThat(tokenizer.single().around(new int[] {7})).containsExactly(101, 7, 102);
            Template pair = tokenizer.pair();
            assertThat(pair.around(new int[] {7}, new int[] {8, 9})).containsExactly(101, 7, 102, 8, 9, 102);
            assertThat(pair.typesAround(1, 2)).containsExactly(0, 0, 0, 1, 1, 1);
            assertThat(tokenizer.padId()).isZero();
        }
        // "a" is unknown here: the letter that the template is looked up with need not be.
        byte[] json = WordTokenizer.of(List.of("owl")).toJson();
        try (Tokenizer tokenizer = Tokenizer.read("words", json, Sessions.shared())) {
            assertThat(tokenizer.single().around(new int[] {5})).containsExactly(2, 5, 3);
            assertThat(tokenizer.pair().around(new int[] {5}, new int[] {6})).containsExactly(2, 5, 3, 6, 3);
        }
    }

    @Test
    void idsAreFoundInEveryFormOfVocabulary() throws IOException {
        try (Tokenizer words =
                Tokenizer.read("words", WordTokenizer.of(StandIns.WORDS).toJson(), Sessions.shared())) {
            assertThat(words.id("c")).isEqualTo(7);
            assertThatThrownBy(() -> words.id("fox"))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("tokenizer words", "\"fox\"");
        }
        try (Tokenizer pieces = miniLm()) {
            assertThat(pieces.id("[SEP]")).isEqualTo(102);
            assertThat(pieces.id("owl")).isEqualTo(pieces.tokenize("owl").ids()[0]);
        }
        try (Tokenizer unigram = parse("""
                {"version":"1.0","added_tokens":[{"id":3,"content":"<x>","single_word":false,"lstrip":false,
                "rstrip":false,"normalized":false,"special":true}],"pre_tokenizer":{"type":"Metaspace",
                "replacement":"▁","prepend_scheme":"always"},
                "model":{"type":"Unigram","unk_id":0,"vocab":[["<pad>",0.0],["▁a",-1.0],["▁owl",-2.0]]}}""")) {
            assertThat(unigram.id("▁owl")).isEqualTo(2);
            assertThat(unigram.id("<x>")).isEqualTo(3);
            assertThat(unigram.padId()).isZero();
            assertThat(unigram.tokenize("owl a").ids()).containsExactly(2, 1);
            assertThat(unigram.single().size()).isZero();
        }
    }

    /** A word tokenizer with another pattern in the place of its own. */
    private Tokenizer split(String pattern) {
        String words = new String(WordTokenizer.of(StandIns.WORDS).toJson(), StandardCharsets.UTF_8);
        String own = "[\\\\p{Han}\\\\p{Hiragana}\\\\p{Katakana}\\\\p{Thai}]";
        assertThat(words).contains(own);
        return parse(words.replace(own, pattern));
    }

    @Test
    void anUnknownPatternGivesTheTokensOfAKnownOne() {
        String text = "a 狐狸 b🦉, \ud83d c. ";
        try (Tokenizer known =
                        Tokenizer.read("w", WordTokenizer.of(StandIns.WORDS).toJson(), Sessions.shared());
                Tokenizer unknown = split("[\\\\p{Han}\\\\p{Thai}]")) {
            assertThat(unknown.isIsolated()).isTrue();
            assertThat(known.isIsolated()).isFalse();
            assertThat(unknown.tokenize(text)).usingRecursiveComparison().isEqualTo(known.tokenize(text));
            assertThat(unknown.pair()).usingRecursiveComparison().isEqualTo(known.pair());
            assertThat(unknown.tokenize("").size()).isZero();
            int[] counts = IntStream.range(0, 200)
                    .parallel()
                    .map(i -> unknown.tokenize("a ".repeat(i)).size())
                    .toArray();
            assertThat(counts).containsExactly(IntStream.range(0, 200).toArray());
        }
    }

    /** It ended the process with exit code 134. */
    @Test
    void aPatternWithoutEndIsOneLine() {
        try (Tokenizer tokenizer = split("(a+)+$")) {
            assertThat(tokenizer.tokenize("a b").size()).isEqualTo(2);
            for (String text : List.of("a".repeat(40) + "c", "a b")) {
                assertThatThrownBy(() -> tokenizer.tokenize(text))
                        .isInstanceOf(PosbiasException.class)
                        .hasMessageContainingAll("made.json", text.length() + " characters", "retry-limit-in-match");
            }
        }
    }

    @Test
    @Tag("slow")
    void aFileWithoutEndIsOneLine() {
        String template = new String(WordTokenizer.of(StandIns.WORDS).toJson(), StandardCharsets.UTF_8)
                .replaceFirst("\"special_tokens\"", "\"special_tokens\":{},\"others\"");
        try (Tokenizer tokenizer = parse(template)) {
            assertThatThrownBy(tokenizer::single).isInstanceOf(PosbiasException.class);
        }
        String ten = Stream.generate(
                        () -> "{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"aaaaaaaaaa\"}")
                .limit(12)
                .collect(Collectors.joining(","));
        String growing = new String(WordTokenizer.of(StandIns.WORDS).toJson(), StandardCharsets.UTF_8)
                .replaceFirst(
                        "\"normalizer\" : \\{[^}]*}",
                        "\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[" + ten + "]}");
        try (Tokenizer tokenizer = parse(growing)) {
            assertThatThrownBy(() -> tokenizer.tokenize("a"))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContaining("the library takes too ");
        }
    }

    /** A tested pattern takes too many steps for ten million spaces, which ended the process. */
    @Test
    @Tag("slow")
    void aVeryLongTextIsIsolated() {
        String llama3 = TestedTokenizers.patterns().stream()
                .filter(pattern -> pattern.contains("{1,3}| ?[^\\s"))
                .sorted()
                .findFirst()
                .orElseThrow();
        String json = """
                {"version":"1.0","pre_tokenizer":{"type":"Split","pattern":{"Regex":%s},"behavior":"Removed","invert":false},
                "model":{"type":"WordLevel","vocab":{"a":0,"[UNK]":1},"unk_token":"[UNK]"}}""".formatted(new String(Json.toLine(llama3), StandardCharsets.UTF_8));
        try (Tokenizer tokenizer = parse(json)) {
            assertThat(tokenizer.isIsolated()).isFalse();
            assertThat(tokenizer.tokenize("a ".repeat(600_000)).size()).isZero();
            assertThatThrownBy(() -> tokenizer.tokenize(" ".repeat(12_000_000) + "a"))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("12000001 characters", "retry-limit-in-match");
        }
    }

    @Test
    void whatIsNoTokenizerIsOneLine() {
        assertThatThrownBy(() -> parse("{}"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith("cannot read the tokenizer made.json: ")
                .satisfies(error ->
                        assertThat(String.valueOf(error.getMessage()).lines()).hasSize(1));
    }

    @Test
    void rowsAreCutAtTheLimitWithSpecialTokensAndPrompt() {
        try (Tokenizer tokenizer =
                Tokenizer.read("w", WordTokenizer.of(StandIns.WORDS).toJson(), Sessions.shared())) {
            TextRows rows = new TextRows(tokenizer, tokenizer.single(), "h: ", 7);
            TokenRow row = rows.row("a b c d e");
            // "h" and ":" of the prompt and three words fit between [CLS] and [SEP].
            assertThat(row.ids()).containsExactly(2, 12, 1, 5, 6, 7, 3);
            assertThat(row.prompt()).isEqualTo(3);
            assertThat(row.seen()).isEqualTo("a b c".length());
            assertThat(rows.row("a b c").seen()).isEqualTo(TokenRow.WHOLE);
            // Each Chinese character is a word.
            assertThat(rows.row("🦉 é 狐狸 d").seen()).isEqualTo("🦉 é 狐".length());
        }
    }

    @Test
    void longAndEmptyTextsMakeRows() {
        try (Tokenizer tokenizer =
                Tokenizer.read("w", WordTokenizer.of(StandIns.WORDS).toJson(), Sessions.shared())) {
            TextRows rows = new TextRows(tokenizer, tokenizer.single(), "", 512);
            TokenRow row = rows.row("a ".repeat(100_000));
            assertThat(row.size()).isEqualTo(512);
            assertThat(row.seen()).isEqualTo(2 * 510 - 1);
            assertThat(rows.row("").ids()).containsExactly(2, 3);
            assertThat(rows.row("").seen()).isEqualTo(TokenRow.WHOLE);
            // A prompt longer than the limit: nothing of the text is seen.
            TextRows prompted = new TextRows(tokenizer, tokenizer.single(), "a b c d ", 5);
            assertThat(prompted.row("e").seen()).isZero();
            assertThat(prompted.row("e").size()).isEqualTo(5);
        }
    }

    @Test
    void appendedTokensAreNotDoubled() {
        Template template = new Template(new int[] {2}, new int[0], new int[] {4, 3}, new int[5]);
        assertThat(template.append(new int[] {3})).isSameAs(template);
        assertThat(template.append(new int[] {4, 3})).isSameAs(template);
        assertThat(template.append(new int[] {4}).after()).containsExactly(4, 3, 4);
        assertThat(template.append(new int[] {9, 4, 3}).after()).containsExactly(4, 3, 9, 4, 3);
    }

    private static List<List<Integer>> batches(int budget, boolean mayPad, int... sizes) {
        List<TokenRow> rows = Arrays.stream(sizes)
                .mapToObj(size -> new TokenRow(new int[size], new int[size], 0, 0, TokenRow.WHOLE))
                .toList();
        return BatchRunner.batches(rows, budget, mayPad);
    }

    @Test
    void batchesHoldRowsOfOneLengthWithinTheBudget() {
        assertThat(batches(10, false, 5, 4, 5, 5, 4, 20))
                .containsExactly(List.of(5), List.of(0, 2), List.of(3), List.of(1, 4));
        assertThat(batches(1, false, 2, 2)).containsExactly(List.of(0), List.of(1));
        assertThat(batches(100, false)).isEmpty();
    }

    @Test
    void paddedBatchesTakeAnEighthLess() {
        assertThat(batches(1_000, true, 80, 70, 69, 60)).containsExactly(List.of(0, 1), List.of(2), List.of(3));
        assertThat(batches(160, true, 80, 75, 74)).containsExactly(List.of(0, 1), List.of(2));
        assertThat(batches(1_000, true, 7, 6)).containsExactly(List.of(0), List.of(1));
    }

    @Test
    void everyRowIsInOneBatch() {
        int[] sizes = IntStream.range(0, 500).map(i -> 1 + (i * 7919) % 97).toArray();
        for (boolean mayPad : new boolean[] {false, true}) {
            assertThat(batches(300, mayPad, sizes).stream().flatMap(List::stream))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 500).boxed().toList());
        }
    }
}
