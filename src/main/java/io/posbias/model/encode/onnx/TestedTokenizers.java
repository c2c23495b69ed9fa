package io.posbias.model.encode.onnx;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Forms of tokenizer.json that do not end the process of Hugging Face's library, whatever the text: parts and patterns of
 * {@code configs/tokenizers.yaml} in sound form.
 */
final class TestedTokenizers {
    private static final Listed LIST = read();

    /** Places of parts, and members with the parts of a Sequence. */
    private static final List<String> PLACES = List.of("normalizer", "pre_tokenizer", "post_processor", "decoder");

    private static final List<String> INSIDE = List.of("normalizers", "pretokenizers", "processors", "decoders");
    private static final Set<String> MODELS = Set.of("BPE", "WordPiece", "WordLevel", "Unigram");

    /** Limits of real files are far lower; without them a file takes time and memory without end. */
    private static final int MOST_PARTS = 32;

    private static final int MOST_ADDED = 100_000;
    private static final int LONGEST_TOKEN = 1_000;
    private static final int LONGEST_WORD = 1_000;

    private TestedTokenizers() {}

    private record Listed(Set<String> parts, List<Tested> patterns) {
        record Tested(String regex) {}
    }

    private static Listed read() {
        String file = "configs/tokenizers.yaml";
        return Json.bind(Json.parseYaml(Path.of(file), Configs.read(file)), Listed.class);
    }

    /** The listed regular expressions. */
    static Set<String> patterns() {
        return LIST.patterns.stream().map(Listed.Tested::regex).collect(Collectors.toSet());
    }

    /** Returns true if a tokenizer.json has tested parts only. */
    static boolean contain(byte[] json) {
        try {
            JsonNode file = TokenizerJson.outline(json);
            return isModel(file.path("model"))
                    && PLACES.stream().allMatch(place -> areParts(file.path(place)))
                    && isChain(file.path("post_processor"))
                    && areAdded(file.path("added_tokens"), file.path("normalizer"));
        } catch (JacksonException malformed) {
            return false;
        }
    }

    private static boolean areParts(JsonNode place) {
        return place.isMissingNode()
                || place.isNull()
                || (parts(place).count() <= MOST_PARTS && parts(place).allMatch(TestedTokenizers::isPart));
    }

    /** Returns a part and, of a Sequence, all that are inside. */
    private static Stream<JsonNode> parts(JsonNode part) {
        return Stream.concat(
                Stream.of(part),
                INSIDE.stream().flatMap(name -> part.path(name).valueStream()).flatMap(TestedTokenizers::parts));
    }

    private static String type(JsonNode part) {
        return part.path("type").asString("");
    }

    private static boolean isPart(JsonNode part) {
        String type = type(part);
        return switch (type) {
            case "Sequence" -> true;
            case "Prepend" -> !part.path("prepend").asString("").isEmpty();
            case "Split" -> shortest(part.path("pattern")) > 0;
            case "Replace" -> isReplacement(shortest(part.path("pattern")), part.path("content"));
            case "Precompiled" ->
                CharacterMap.isSound(part.path("precompiled_charsmap").asString(""));
            case "TemplateProcessing" ->
                isTemplate(part, "single", Set.of("A")) && isTemplate(part, "pair", Set.of("A", "B"));
            default -> LIST.parts.contains(type);
        };
    }

    /** All processors but ByteLevel make several encodings of one, which ends the process in the next processor. */
    private static boolean isChain(JsonNode processor) {
        List<String> types = parts(processor)
                .map(TestedTokenizers::type)
                .filter(type -> !type.equals("Sequence"))
                .toList();
        return types.stream().limit(Math.max(0, types.size() - 1)).allMatch("ByteLevel"::equals);
    }

    /** Returns the length of the shortest match of a pattern; 0 for an untested one. */
    private static int shortest(JsonNode pattern) {
        JsonNode literal = pattern.path("String");
        return literal.isString()
                ? literal.asString().length()
                : patterns().contains(pattern.path("Regex").asString("")) ? 1 : 0;
    }

    /** A replacement that is longer than what it replaces, in a sequence of them, would multiply a text. */
    private static boolean isReplacement(int replaced, JsonNode content) {
        return replaced > 0 && content.isString() && content.asString().length() <= replaced;
    }

    private static boolean isTemplate(JsonNode part, String name, Set<String> texts) {
        JsonNode special = part.path("special_tokens");
        JsonNode pieces = part.path(name);
        return pieces.isArray()
                && pieces.valueStream()
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
        return tokens.size() <= MOST_ADDED && tokens.valueStream().allMatch(token -> isAdded(token, strips, deletes));
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
