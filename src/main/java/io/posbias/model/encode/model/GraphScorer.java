package io.posbias.model.encode.model;

import io.posbias.base.process.Closing;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairReader;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.onnx.BatchRunner;
import io.posbias.model.encode.onnx.FileSettings;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.model.encode.onnx.OnnxSettings;
import io.posbias.model.encode.onnx.PairRow;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Scores pairs with a transformer's graph. {@link PairScoring} makes the rows and reads the output. */
public final class GraphScorer implements PairScorer {
    private static final List<String> OUTPUTS = List.of("logits", "scores");

    private final OnnxRuntime runtime;
    private final OnnxModel model;
    private final Tokenizer tokenizer;
    private final BatchRunner work;
    private final PairScoring kind;
    private final OnnxSettings settings;
    private final String output;
    private final String space;

    /** A kind of reranker, made for one tokenizer. */
    public interface PairScoring {
        PairRow row(TextPair pair);

        /** Returns the logit of a row in a batch; higher is better. */
        double logit(TokenBatch batch, int row, OnnxModel.OnnxOutput output);

        /** Returns the function from logit to score. */
        Activation activation();

        /** Returns properties that a check prints, by name. */
        default Map<String, String> facts() {
            return Map.of();
        }
    }

    /** Settings of a reranker with a graph. */
    public interface ScorerSettings {
        default int maxTokens() {
            return onnx().maxTokens();
        }

        default ModelFiles files() {
            return named().files();
        }

        FileSettings named();

        OnnxSettings onnx();

        /** Returns a SHA-256 of the fields that scores depend on. */
        String fingerprint();

        Activation activation();

        PairScoring kind(Tokenizer tokenizer);

        default boolean givesLogits() {
            return activation() == Activation.NONE;
        }

        /** Opens a reader of pairs, by the tokenizer alone. */
        default PairReader reader(Engine engine) {
            Tokenizer tokenizer = named().files().tokenizer(engine.session());
            PairScoring made = Closing.onFailure(() -> kind(tokenizer), tokenizer::close);
            return new PairReader() {
                @Override
                public Seen read(TextPair pair) {
                    PairRow row = made.row(pair);
                    return new Seen(row.row().seen(), row.queryCut());
                }

                @Override
                public void close() {
                    tokenizer.close();
                }
            };
        }
    }

    public GraphScorer(ScorerSettings settings, Engine engine) {
        ModelFiles files = settings.named().files();
        this.runtime = OnnxRuntime.on(engine.device(), engine.session());
        this.settings = settings.onnx();
        this.work = new BatchRunner(engine, runtime.device(), files.precision());
        this.tokenizer = files.tokenizer(engine.session());
        this.kind = Closing.onFailure(() -> settings.kind(tokenizer), tokenizer::close);
        this.model = Closing.onFailure(() -> files.load(runtime, engine.home()), tokenizer::close);
        this.output = Closing.onFailure(() -> model.output(this.settings.output(), OUTPUTS), this::close);
        this.space = Closing.onFailure(() -> runtime.space(settings.fingerprint(), model), this::close);
    }

    @Override
    public CallEstimate estimate(List<TextPair> pairs) {
        return PairScorer.estimate(pairs, settings.maxTokens());
    }

    @Override
    public String space() {
        return space;
    }

    public Device device() {
        return runtime.device();
    }

    public OnnxModel model() {
        return model;
    }

    public String output() {
        return output;
    }

    public PairScoring kind() {
        return kind;
    }

    /** Returns true if each pair runs alone, not in a batch. */
    public boolean runsAlone() {
        return work.precision().runsAlone();
    }

    /** Returns true if the recipe pads on the left. */
    public boolean padsLeft() {
        return settings.padLeft();
    }

    @Override
    public PairWork prepare(List<TextPair> pairs) {
        boolean[] queryCut = new boolean[pairs.size()];
        List<TokenRow> rows = work.rows(pairs.size(), i -> {
            PairRow row = kind.row(pairs.get(i));
            queryCut[i] = row.queryCut();
            return row.row();
        });
        List<List<Integer>> batches = work.batches(rows);
        return sink -> work.run(rows, batches, (list, places) -> {
            float[] scores = scores(list);
            List<Scored> scored = new ArrayList<>(scores.length);
            for (int i = 0; i < scores.length; i++) {
                int pair = places.get(i);
                scored.add(new Scored(pair, scores[i], list.get(i).seen(), queryCut[pair]));
            }
            sink.accept(scored);
        });
    }

    private float[] scores(List<TokenRow> rows) {
        double[] logits = logits(rows, padsLeft());
        float[] scores = new float[logits.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = kind.activation().of(logits[i]);
            if (!Float.isFinite(scores[i])) {
                throw new PosbiasException("the model gave the score " + scores[i]);
            }
        }
        return scores;
    }

    /** Returns the logits of a batch, in its order; NaN and infinity are possible. */
    public double[] logits(List<TokenRow> rows, boolean padLeft) {
        TokenBatch batch = new TokenBatch(rows, new TokenBatch.Padding(tokenizer.padId(), padLeft));
        return model.run(
                batch,
                output,
                result -> IntStream.range(0, batch.rows())
                        .mapToDouble(row -> kind.logit(batch, row, result))
                        .toArray());
    }

    @Override
    public void close() {
        model.close();
        tokenizer.close();
    }
}
