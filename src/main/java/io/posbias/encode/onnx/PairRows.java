package io.posbias.encode.onnx;

import io.posbias.encode.PairScorer;
import java.util.Arrays;

/**
 * Makes rows of pairs, as cross-encoders read them: query and passage with special tokens around and between.
 *
 * @param tokenizer splits texts
 * @param template what goes around and between
 * @param maxTokens tokens of a row at most
 * @param longestFirst whether the longer of the two is cut first, as Hugging Face's tokenizers do by default; otherwise
 *     only the passage is cut
 * @param queryShare the share of {@code maxTokens} that a query may have
 */
public record PairRows(Tokenizer tokenizer, Template template, int maxTokens, boolean longestFirst, double queryShare) {
    /** The row of a pair. */
    public PairRow row(PairScorer.TextPair pair) {
        Tokens query = tokenizer.tokenize(pair.query());
        Tokens passage = tokenizer.tokenize(pair.passage());
        int room = Math.max(0, maxTokens - template.size());
        // Not yet cut to the room: who counts as the longer one is decided by what there was.
        int wanted = queryShare < 1 ? Math.min(query.size(), (int) (queryShare * maxTokens)) : query.size();
        int queryKept = Math.min(wanted, room);
        if (longestFirst && wanted + passage.size() > room) {
            int shorter = Math.min(wanted, passage.size());
            // The shorter one stays whole if it fits beside a half; else they share the room, the longer the odd token.
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

    /** How far into its text a number of tokens reaches. */
    public static int seen(Tokens tokens, int kept) {
        if (kept == tokens.size()) {
            return TokenRow.WHOLE;
        }
        return kept == 0 ? 0 : tokens.ends()[kept - 1];
    }
}
