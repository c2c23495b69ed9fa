package io.posbias.encode;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A reranker that is a language model asked for "yes" or "no": the prompt is built as the recipe says, and only the logits
 * of the last position are read.
 */
public final class CausalReranker {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = Stream.of(
                    ModelFiles.FIELDS,
                    OnnxSettings.FIELDS,
                    List.of(
                            "prefix",
                            "query-template",
                            "suffix",
                            "parts",
                            "query-share",
                            "begin",
                            "yes",
                            "no",
                            "logits",
                            "activation"))
            .flatMap(List::stream)
            .toList();

    private static final List<String> LOGITS = List.of("yes-no", "last", "all");

    private CausalReranker() {}

    /**
     * A check of a recipe's fields that loads nothing.
     *
     * @return the files that must be there
     */
    public static ModelFiles check(String recipe, Fields fields) {
        OnnxSettings.of(fields);
        CausalPrompt.check(fields);
        activation(fields);
        fields.text("yes");
        fields.oneOf("logits", "yes-no", LOGITS);
        return ModelFiles.of(recipe, fields);
    }

    /** Loads the model that a recipe describes. */
    public static PairScorer open(String recipe, Fields fields, Engine engine) {
        OnnxSettings onnx = OnnxSettings.of(fields);
        String fingerprint = DenseSettings.fingerprint(fields, FIELDS);
        return new GraphScorer(
                ModelFiles.of(recipe, fields), onnx, fingerprint, engine, tokenizer -> kind(fields, tokenizer));
    }

    /** How rows are made and read, with a tokenizer that stays its opener's. */
    static GraphScorer.Kind kind(Fields fields, Tokenizer tokenizer) {
        return new Kind(
                CausalPrompt.of(fields, tokenizer, OnnxSettings.of(fields).maxTokens()),
                fields.oneOf("logits", "yes-no", LOGITS),
                firstId(tokenizer, fields.text("yes")),
                fields.has("no") ? firstId(tokenizer, fields.text("no")) : -1,
                activation(fields));
    }

    /** The id that the answer begins with. */
    private static int firstId(Tokenizer tokenizer, String answer) {
        int[] ids = tokenizer.tokenize(answer).ids();
        if (ids.length == 0) {
            throw new PosbiasException("the tokenizer makes no token of the answer \"" + answer + "\"");
        }
        return ids[0];
    }

    private static Activation activation(Fields fields) {
        Activation activation = Activation.of(fields.oneOf(
                "activation", fields.has("no") ? "softmax" : "none", Activation.names(Activation.values())));
        if (activation == Activation.SOFTMAX && !fields.has("no")) {
            throw fields.bad(
                    "activation", "is softmax, of yes alone", "name the token of \"no\", or say sigmoid or none");
        }
        return activation;
    }

    private record Kind(CausalPrompt prompt, String logits, int yes, int no, Activation activation)
            implements GraphScorer.Kind {
        @Override
        public PairRow row(PairScorer.Pair pair) {
            return prompt.row(pair);
        }

        @Override
        public List<String> outputs() {
            return List.of("logits", "scores");
        }

        @Override
        public float score(TokenBatch batch, int row, OnnxModel.Output output) {
            boolean reduced = logits.equals("yes-no");
            if (reduced) {
                int wanted = no < 0 ? 1 : 2;
                if (output.columns() != 1 || output.width() != wanted) {
                    throw wrong("yes-no", wanted, output);
                }
                int at = row * wanted;
                // (no, yes), as scripts/export_onnx.py and the vendors' code order them.
                double first = output.values().get(at);
                return wanted == 1
                        ? activation.of(first, 0)
                        : activation.of(output.values().get(at + 1), first);
            }
            if (logits.equals("all") != output.columns() > 1 && batch.columns() > 1) {
                throw wrong(logits, 0, output);
            }
            int position = logits.equals("all")
                    ? batch.offset(row) + batch.list().get(row).size() - 1
                    : 0;
            int at = (row * output.columns() + position) * output.width();
            if (yes >= output.width() || no >= output.width()) {
                throw wrong(logits, 0, output);
            }
            return activation.of(
                    output.values().get(at + yes), no < 0 ? 0 : output.values().get(at + no));
        }

        private static PosbiasException wrong(String logits, int wanted, OnnxModel.Output output) {
            return new PosbiasException("the recipe says logits: " + logits
                    + (wanted > 0 ? ", " + wanted + " for each pair" : "") + "; the graph gives " + output.columns()
                    + " x " + output.width());
        }
    }
}
