package io.posbias.model.encode.worker;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Model of a worker, as its first answer describes it.
 *
 * @param dimension of vectors, for sparse ones the size of the vocabulary; 0 for scores
 * @param cosine true if vectors are compared by their angle, so that they are scaled to length 1
 * @param spans true if the worker gives vectors of spans, as {@link WorkerEncoder#prepareSpans} needs
 * @param identity digest of all that it says: name, versions of libraries, revision, limits
 * @param notes for the user, for example the prompts in use
 */
record WorkerModel(int dimension, boolean cosine, boolean spans, String identity, List<String> notes) {
    static final int PROTOCOL = 1;

    /** Similarities by which vectors can be ranked. */
    private static final List<String> SIMILARITIES = List.of("cosine", "dot", "maxsim");

    /** Ids below it are exact as 32-bit floats. */
    private static final int MOST_TERMS = 1 << 24;

    /**
     * Reads the answer to the first message.
     *
     * @throws Frame.WrongFrameException if a field is missing or wrong
     */
    static WorkerModel of(JsonNode header, WorkerSettings.Gives gives) throws Frame.WrongFrameException {
        int protocol = header.path("protocol").asInt(0);
        if (protocol != PROTOCOL) {
            throw new Frame.WrongFrameException("its protocol is " + protocol + ", posbias's is " + PROTOCOL);
        }
        boolean vectors = gives != WorkerSettings.Gives.CROSS_ENCODER;
        int dimension = header.path("dimension").asInt(0);
        if (vectors && dimension < 1) {
            throw new Frame.WrongFrameException("it gives no dimension");
        }
        String similarity = header.path("similarity").asString("");
        if (vectors && !SIMILARITIES.contains(similarity)) {
            throw new Frame.WrongFrameException("its similarity is \"" + similarity + "\", posbias ranks by one of "
                    + String.join(", ", SIMILARITIES));
        }
        if (gives == WorkerSettings.Gives.SPARSE && (dimension > MOST_TERMS || !similarity.equals("dot"))) {
            throw new Frame.WrongFrameException("sparse vectors have the similarity \"dot\" and a dimension of at most "
                    + MOST_TERMS + ", it gives \"" + similarity + "\" and " + dimension);
        }
        Map<String, @Nullable Object> said = new TreeMap<>();
        header.properties().stream()
                .filter(field -> !field.getKey().equals("notes"))
                .forEach(field -> said.put(field.getKey(), field.getValue()));
        String identity =
                Checksums.sha256(Json.mapper().writeValueAsString(said).getBytes(StandardCharsets.UTF_8));
        List<String> notes =
                header.path("notes").valueStream().map(JsonNode::asString).toList();
        return new WorkerModel(
                vectors ? dimension : 0,
                similarity.equals("cosine"),
                header.path("spans").asBoolean(false),
                identity,
                notes);
    }
}
