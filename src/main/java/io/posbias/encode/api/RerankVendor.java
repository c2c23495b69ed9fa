package io.posbias.encode.api;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** What is special about one vendor's reranker. Without state, so safe for several threads. */
interface RerankVendor {
    /**
     * What the vendor's documentation says.
     *
     * @param endpoint where requests go, unless the recipe says otherwise
     * @param canTruncate whether a request may ask that too long texts be cut, or not
     * @param mostDocuments how many documents one call may hold
     * @param mostTokens how many tokens one call may hold: those of the query once per document, and all documents
     */
    record Facts(URI endpoint, boolean canTruncate, int mostDocuments, int mostTokens) {}

    Facts rerankFacts();

    /** The request as it is sent, to be written as JSON; all documents are to be scored. */
    Map<String, Object> rerankBody(RerankSettings settings, String query, List<String> documents);

    /** Takes the scores out of an answer; their number and order are checked by others. */
    Reply<Float> readScores(byte[] json) throws WrongAnswerException;
}
