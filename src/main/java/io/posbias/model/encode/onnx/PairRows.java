package io.posbias.model.encode.onnx;

import io.posbias.model.encode.PairScorer;
import java.util.Arrays;

/**
 * Makes rows of query and passage for cross-encoders.
 *
 * @param template special tokens around and between
 * @param maxTokens maximum tokens of a row
 * @param longestFirst true to truncate the longer text first, as Hugging Face's tokenizers do by default; false to
 *     truncate only the passage
 * @param queryShare maximum share of {@code maxTokens} for the query
 */
public record PairRows(Tokenizer tokenizer, Template template, int maxTokens, boolean longestFirst, double queryShare) {
    public PairRow row(PairScorer.TextPair pair) {
        Tokens query = tokenizer.tokenize(pair.query());
        Tokens passage = tokenizer.tokenize(pair.passage());
        int room = Math.max(0, maxTokens - template.size());
        // The uncut lengths decide which text is the longer one.
        int wanted = queryShare < 1 ? Math.min(query.size(), (int) (queryShare * maxTokens)) : query.size();
        int queryKept = Math.min(wanted, room);
        if (longestFirst && wanted + passage.size() > room) {
            int shorter = Math.min(wanted, passage.size());
            // The shorter text stays whole if it fits into half of the room; else each gets half.
            if (shorter <= room / 2) {
                queryKept = shorter == wanted ? wanted : room - shorter;
            } else {
                queryKept = room / 2 + (wanted > passage.size() ? room % 2 : 0);
            }
        }
        int passageKept = Math.min(passage.size(), room - queryKept);
        int[] ids = template.around(Arrays.copyOf(query.ids(), queryKept), Arrays.copyOf(passage.ids(), passageKept));
        TokenRow row =
                new TokenRow(ids, template.typesAround(queryKept, passageKept), 0, 0, seen(passage, passageKept));
        return new PairRow(row, queryKept < query.size());
    }

    /** Returns the UTF-16 units that a number of tokens covers. */
    public static int seen(Tokens tokens, int kept) {
        if (kept == tokens.size()) {
            return TokenRow.WHOLE;
        }
        return kept == 0 ? 0 : tokens.ends()[kept - 1];
    }
}
