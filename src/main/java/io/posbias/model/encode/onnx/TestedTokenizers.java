package io.posbias.model.encode.onnx;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Forms of tokenizer.json that do not end the process of Hugging Face's library, whatever the text: parts and patterns of
 * {@code configs/tokenizers.yaml} in sound form.
 */
final class TestedTokenizers {
    private static final TestedTokenizers LIST = read();

    /** Members with the parts of a Sequence, by the parts' place in the file. */
    private static final List<String> INSIDE = List.of("normalizers", "pretokenizers", "processors", "decoders");

    private static final List<String> PLACES = List.of("normalizer", "pre_tokenizer", "post_processor", "decoder");
    private static final Set<String> MODELS = Set.of("BPE", "WordPiece", "WordLevel", "Unigram");

    /** Limits of real files are far lower; without them a file takes time and memory without end. */
    private static final int MOST_PARTS = 32;

    private static final int MOST_ADDED = 100_000;
    private static final int LONGEST_TOKEN = 1_000;
    private static final int LONGEST_WORD = 1_000;

    private final Set<String> parts;
    private final Set<String> patterns;
    private final Set<String> replacements;

    private TestedTokenizers(Set<String> parts, Set<String> patterns, Set<String> replacements) {
        this.parts = parts;
        this.patterns = patterns;
        this.replacements = replacements;
    }

    private static TestedTokenizers read() {
        String file = "configs/tokenizers.yaml";
        Listed list = Json.bind(Json.parseYaml(Path.of(file), Configs.read(file)), Listed.class);
        return new TestedTokenizers(
                new HashSet<>(list.parts),
                list.patterns.stream().map(Listed.Tested::regex).collect(Collectors.toSet()),
                list.replacements.stream()
                        .map(replacement -> replacement.regex + "\n" + replacement.content)
                        .collect(Collectors.toSet()));
    }

    private record Listed(
            @Setting(usual = "[]") List<String> parts,
            @Setting(usual = "[]") List<Tested> patterns,
            @Setting(usual = "[]") List<Tested> replacements) {
        record Tested(String regex, @Setting(usual = "''") String content) {}
    }

    /** The listed regular expressions. */
    static Set<String> patterns() {
        return LIST.patterns;
    }

    /** Returns true if a tokenizer.json has tested parts only. */
    static boolean contain(byte[] json) {
        try {
            return LIST.areIn(TokenizerJson.outline(json));
        } catch (JacksonException malformed) {
            return false;
        }
    }

    private boolean areIn(JsonNode file) {
        return isModel(file.path("model"))
                && PLACES.stream().allMatch(place -> {
                    JsonNode part = file.path(place);
                    return part.isMissingNode() || part.isNull() || (isPart(part) && count(part) <= MOST_PARTS);
                })
                && areAdded(file.path("added_tokens"), file.path("normalizer"));
    }

    private static int count(JsonNode part) {
        return 1
                + INSIDE.stream()
                        .flatMap(name -> stream(part.path(name)))
                        .mapToInt(TestedTokenizers::count)
                        .sum();
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private boolean isPart(JsonNode part) {
        String type = part.path("type").asString("");
        return switch (type) {
            case "Sequence" ->
                INSIDE.stream().flatMap(name -> stream(part.path(name))).allMatch(this::isPart)
                        && isChain(part.path("processors"));
            case "Prepend" -> !part.path("prepend").asString("").isEmpty();
            case "Split" -> isPattern(part.path("pattern"));
            case "Replace" -> isReplacement(part.path("pattern"), part.path("content"));
            case "Precompiled" ->
                CharacterMap.isSound(part.path("precompiled_charsmap").asString(""));
            case "TemplateProcessing" ->
                isTemplate(part, "single", Set.of("A")) && isTemplate(part, "pair", Set.of("A", "B"));
            default -> parts.contains(type);
        };
    }

    /** All others but ByteLevel make several encodings of one, which ends the process in the next processor. */
    private static boolean isChain(JsonNode processors) {
        return stream(processors)
                .limit(Math.max(0, processors.size() - 1))
                .allMatch(processor -> processor.path("type").asString("").equals("ByteLevel"));
    }

    private boolean isPattern(JsonNode pattern) {
        JsonNode literal = pattern.path("String");
        return literal.isString() ? !literal.asString().isEmpty() : patterns.contains(regex(pattern));
    }

    private static String regex(JsonNode pattern) {
        return pattern.path("Regex").asString("");
    }

    /** A replacement that is longer than what it replaces, in a sequence of them, would multiply a text. */
    private boolean isReplacement(JsonNode pattern, JsonNode content) {
        String literal = pattern.path("String").asString("");
        return literal.isEmpty()
                ? replacements.contains(regex(pattern) + "\n" + content.asString(""))
                : content.isString() && content.asString().length() <= literal.length();
    }

    private static boolean isTemplate(JsonNode part, String name, Set<String> texts) {
        JsonNode special = part.path("special_tokens");
        JsonNode pieces = part.path(name);
        return pieces.isArray()
                && stream(pieces)
                        .allMatch(piece -> piece.has("Sequence")
                                ? texts.contains(
                                        piece.path("Sequence").path("id").asString(""))
                                : special.has(
                                        piece.path("SpecialToken").path("id").asString("")));
    }

    private static boolean isModel(JsonNode model) {
        // Older files do not name the type.
        boolean isKnown =
                !model.has("type") || MODELS.contains(model.path("type").asString(""));
        boolean hasPrefix =
                !model.path("continuing_subword_prefix").asString("").isEmpty();
        return isKnown
                // A merge that is shorter than the prefix ends the process.
                && !(model.has("merges") && hasPrefix)
                // Takes quadratic time.
                && model.path("max_input_chars_per_word").asInt(0) <= LONGEST_WORD;
    }

    private static boolean areAdded(JsonNode tokens, JsonNode normalizer) {
        boolean strips = normalizer.findValues("type").stream()
                .anyMatch(type -> type.asString("").equals("Strip"));
        boolean deletes = normalizer.findValues("type").stream()
                        .anyMatch(type -> type.asString("").equals("Precompiled"))
                || normalizer.findValues("content").stream()
                        .anyMatch(content -> content.asString("").isEmpty());
        return tokens.size() <= MOST_ADDED && stream(tokens).allMatch(token -> isAdded(token, strips, deletes));
    }

    /**
     * Two tokens end the process: one that its normalizer makes empty, which matches everywhere, and one of spaces to its
     * left that another has taken from its right.
     */
    private static boolean isAdded(JsonNode token, boolean strips, boolean deletes) {
        String content = token.path("content").asString("");
        boolean hasPrint = content.chars().anyMatch(c -> c > ' ' && c <= '~');
        boolean stays = !deletes && (hasPrint || (content.indexOf(' ') >= 0 && !strips));
        return content.length() <= LONGEST_TOKEN
                && (hasPrint || !token.path("lstrip").asBoolean(true))
                && (stays || !token.path("normalized").asBoolean(true));
    }
}
