package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.encode.PairScorer;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxModel;
import io.posbias.encode.onnx.OnnxSettings;
import io.posbias.encode.onnx.PairRow;
import io.posbias.encode.onnx.PairRows;
import io.posbias.encode.onnx.TokenBatch;
import java.util.List;

/** A reranker that reads query and passage as one text and gives one logit. */
public final class CrossEncoder {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = GraphSettings.fields("activation", "truncation", "query-share");

    private CrossEncoder() {}

    /**
     * Reads a recipe.
     *
     * @param recipe its name
     */
    public static GraphScorer.ScorerSettings of(String recipe, Fields fields) {
        OnnxSettings onnx = OnnxSettings.of(fields);
        Activation activation =
                fields.oneOf("activation", Activation.NONE, List.of(Activation.NONE, Activation.SIGMOID));
        boolean longestFirst = fields.oneOf("truncation", "only-document", List.of("only-document", "longest-first"))
                .equals("longest-first");
        double share = queryShare(fields);
        return new GraphScorer.ScorerSettings(
                ModelFiles.of(recipe, fields),
                onnx,
                Json.fingerprint(fields, FIELDS),
                activation,
                tokenizer -> new CrossScoring(
                        new PairRows(
                                tokenizer,
                                onnx.complete(tokenizer.pair(), tokenizer),
                                onnx.maxTokens(),
                                longestFirst,
                                share),
                        activation));
    }

    /** The share of a row's tokens that the query may have. */
    static double queryShare(Fields fields) {
        double share = fields.number("query-share", 1);
        if (!(share > 0 && share <= 1)) {
            throw fields.bad("query-share", "is " + share, "it is more than 0 and at most 1");
        }
        return share;
    }

    private record CrossScoring(PairRows rows, Activation activation) implements GraphScorer.PairScoring {
        @Override
        public PairRow row(PairScorer.TextPair pair) {
            return rows.row(pair);
        }

        @Override
        public double logit(TokenBatch batch, int row, OnnxModel.OnnxOutput output) {
            if (output.width() != 1 || output.columns() != 1) {
                throw new PosbiasException("a cross-encoder's graph gives one logit for each pair, this one gives "
                        + output.columns() * output.width());
            }
            return output.values().get(row);
        }
    }
}
