package io.posbias.calibrate;

import io.posbias.Json;
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

/** Writes a tokenizer.json that takes whole words: lower case, split at white space and punctuation. */
public final class WordTokenizer {
    /** Before all words in the vocabulary, in this order. */
    public static final List<String> SPECIAL = List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]");

    /** What the pre-tokenizers below split at; ASCII's symbols are punctuation to them. */
    private static final Pattern BETWEEN = Pattern.compile("[\\s\\p{P}$+<=>^`|~]+");

    private final List<String> vocabulary;

    private WordTokenizer(List<String> vocabulary) {
        this.vocabulary = vocabulary;
    }

    /** A tokenizer of some words, each once, in their order. */
    public static WordTokenizer of(Collection<String> words) {
        Set<String> vocabulary = new LinkedHashSet<>(SPECIAL);
        words.stream().map(word -> word.toLowerCase(Locale.ROOT)).forEach(vocabulary::add);
        return new WordTokenizer(new ArrayList<>(vocabulary));
    }

    /** The words of a text, as the tokenizer splits it; punctuation left out. */
    public static List<String> words(String text) {
        return Arrays.stream(BETWEEN.split(text.toLowerCase(Locale.ROOT), -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The words it knows, without the special tokens, in the order of their ids. */
    List<String> words() {
        return vocabulary.subList(SPECIAL.size(), vocabulary.size());
    }

    /** How many tokens it knows, special ones included. */
    public int size() {
        return vocabulary.size();
    }

    /** The file. */
    public byte[] toJson() {
        Map<String, @Nullable Object> file = new LinkedHashMap<>();
        file.put("version", "1.0");
        file.put("truncation", null);
        file.put("padding", null);
        file.put("added_tokens", SPECIAL.stream().map(this::added).toList());
        file.put("normalizer", record("type", "Lowercase"));
        Object spaces = record("type", "WhitespaceSplit");
        Object marks = record("type", "Punctuation", "behavior", "Isolated");
        file.put("pre_tokenizer", record("type", "Sequence", "pretokenizers", List.of(spaces, marks)));
        file.put("post_processor", template());
        file.put("decoder", null);
        file.put("model", record("type", "WordLevel", "vocab", ids(), "unk_token", "[UNK]"));
        return Json.toBytes(file);
    }

    private Map<String, Integer> ids() {
        Map<String, Integer> ids = new LinkedHashMap<>();
        vocabulary.forEach(word -> ids.put(word, ids.size()));
        return ids;
    }

    private Map<String, Object> added(String token) {
        Map<String, Object> added = new LinkedHashMap<>();
        added.put("id", SPECIAL.indexOf(token));
        added.put("content", token);
        for (String flag : List.of("single_word", "lstrip", "rstrip", "normalized")) {
            added.put(flag, false);
        }
        added.put("special", true);
        return added;
    }

    /** [CLS] first [SEP], or [CLS] first [SEP] second [SEP], as BERT has it. */
    private static Map<String, Object> template() {
        Map<String, Object> template = new LinkedHashMap<>();
        template.put("type", "TemplateProcessing");
        template.put("single", List.of(special("[CLS]", 0), text("A", 0), special("[SEP]", 0)));
        template.put(
                "pair",
                List.of(special("[CLS]", 0), text("A", 0), special("[SEP]", 0), text("B", 1), special("[SEP]", 1)));
        template.put("special_tokens", record("[CLS]", content("[CLS]"), "[SEP]", content("[SEP]")));
        return template;
    }

    private static Map<String, Object> special(String token, int type) {
        return record("SpecialToken", record("id", token, "type_id", type));
    }

    private static Map<String, Object> text(String which, int type) {
        return record("Sequence", record("id", which, "type_id", type));
    }

    private static Map<String, Object> content(String token) {
        return record("id", token, "ids", List.of(SPECIAL.indexOf(token)), "tokens", List.of(token));
    }

    /** A record in the order given, so that the same words give the same bytes. */
    private static Map<String, Object> record(Object... namesAndValues) {
        Map<String, Object> record = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            record.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return record;
    }
}
