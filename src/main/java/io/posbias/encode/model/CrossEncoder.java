package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.encode.Engine;
import io.posbias.encode.PairReader;
import io.posbias.encode.PairScorer;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxModel;
import io.posbias.encode.onnx.OnnxSettings;
import io.posbias.encode.onnx.PairRow;
import io.posbias.encode.onnx.PairRows;
import io.posbias.encode.onnx.Template;
import io.posbias.encode.onnx.TokenBatch;
import io.posbias.encode.onnx.Tokenizer;
import java.util.List;

/** A reranker that reads query and passage as one text and gives one logit. */
public final class CrossEncoder {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = GraphSettings.fields("activation", "truncation", "query-share");

    private CrossEncoder() {}

    /**
     * A check of a recipe's fields that loads nothing.
     *
     * @return the files that must be there
     */
    public static ModelFiles check(String recipe, Fields fields) {
        OnnxSettings.of(fields);
        activation(fields);
        longestFirst(fields);
        queryShare(fields);
        return ModelFiles.of(recipe, fields);
    }

    /** Loads the model that a recipe describes. */
    public static GraphScorer open(String recipe, Fields fields, Engine engine) {
        OnnxSettings onnx = OnnxSettings.of(fields);
        String fingerprint = fields.fingerprint(FIELDS);
        return new GraphScorer(
                ModelFiles.of(recipe, fields), onnx, fingerprint, engine, tokenizer -> kind(fields, tokenizer));
    }

    /** What tells how much of pairs the model that a recipe describes reads. */
    public static PairReader reader(String recipe, Fields fields, Engine engine) {
        return GraphScorer.reader(ModelFiles.of(recipe, fields), engine, tokenizer -> kind(fields, tokenizer));
    }

    private static GraphScorer.Kind kind(Fields fields, Tokenizer tokenizer) {
        OnnxSettings onnx = OnnxSettings.of(fields);
        Template template = onnx.complete(tokenizer.pair(), tokenizer);
        PairRows rows = new PairRows(tokenizer, template, onnx.maxTokens(), longestFirst(fields), queryShare(fields));
        return new Kind(rows, activation(fields));
    }

    /** Whether scores are logits, as the recipe has it. */
    public static boolean givesLogits(Fields fields) {
        return activation(fields) == Activation.NONE;
    }

    private static Activation activation(Fields fields) {
        return fields.oneOf("activation", Activation.NONE, List.of(Activation.NONE, Activation.SIGMOID));
    }

    private static boolean longestFirst(Fields fields) {
        List<String> known = List.of("only-document", "longest-first");
        return fields.oneOf("truncation", "only-document", known).equals("longest-first");
    }

    /** The share of a row's tokens that the query may have. */
    static double queryShare(Fields fields) {
        double share = fields.number("query-share", 1);
        if (!(share > 0 && share <= 1)) {
            throw fields.bad("query-share", "is " + share, "it is more than 0 and at most 1");
        }
        return share;
    }

    private record Kind(PairRows rows, Activation activation) implements GraphScorer.Kind {
        @Override
        public PairRow row(PairScorer.Pair pair) {
            return rows.row(pair);
        }

        @Override
        public double logit(TokenBatch batch, int row, OnnxModel.Output output) {
            if (output.width() != 1 || output.columns() != 1) {
                throw new PosbiasException("a cross-encoder's graph gives one logit for each pair, this one gives "
                        + output.columns() * output.width());
            }
            return output.values().get(row);
        }
    }
}
