package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.encode.PairScorer;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxModel;
import io.posbias.encode.onnx.OnnxSettings;
import io.posbias.encode.onnx.PairRow;
import io.posbias.encode.onnx.TokenBatch;
import io.posbias.encode.onnx.Tokenizer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reranker that is a language model asked for "yes" or "no": the prompt is built as the recipe says, and only the logits
 * of the last position are read.
 */
public final class CausalReranker {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = GraphSettings.fields(
            "prefix", "query-template", "suffix", "parts", "query-share", "begin", "yes", "no", "logits", "activation");

    private static final List<String> LOGITS = List.of("yes-no", "last", "all");

    private CausalReranker() {}

    /**
     * Reads a recipe.
     *
     * @param recipe its name
     */
    public static GraphScorer.ScorerSettings of(String recipe, Fields fields) {
        OnnxSettings onnx = OnnxSettings.of(fields);
        CausalPrompt.PromptSettings prompt = CausalPrompt.PromptSettings.of(fields, onnx.maxTokens());
        Activation activation = activation(fields);
        String yes = fields.text("yes");
        String no = fields.has("no") ? fields.text("no") : null;
        String logits = fields.oneOf("logits", "yes-no", LOGITS);
        return new GraphScorer.ScorerSettings(
                ModelFiles.of(recipe, fields),
                onnx,
                Json.fingerprint(fields, FIELDS),
                activation,
                tokenizer -> new CausalScoring(
                        prompt.with(tokenizer),
                        logits,
                        AnswerWord.of(tokenizer, yes),
                        no == null ? null : AnswerWord.of(tokenizer, no),
                        activation));
    }

    /**
     * An answer that the model may give.
     *
     * @param id of the token that it begins with
     * @param tokens how many it has
     */
    private record AnswerWord(String text, int id, int tokens) {
        static AnswerWord of(Tokenizer tokenizer, String text) {
            int[] ids = tokenizer.tokenize(text).ids();
            if (ids.length == 0) {
                throw new PosbiasException("the tokenizer makes no token of the answer " + Printable.quoted(text));
            }
            return new AnswerWord(text, ids[0], ids.length);
        }

        @Override
        public String toString() {
            String first = tokens == 1 ? "" : ", the first of its " + tokens;
            return Printable.quoted(text) + ", token " + id + first;
        }
    }

    private static Activation activation(Fields fields) {
        Activation usual = fields.has("no") ? Activation.SOFTMAX : Activation.NONE;
        Activation activation = fields.oneOf("activation", usual, List.of(Activation.values()));
        if (activation == Activation.SOFTMAX && !fields.has("no")) {
            throw fields.bad(
                    "activation", "is softmax, of yes alone", "name the token of \"no\", or say sigmoid or none");
        }
        return activation;
    }

    private record CausalScoring(
            CausalPrompt prompt,
            String logits,
            AnswerWord yes,
            @Nullable AnswerWord no,
            Activation activation) implements GraphScorer.PairScoring {
        @Override
        public PairRow row(PairScorer.TextPair pair) {
            return prompt.row(pair);
        }

        @Override
        public Map<String, String> facts() {
            Map<String, String> facts = new LinkedHashMap<>();
            if (logits.equals("yes-no")) {
                facts.put("logits", no == null ? "yes, as the graph picks it" : "no and yes, as the graph picks them");
                return facts;
            }
            facts.put("yes", yes.toString());
            if (no != null) {
                facts.put("no", no.toString());
            }
            return facts;
        }

        @Override
        public double logit(TokenBatch batch, int row, OnnxModel.OnnxOutput output) {
            boolean reduced = logits.equals("yes-no");
            if (reduced) {
                int wanted = no == null ? 1 : 2;
                if (output.columns() != 1 || output.width() != wanted) {
                    throw wrong("yes-no", wanted, output);
                }
                int at = row * wanted;
                // (no, yes), as scripts/export_onnx.py and the vendors' code order them.
                double first = output.values().get(at);
                return wanted == 1 ? first : activation.logit(output.values().get(at + 1), first);
            }
            if (logits.equals("all") != output.columns() > 1 && batch.columns() > 1) {
                throw wrong(logits, 0, output);
            }
            int position = logits.equals("all")
                    ? batch.offset(row) + batch.list().get(row).size() - 1
                    : 0;
            int at = (row * output.columns() + position) * output.width();
            if (yes.id() >= output.width() || (no != null && no.id() >= output.width())) {
                throw wrong(logits, 0, output);
            }
            return activation.logit(
                    output.values().get(at + yes.id()),
                    no == null ? 0 : output.values().get(at + no.id()));
        }

        private static PosbiasException wrong(String logits, int wanted, OnnxModel.OnnxOutput output) {
            return new PosbiasException("the recipe says logits: " + logits
                    + (wanted > 0 ? ", " + wanted + " for each pair" : "") + "; the graph gives " + output.columns()
                    + " x " + output.width());
        }
    }
}
