package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a GPU would wait: in place of its computing a session sleeps, one batch at a time, and then gives a batch's numbers.
 * All else is what a run does: MiniLM's tokens, batches of 32,768 tokens, means over tokens, the cache of vectors.
 */
@Tag("slow")
class OverlapTest {
    private static final int WIDTH = 384;
    private static final int TEXTS = 8_000;

    /** Share of the time in which nothing is computed. */
    private record Waiting(double share, double seconds) {}

    /** One batch is computed at a time, as by a GPU; others that have a permit wait for it. */
    private static final class Sleeping extends Semaphore {
        private static final long serialVersionUID = 1;
        private final Duration each;
        private final AtomicLong busy = new AtomicLong();

        private Sleeping(int permits, Duration each) {
            super(permits);
            this.each = each;
        }

        @Override
        public void acquireUninterruptibly() {
            super.acquireUninterruptibly();
            synchronized (this) {
                long start = System.nanoTime();
                try {
                    Thread.sleep(each);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                busy.addAndGet(System.nanoTime() - start);
            }
        }
    }

    private static byte[] graph() {
        return new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "n", "t")
                .constant("last", new long[] {2}, 1)
                .constant("times", new long[] {1, 1, WIDTH}, 3)
                .node("Cast", List.of("input_ids"), List.of("numbers"), new Attribute("to", 1))
                .node("Unsqueeze", List.of("numbers", "last"), List.of("columns"))
                .node("Tile", List.of("columns", "times"), List.of("last_hidden_state"))
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "n", "t", WIDTH)
                .toBytes();
    }

    private static List<String> texts() {
        List<String> words =
                List.of("river", "mill", "brothers", "built", "1884", "the", "of", "unremarkable", "bridges");
        Random random = new Random(1);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            StringBuilder text = new StringBuilder("text " + i);
            for (int w = random.nextInt(30, 150); w > 0; w--) {
                text.append(' ').append(words.get(random.nextInt(words.size())));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private record Encoder(DenseSettings settings, Tokenizer tokenizer, OnnxModel model, BatchRunner work)
            implements TextEncoder {
        @Override
        public int dimension() {
            return WIDTH;
        }

        @Override
        public String space() {
            return "overlap";
        }

        @Override
        public EncodingWork prepare(List<String> texts, Role role) {
            TextRows maker = settings.rows(tokenizer, role);
            List<TokenRow> rows = work.rows(texts.size(), i -> maker.row(texts.get(i)));
            return sink -> work.run(rows, work.batches(rows), (batch, places) -> {
                TokenBatch input = new TokenBatch(batch, new TokenBatch.Padding(0, false));
                List<float[]> vectors = model.run(input, "last_hidden_state", output -> means(batch, output));
                List<Encoded> encoded = new ArrayList<>();
                for (int i = 0; i < vectors.size(); i++) {
                    encoded.add(new Encoded(places.get(i), vectors.get(i), 1, WHOLE));
                }
                sink.accept(encoded);
            });
        }

        private static List<float[]> means(List<TokenRow> batch, OnnxModel.OnnxOutput output) {
            List<float[]> vectors = new ArrayList<>();
            for (int r = 0; r < batch.size(); r++) {
                float[] sum = new float[WIDTH];
                for (int t = 0; t < batch.get(r).size(); t++) {
                    int from = (r * output.columns() + t) * WIDTH;
                    for (int d = 0; d < WIDTH; d++) {
                        sum[d] += output.values().get(from + d) / batch.get(r).size();
                    }
                }
                vectors.add(sum);
            }
            return vectors;
        }

        @Override
        public void close() {
            model.close();
            tokenizer.close();
        }
    }

    private static Waiting waiting(Path home, List<String> texts, int threads, int permits, Duration each) {
        DenseSettings settings = StandIns.dense(
                Json.parseYaml(Path.of("all-minilm-l6-v2.yaml"), Configs.read("configs/models/all-minilm-l6-v2.yaml")));
        Device cuda = new Device(Device.DeviceKind.CUDA, 0);
        Engine engine = new Engine(cuda, threads, 0, true, CallLimit.none(), Sessions.in(home));
        Sleeping session = new Sleeping(permits, each);
        OnnxModel model = new OnnxModel(
                "sleeping", OnnxRuntime.onCpu(engine.session()).load("sleeping", graph()), "sleeping", session);
        Encoder encoder = new Encoder(
                settings,
                settings.files().getFirst().tokenizer(engine.session()),
                model,
                new BatchRunner(engine, cuda, Precision.FLOAT32));
        VectorCache.Shape shape = VectorCache.Shape.ONE;
        try (CachedEncoder cached = new CachedEncoder(encoder, "overlap", engine, shape);
                VectorSource.Collector collector = cached.collector(texts.size(), Role.PASSAGE, "encode")) {
            long start = System.nanoTime();
            for (int i = 0; i < texts.size(); i++) {
                collector.add(i, texts.get(i));
            }
            collector.finish();
            double nanos = System.nanoTime() - start;
            return new Waiting(1 - session.busy.get() / nanos, nanos / 1e9);
        }
    }

    @Test
    void aGpuWaitsLessThanWithOneBatchAtATime(@TempDir Path temp) throws IOException {
        List<String> texts = texts();
        waiting(temp.resolve("warm"), texts.subList(0, 2_000), 2, 2, Duration.ofMillis(1));
        StringBuilder table = new StringBuilder("| computing a batch | before | now |\n| --: | --: | --: |\n");
        for (int millis : new int[] {100, 200}) {
            Duration each = Duration.ofMillis(millis);
            Waiting before = waiting(temp.resolve("before" + millis), texts, 1, 1, each);
            Waiting now = waiting(temp.resolve("now" + millis), texts, 4, 2, each);
            table.append(String.format(
                    Locale.ROOT,
                    "| %d ms | %.0f %%, %.1f s | %.0f %%, %.1f s |%n",
                    millis,
                    100 * before.share(),
                    before.seconds(),
                    100 * now.share(),
                    now.seconds()));
            assertThat(now.share()).isLessThan(before.share());
        }
        Files.writeString(Path.of("target", "overlap.md"), table);
    }
}
