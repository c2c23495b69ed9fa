package io.posbias.encode.api;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** What is special about one vendor's embeddings. Without state, so safe for several threads. */
interface EmbeddingVendor {
    /**
     * What the vendor's documentation says.
     *
     * @param endpoint where requests go, unless the recipe says otherwise
     * @param queryType what marks queries; empty where the vendor treats queries and documents alike
     * @param documentType what marks documents; empty likewise
     * @param canTruncate whether a request may ask that too long texts be cut
     * @param mostTexts how many texts one call may hold
     * @param mostTokens how many tokens one call may hold, all texts together
     */
    record Facts(
            URI endpoint, String queryType, String documentType, boolean canTruncate, int mostTexts, int mostTokens) {}

    Facts facts();

    /** The request as it is sent, to be written as JSON. */
    Map<String, Object> body(EmbeddingSettings settings, List<String> texts, boolean query);

    /** Takes the vectors out of an answer; their number, order and length are checked by others. */
    Reply<float[]> read(byte[] json) throws WrongAnswerException;
}
