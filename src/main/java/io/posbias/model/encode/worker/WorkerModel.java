package io.posbias.model.encode.worker;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Model of a worker, as its first answer describes it.
 *
 * @param dimension of vectors, for sparse ones the size of the vocabulary; 0 for scores
 * @param cosine true if vectors are compared by their angle, so that they are scaled to length 1
 * @param spans true if the worker gives vectors of spans, as {@link WorkerEncoder#prepareSpans} needs
 * @param inside requests of {@link WorkerInside} that the worker answers
 * @param identity digest of all that it says: name, versions of libraries, revision, limits
 * @param notes for the user, for example the prompts in use
 * @param engine versions of libraries, device and type of numbers, for results
 */
record WorkerModel(
        int dimension,
        boolean cosine,
        boolean spans,
        List<String> inside,
        String identity,
        List<String> notes,
        String engine) {
    static final int PROTOCOL = 1;

    /** Similarities by which vectors can be ranked. */
    private static final List<String> SIMILARITIES = List.of("cosine", "dot", "maxsim");

    private static final List<String> SIMILARITIES_OF_VECTORS = List.of("cosine", "dot");

    /** Ids below it are exact as 32-bit floats. */
    private static final int MOST_TERMS = 1 << 24;

    /**
     * Reads the answer to the first message.
     *
     * @throws Frame.WrongFrameException if a field is missing or wrong
     */
    static WorkerModel of(JsonNode header, WorkerSettings.Gives gives) throws Frame.WrongFrameException {
        long protocol = Frame.whole(header.path("protocol"), 0);
        if (protocol != PROTOCOL) {
            throw new Frame.WrongFrameException("its protocol is " + protocol + ", posbias's is " + PROTOCOL);
        }
        boolean vectors = gives != WorkerSettings.Gives.CROSS_ENCODER;
        long dimension = Frame.whole(header.path("dimension"), 0);
        if (vectors && (dimension < 1 || dimension > MOST_TERMS)) {
            throw new Frame.WrongFrameException("it gives no dimension, a whole number from 1 to " + MOST_TERMS);
        }
        List<String> similarities =
                gives == WorkerSettings.Gives.LATE_INTERACTION ? SIMILARITIES : SIMILARITIES_OF_VECTORS;
        String similarity = header.path("similarity").asString("");
        if (vectors && !similarities.contains(similarity)) {
            throw new Frame.WrongFrameException("its similarity is \"" + similarity + "\", posbias ranks by one of "
                    + String.join(", ", similarities));
        }
        if (gives == WorkerSettings.Gives.SPARSE && !similarity.equals("dot")) {
            throw new Frame.WrongFrameException(
                    "sparse vectors have the similarity \"dot\", it gives \"" + similarity + "\"");
        }
        JsonNode spans = header.path("spans");
        if (!spans.isMissingNode() && !spans.isBoolean()) {
            throw new Frame.WrongFrameException("its field \"spans\" is not true or false");
        }
        Map<String, @Nullable Object> said = new TreeMap<>();
        header.properties().stream()
                .filter(field -> !field.getKey().equals("notes"))
                .forEach(field -> said.put(field.getKey(), field.getValue()));
        String identity =
                Checksums.sha256(Json.mapper().writeValueAsString(said).getBytes(StandardCharsets.UTF_8));
        return new WorkerModel(
                vectors ? (int) dimension : 0,
                similarity.equals("cosine"),
                spans.asBoolean(false),
                texts(header, "inside"),
                identity,
                texts(header, "notes"),
                engine(header));
    }

    private static String engine(JsonNode header) {
        Stream<String> versions = header.path("versions").properties().stream()
                .filter(version -> version.getValue().isString())
                .map(version -> version.getKey() + " " + version.getValue().stringValue());
        Stream<String> how = Stream.of("device", "dtype")
                .map(field -> header.path(field).asString(""))
                .filter(word -> !word.isEmpty());
        return Stream.concat(versions, how).collect(Collectors.joining(", "));
    }

    private static List<String> texts(JsonNode header, String list) throws Frame.WrongFrameException {
        JsonNode texts = header.path(list);
        if ((!texts.isMissingNode() && !texts.isArray()) || texts.valueStream().anyMatch(text -> !text.isString())) {
            throw new Frame.WrongFrameException("its list \"" + list + "\" is not of texts");
        }
        return texts.valueStream().map(JsonNode::stringValue).toList();
    }
}
