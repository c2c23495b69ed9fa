package io.posbias.model.encode.cache;

import io.posbias.base.process.Closing;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.rank.SearchReport;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Encoder with a vector cache on disk: a killed run continues where it stopped, and a corpus need not fit in memory.
 */
public final class CachedEncoder implements VectorSource {
    private final TextEncoder encoder;
    private final Engine engine;
    private final VectorCache cache;
    private final AtomicLong encoded = new AtomicLong();
    private final AtomicLong known = new AtomicLong();

    /**
     * @param encoder closed with this
     * @param model the recipe's name
     */
    public CachedEncoder(TextEncoder encoder, String model, Engine engine, VectorCache.Shape shape) {
        this.encoder = encoder;
        this.engine = engine;
        this.cache = Closing.onFailure(() -> cache(encoder, model, engine, shape), encoder::close);
    }

    private static VectorCache cache(TextEncoder encoder, String model, Engine engine, VectorCache.Shape shape) {
        String own = VectorCache.space(encoder.space(), encoder, engine);
        String space = own + (shape.format() == VectorCache.VectorFormat.FLOAT16 ? "-half" : "");
        return VectorCache.open(engine, model, space, encoder.dimension(), shape);
    }

    @Override
    public int dimension() {
        return encoder.dimension();
    }

    public String space() {
        return encoder.space();
    }

    @Override
    public Map<String, Number> usage() {
        Map<String, Number> usage = new LinkedHashMap<>();
        usage.put(SearchReport.ENCODED, encoded.get());
        usage.put("texts_from_cache", known.get());
        usage.putAll(encoder.usage());
        return usage;
    }

    @Override
    public Collector collector(int size, Role role, String label) {
        return new Collector(size, role, engine.progress().start(label, size));
    }

    @Override
    public CallEstimate estimate(Consumer<Consumer<String>> texts, Role role) {
        CallEstimate[] sum = {CallEstimate.NONE};
        WindowGatherer gatherer =
                new WindowGatherer((keys, window) -> sum[0] = sum[0].plus(encoder.estimate(window, role)));
        texts.accept(text -> {
            Key key = Key.of(role, encoder.cachedAs(text, role));
            if (cache.find(key) < 0 && engine.calls().isFirst(space(), key)) {
                gatherer.add(key, text);
            }
        });
        gatherer.flush();
        return sum[0];
    }

    /** Collects texts into windows: while some are encoded, the next is read, looked up and tokenised. */
    public final class Collector implements VectorSource.Collector {
        private final Role role;
        private final Progress.Step step;
        private final Key[] keys;
        private final ExecutorService background = Executors.newFixedThreadPool(
                encoder.windows(),
                Thread.ofPlatform().daemon().name("posbias-encode").factory());
        private final WindowGatherer gatherer = new WindowGatherer(this::start);

        /** Texts of windows that are being encoded, so that a repeated text is not encoded twice. */
        private final Set<Key> underWay = ConcurrentHashMap.newKeySet();

        private final Deque<Future<?>> running = new ArrayDeque<>();

        private volatile boolean closing;

        private Collector(int size, Role role, Progress.Step step) {
            this.keys = new Key[size];
            this.role = role;
            this.step = step;
        }

        @Override
        public void add(int place, String text) {
            Key key = Key.of(role, encoder.cachedAs(text, role));
            keys[place] = key;
            if (underWay.contains(key) || cache.find(key) >= 0) {
                known.incrementAndGet();
                step.advance(1);
            } else if (!gatherer.add(key, text)) {
                step.advance(1);
            }
        }

        private void start(List<Key> windowKeys, List<String> window) {
            TextEncoder.EncodingWork work = encoder.prepare(window, role);
            underWay.addAll(windowKeys);
            await(encoder.windows() - 1);
            running.add(background.submit(() -> {
                work.run(batch -> {
                    keep(windowKeys, batch);
                    if (closing) {
                        throw new PosbiasException("stopped before its other batches");
                    }
                });
                windowKeys.forEach(underWay::remove);
            }));
        }

        private void keep(List<Key> windowKeys, List<TextEncoder.Encoded> batch) {
            cache.append(batch.stream()
                    .map(one -> new VectorCache.CachedText(windowKeys.get(one.text()), one))
                    .toList());
            encoded.addAndGet(batch.size());
            step.advance(batch.size());
        }

        /** Waits until at most this many windows are under way. */
        private void await(int most) {
            while (running.size() > most) {
                Parallel.await(running.remove());
            }
        }

        @Override
        public Vectors finish() {
            gatherer.flush();
            await(0);
            return new Vectors(cache, Arrays.stream(keys).mapToLong(cache::find).toArray());
        }

        /**
         * Ends windows after the batch that is being encoded. It is kept, as it may be paid for, and the model must not be closed
         * while it runs.
         */
        @Override
        public void close() {
            closing = true;
            background.close();
            step.close();
        }
    }

    @Override
    public void close() {
        encoder.close();
        cache.close();
    }
}
