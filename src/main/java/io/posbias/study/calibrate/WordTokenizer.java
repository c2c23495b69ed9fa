package io.posbias.study.calibrate;

import io.posbias.base.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Writes a whole-word tokenizer.json: lower case, split at white space and punctuation, and into characters in scripts without
 * spaces.
 *
 * @param vocabulary special tokens, then words, by id
 */
public record WordTokenizer(List<String> vocabulary) {
    /** Special tokens, first in the vocabulary. */
    public static final List<String> SPECIAL = List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]");

    /** Separators; ASCII symbols count as punctuation. */
    private static final Pattern BETWEEN = Pattern.compile("[\\s\\p{P}$+<=>^`|~]+");

    /** A character of a script without white space between words. */
    static final Pattern CHARACTER = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}]");

    /** The file without its tokens: [CLS] first [SEP], or [CLS] first [SEP] second [SEP], as in BERT. */
    private static final String FORM = """
        {
          "version": "1.0", "truncation": null, "padding": null, "added_tokens": null,
          "normalizer": {"type": "Lowercase"},
          "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
              {"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Isolated"},
              {
                "type": "Split", "behavior": "Isolated", "invert": false,
                "pattern": {"Regex": "[\\\\p{Han}\\\\p{Hiragana}\\\\p{Katakana}\\\\p{Thai}]"}
              }
            ]
          },
          "post_processor": {
            "type": "TemplateProcessing",
            "single": [
              {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
              {"SpecialToken": {"id": "[SEP]", "type_id": 0}}
            ],
            "pair": [
              {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
              {"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}},
              {"SpecialToken": {"id": "[SEP]", "type_id": 1}}
            ],
            "special_tokens": {
              "[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
              "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}
            }
          },
          "decoder": null
        }
        """;

    /** A tokenizer of distinct words, in order. */
    public static WordTokenizer of(Collection<String> words) {
        Set<String> vocabulary = new LinkedHashSet<>(SPECIAL);
        words.stream().map(word -> word.toLowerCase(Locale.ROOT)).forEach(vocabulary::add);
        return new WordTokenizer(new ArrayList<>(vocabulary));
    }

    /** Words of a text without punctuation. */
    public static List<String> words(String text) {
        String apart = CHARACTER.matcher(text.toLowerCase(Locale.ROOT)).replaceAll(" $0 ");
        return Arrays.stream(BETWEEN.split(apart, -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Vocabulary without special tokens, by id. */
    List<String> words() {
        return vocabulary.subList(SPECIAL.size(), vocabulary.size());
    }

    /** Vocabulary size with special tokens. */
    public int size() {
        return vocabulary.size();
    }

    private record Added(
            int id,
            String content,
            boolean singleWord,
            boolean lstrip,
            boolean rstrip,
            boolean normalized,
            boolean special) {}

    private record WordModel(String type, Map<String, Integer> vocab, String unkToken) {}

    /** The file, byte for byte reproducible. */
    public byte[] toJson() {
        Map<String, @Nullable Object> file = Json.mapper().readValue(FORM, new TypeReference<>() {});
        file.put(
                "added_tokens",
                SPECIAL.stream()
                        .map(token -> new Added(SPECIAL.indexOf(token), token, false, false, false, false, true))
                        .toList());
        Map<String, Integer> ids = new LinkedHashMap<>();
        vocabulary.forEach(word -> ids.put(word, ids.size()));
        file.put("model", new WordModel("WordLevel", ids, "[UNK]"));
        return Json.toBytes(file);
    }
}
