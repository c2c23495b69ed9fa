package io.posbias.model.encode;

import io.posbias.base.json.Json;
import io.posbias.study.calibrate.WordTokenizer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tokenizers of whole words that treat pairs in other ways than BERT's. */
public final class StandInTokenizers {
    private StandInTokenizers() {}

    private static Map<String, Object> special(String token) {
        return Map.of("SpecialToken", Map.of("id", token, "type_id", 0));
    }

    private static Map<String, Object> text(String which) {
        return Map.of("Sequence", Map.of("id", which, "type_id", 0));
    }

    private static Map<String, @Nullable Object> with(byte[] json, String field, @Nullable Object value) {
        Map<String, @Nullable Object> file =
                new LinkedHashMap<>(Json.parse(Path.of("tokenizer.json"), json).toMap());
        file.put(field, value);
        return file;
    }

    /** {@code [CLS] q [SEP] [SEP] d [SEP]} with one type for all, as XLM-RoBERTa has it. */
    public static byte[] likeXlmRoberta(List<String> words) {
        byte[] plain = WordTokenizer.of(words).toJson();
        Map<String, Object> template = Map.of(
                "type",
                "TemplateProcessing",
                "single",
                List.of(special("[CLS]"), text("A"), special("[SEP]")),
                "pair",
                List.of(special("[CLS]"), text("A"), special("[SEP]"), special("[SEP]"), text("B"), special("[SEP]")),
                "special_tokens",
                Map.of(
                        "[CLS]",
                        Map.of("id", "[CLS]", "ids", List.of(2), "tokens", List.of("[CLS]")),
                        "[SEP]",
                        Map.of("id", "[SEP]", "ids", List.of(3), "tokens", List.of("[SEP]"))));
        return Json.toBytes(with(plain, "post_processor", template));
    }

    /** Nothing is put around texts, as language models have it. */
    public static byte[] bare(List<String> words) {
        return Json.toBytes(with(WordTokenizer.of(words).toJson(), "post_processor", null));
    }
}
