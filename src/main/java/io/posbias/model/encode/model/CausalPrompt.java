package io.posbias.model.encode.model;

import io.posbias.base.json.Setting;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.onnx.PairRow;
import io.posbias.model.encode.onnx.PairRows;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Tokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prompt of a language model that reranks. Two ways of building it are in use, and they split words differently:
 *
 * <ul>
 *   <li>{@code prefix}, {@code query-template}, {@code suffix} (Qwen3-Reranker): the template with query and passage is one
 *       text, cut on the right; prefix and suffix are tokenised by themselves and never cut.
 *   <li>{@code parts} (bge-reranker-v2-gemma): every part is tokenised by itself; the part with the passage is cut, the
 *       part with the query only beyond its share.
 * </ul>
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record CausalPrompt(Tokenizer tokenizer, List<String> parts, int[] begin, int maxTokens, double queryShare) {
    private static final String QUERY = "{query}";
    private static final String DOCUMENT = "{document}";

    /**
     * Prompt of a recipe, without its tokenizer: {@code queryTemplate} or {@code parts}, with query and passage once each.
     *
     * @param begin token that every row begins with; null for none
     */
    record PromptSettings(
            @Nullable String prefix,
            @Nullable String queryTemplate,
            @Nullable String suffix,
            @Nullable List<String> parts,
            @Nullable String begin,
            @Setting(usual = "1", above = 0, most = 1) double queryShare) {
        PromptSettings {
            if ((queryTemplate == null) == (parts == null)) {
                throw new Setting.Wrong(
                        "query-template",
                        parts == null ? "is missing, and so is parts" : "cannot be combined with parts",
                        "give one");
            }
            if (parts != null && (prefix != null || suffix != null)) {
                throw new Setting.Wrong("prefix", "or suffix cannot be combined with parts", "put it among the parts");
            }
            String all = String.join("", all(prefix, queryTemplate, suffix, parts));
            for (String hole : List.of(QUERY, DOCUMENT)) {
                if (all.indexOf(hole) < 0 || all.indexOf(hole) != all.lastIndexOf(hole)) {
                    throw new Setting.Wrong(
                            parts == null ? "query-template" : "parts",
                            "does not hold " + hole + " once",
                            "both {query} and {document} go into it");
                }
            }
        }

        private static List<String> all(
                @Nullable String prefix,
                @Nullable String template,
                @Nullable String suffix,
                @Nullable List<String> parts) {
            return parts != null
                    ? parts
                    : Stream.of(prefix, template, suffix)
                            .map(part -> Objects.requireNonNullElse(part, ""))
                            .toList();
        }

        CausalPrompt with(Tokenizer tokenizer, int maxTokens) {
            int[] first = begin == null ? new int[0] : new int[] {tokenizer.id(begin)};
            return new CausalPrompt(tokenizer, all(prefix, queryTemplate, suffix, parts), first, maxTokens, queryShare);
        }
    }

    PairRow row(PairScorer.TextPair pair) {
        boolean queryCut = false;
        int rest = maxTokens - begin.length;
        List<int[]> ids = new ArrayList<>(List.of(begin));
        int place = 0;
        String template = "";
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).contains(DOCUMENT)) {
                // This part is cut; all others never are, but for the query's share.
                template = parts.get(i);
                place = ids.size();
                ids.add(new int[0]);
                continue;
            }
            int[] part = tokenizer
                    .tokenize(parts.get(i).replace(QUERY, pair.query()))
                    .ids();
            int most = parts.get(i).contains(QUERY) ? (int) (queryShare * maxTokens) : Integer.MAX_VALUE;
            queryCut |= part.length > most;
            ids.add(Arrays.copyOf(part, Math.min(part.length, most)));
            rest -= Math.min(part.length, most);
        }
        // The passage goes in last, so that a "{query}" inside it stays text.
        int hole = template.indexOf(DOCUMENT);
        String before = template.substring(0, hole).replace(QUERY, pair.query());
        String after = template.substring(hole + DOCUMENT.length()).replace(QUERY, pair.query());
        Tokens tokens = tokenizer.tokenize(before + pair.passage() + after);
        int kept = Math.clamp(rest, 0, tokens.size());
        ids.set(place, Arrays.copyOf(tokens.ids(), kept));
        int seen = PairRows.seen(tokens, kept);
        int inPassage = seen == TokenRow.WHOLE
                        || seen - before.length() >= pair.passage().length()
                ? TokenRow.WHOLE
                : Math.max(0, seen - before.length());
        boolean inQuery = seen != TokenRow.WHOLE && seen < queryEnd(template, pair);
        int[] all = ids.stream().flatMapToInt(Arrays::stream).toArray();
        TokenRow row = new TokenRow(all, new int[all.length], 0, 0, inPassage);
        return new PairRow(row, queryCut || inQuery);
    }

    /** End of the query in the filled template, in UTF-16 units; 0 if it is in another part. */
    private static int queryEnd(String template, PairScorer.TextPair pair) {
        int start = template.indexOf(QUERY);
        if (start < 0) {
            return 0;
        }
        boolean behind = start > template.indexOf(DOCUMENT);
        int shift = behind ? pair.passage().length() - DOCUMENT.length() : 0;
        return start + shift + pair.query().length();
    }
}
