package io.posbias.model.encode.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.onnx.FileSettings;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxSettings;
import io.posbias.model.encode.onnx.PairRow;
import io.posbias.model.encode.onnx.PairRows;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.Tokenizer;

/**
 * A reranker that reads query and passage as one text and gives one logit.
 *
 * @param truncation which text is cut
 * @param queryShare of a row's tokens that the query may have
 */
public record CrossEncoder(
        @JsonUnwrapped FileSettings named,
        @JsonUnwrapped OnnxSettings onnx,
        @Setting(words = {"none", "sigmoid"}) Activation activation,
        @Setting(words = {"only-document", "longest-first"}) String truncation,
        @Setting(usual = "1", above = 0, most = 1) double queryShare)
        implements GraphScorer.ScorerSettings {
    @Override
    public String fingerprint() {
        return Json.fingerprint(named.written(), CrossEncoder.class);
    }

    @Override
    public GraphScorer.PairScoring kind(Tokenizer tokenizer) {
        return new CrossScoring(
                new PairRows(
                        tokenizer,
                        onnx.complete(tokenizer.pair(), tokenizer),
                        onnx.maxTokens(),
                        truncation.equals("longest-first"),
                        queryShare),
                activation);
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
