package io.posbias.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hostile values in each field of tokenizer.json: Hugging Face's library ends its process at many of them. */
@Tag("faults")
@Tag("slow")
class TokenizerPartsTest {
    private static final String SORT = "parts of tokenizer.json";

    /** One of so many is tried where the campaign is not full. */
    private static final int FEW = Campaign.FULL ? 1 : 9;

    private static final List<String> PATTERNS = List.of(
            "(a+)+$",
            "(a|a)*$",
            "(a*)*\\1b",
            ".*.*.*.*.*.*.*.*=",
            "(?<x>\\((?:\\g<x>)*\\)|a)*b",
            "(".repeat(20_000) + "a" + ")".repeat(20_000),
            "(?:a{1,1000}){1,1000}b",
            "[",
            "(?i",
            "\\p{Nothing}",
            "",
            "\u0000",
            "(?=(?=(?!a)))");

    private static final List<String> TEXTS =
            List.of("", " ", "a", "aa", "\u0000", "\ufeff", "e\u0301", "\u0301", "🦉", "a".repeat(1_000_000));

    private static final List<Object> NUMBERS = List.of(0, -1, 1, 4_294_967_295L, 1e300, "x", Map.of());

    @TempDir
    Path temp;

    private final Map<String, Map<String, @Nullable Object>> faults = new LinkedHashMap<>();

    private void fault(String name, String field, @Nullable Object value) {
        faults.put(name + " " + faults.size(), record(field, value));
    }

    private static Map<String, @Nullable Object> record(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            record.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return record;
    }

    private static Map<String, @Nullable Object> split(Object pattern) {
        return record("type", "Split", "pattern", pattern, "behavior", "Isolated", "invert", false);
    }

    private static Map<String, @Nullable Object> replace(Object pattern, Object content) {
        return record("type", "Replace", "pattern", pattern, "content", content);
    }

    private static Map<String, @Nullable Object> sequence(String name, Object... parts) {
        return record("type", "Sequence", name, List.of(parts));
    }

    private void patterns() {
        for (String pattern : PATTERNS) {
            Map<String, @Nullable Object> regex = record("Regex", pattern);
            fault("Split", "pre_tokenizer", split(regex));
            fault(
                    "Split in a sequence",
                    "pre_tokenizer",
                    sequence("pretokenizers", sequence("pretokenizers", split(regex))));
            fault("Split of a text", "pre_tokenizer", split(record("String", pattern)));
            fault("Replace", "normalizer", replace(regex, "x"));
            fault("Replace in a sequence", "normalizer", sequence("normalizers", replace(regex, "")));
            fault("Replace of a text", "normalizer", replace(record("String", pattern), "x"));
            fault("decoder", "decoder", replace(regex, "x"));
        }
    }

    private void texts() {
        for (String text : TEXTS) {
            fault(
                    "Prepend",
                    "normalizer",
                    sequence("normalizers", record("type", "Prepend", "prepend", text), record("type", "NFC")));
            fault("content", "normalizer", replace(record("String", "a"), text));
            fault("map", "normalizer", record("type", "Precompiled", "precompiled_charsmap", text));
            fault("delimiter", "pre_tokenizer", record("type", "CharDelimiterSplit", "delimiter", text));
            fault(
                    "replacement",
                    "pre_tokenizer",
                    record("type", "Metaspace", "replacement", text, "prepend_scheme", "first"));
            fault("decoder", "decoder", record("type", "Strip", "content", text, "start", 1, "stop", 1));
            for (boolean normalized : new boolean[] {false, true}) {
                fault("added", "added_tokens", List.of(added(5, text, normalized), added(5, " ", false)));
            }
            fault(
                    "post-processor",
                    "post_processor",
                    record("type", "BertProcessing", "sep", List.of(text, 1), "cls", List.of(text, 2)));
            fault("prefix", "model", bpe(text));
        }
        fault(
                "growth",
                "normalizer",
                sequence("normalizers", copies(12, replace(record("String", "a"), "a".repeat(10)))));
        fault(
                "map of no end",
                "normalizer",
                record("type", "Precompiled", "precompiled_charsmap", "CAAAAAEAAAD/////AAAA"));
    }

    private static Object[] copies(int count, Object part) {
        return Collections.nCopies(count, part).toArray();
    }

    private static Map<String, @Nullable Object> added(int id, String content, boolean normalized) {
        return record(
                "id",
                id,
                "content",
                content,
                "single_word",
                false,
                "lstrip",
                true,
                "rstrip",
                true,
                "normalized",
                normalized,
                "special",
                true);
    }

    private static Map<String, @Nullable Object> bpe(String prefix) {
        return record(
                "type",
                "BPE",
                "continuing_subword_prefix",
                prefix,
                "vocab",
                Map.of("a", 0, "b", 1, "ab", 2),
                "merges",
                List.of("a b"));
    }

    private void numbers() {
        for (Object number : NUMBERS) {
            fault("FixedLength", "pre_tokenizer", record("type", "FixedLength", "length", number));
            fault("Digits", "pre_tokenizer", record("type", "Digits", "individual_digits", number));
            fault("BertNormalizer", "normalizer", record("type", "BertNormalizer", "clean_text", number));
            fault("added", "added_tokens", List.of(record("id", number, "content", "a")));
            fault("truncation", "truncation", record("max_length", number, "strategy", "LongestFirst", "stride", 3));
            fault("padding", "padding", record("strategy", record("Fixed", number), "pad_id", 0));
            fault(
                    "word",
                    "model",
                    record(
                            "type",
                            "WordPiece",
                            "vocab",
                            Map.of("a", 0),
                            "unk_token",
                            "a",
                            "max_input_chars_per_word",
                            number));
            fault("unknown", "model", record("type", "Unigram", "unk_id", number, "vocab", List.of(List.of("a", -1))));
        }
    }

    private void templates() {
        Object end = record("SpecialToken", record("id", "[SEP]", "type_id", 0));
        Object first = record("Sequence", record("id", "A", "type_id", 0));
        Object second = record("Sequence", record("id", "B", "type_id", 4_294_967_295L));
        Map<String, @Nullable Object> known =
                record("[SEP]", record("id", "[SEP]", "ids", List.of(3, 3), "tokens", List.of("x")));
        for (List<Object> pieces : List.of(
                List.<Object>of(), List.of(end), List.of(first, first), List.of(second), List.of(first, second, end))) {
            for (Map<String, @Nullable Object> special : List.of(record(), known)) {
                Map<String, @Nullable Object> template = record(
                        "type", "TemplateProcessing", "single", pieces, "pair", pieces, "special_tokens", special);
                fault("template", "post_processor", template);
                fault("templates", "post_processor", sequence("processors", template, template));
            }
        }
    }

    @Test
    void hostilePartsAreRefusedOrHarmless() throws IOException, SQLException {
        patterns();
        texts();
        numbers();
        templates();
        try (FileKinds kinds = new FileKinds(temp)) {
            FileKind kind = kinds.make("dense model's tokenizer.json");
            Path corpus = kind.folder().at("tiny/corpus.jsonl");
            Files.writeString(corpus, Files.readString(corpus).replace("f f f", "f " + "a".repeat(40) + "c f"));
            Map<String, byte[]> sound = kind.folder().contents();
            Map<String, @Nullable Object> whole =
                    Json.parse(kind.path(), Files.readAllBytes(kind.path())).toMap();
            List<String> names = new ArrayList<>(faults.keySet());
            for (int i = 0; i < names.size(); i += FEW) {
                kind.folder().restore(sound);
                Map<String, @Nullable Object> broken = new LinkedHashMap<>(whole);
                broken.putAll(faults.get(names.get(i)));
                Files.write(kind.path(), Json.toLine(broken));
                Cli.Ended ended = kind.run().ended();
                Campaign.tried(SORT, ended.code() == 0);
                Judge.ending(SORT, names.get(i), ended);
                Judge.leftovers(SORT, names.get(i), kind.folder().files());
            }
        }
        Campaign.check(SORT);
        assertThat(faults).hasSizeGreaterThan(200);
    }
}
