package io.posbias.model.encode.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.onnx.FileSettings;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxSettings;
import io.posbias.model.encode.onnx.PairRow;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.Tokenizer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reranker that is a language model asked for "yes" or "no": the prompt is built as the recipe says, and only the logits
 * of the last position are read.
 *
 * @param no null if only "yes" counts
 * @param logits that the graph gives: of both answers, of the last position, or of all
 * @param chosen null for softmax of both answers, or none of "yes" alone
 */
public record CausalReranker(
        @JsonUnwrapped FileSettings named,
        @JsonUnwrapped OnnxSettings onnx,
        @JsonUnwrapped CausalPrompt.PromptSettings prompt,
        String yes,
        @Nullable String no,
        @Setting(words = {"yes-no", "last", "all"}) String logits,
        @JsonProperty("activation") @Nullable Activation chosen)
        implements GraphScorer.ScorerSettings {
    public CausalReranker {
        if (chosen == Activation.SOFTMAX && no == null) {
            throw new Setting.Wrong(
                    "activation", "is softmax, of yes alone", "name the token of \"no\", or say sigmoid or none");
        }
    }

    @Override
    public Activation activation() {
        return Objects.requireNonNullElse(chosen, no == null ? Activation.NONE : Activation.SOFTMAX);
    }

    @Override
    public String fingerprint() {
        return Json.fingerprint(named.written(), CausalReranker.class);
    }

    @Override
    public GraphScorer.PairScoring kind(Tokenizer tokenizer) {
        return new CausalScoring(
                prompt.with(tokenizer, onnx.maxTokens()),
                logits,
                AnswerWord.of(tokenizer, yes),
                no == null ? null : AnswerWord.of(tokenizer, no),
                activation());
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
