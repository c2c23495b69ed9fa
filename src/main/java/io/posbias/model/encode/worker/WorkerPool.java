package io.posbias.model.encode.worker;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.Parallel;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Equal workers that share the requests. */
final class WorkerPool implements AutoCloseable {
    /** A request with more texts than {@link #LEAST_TEXTS} has at most so many characters, for an answer in good time. */
    private static final int CHARACTERS = 65_536;

    /** A multiple of the batches that libraries make. */
    private static final int LEAST_TEXTS = 64;

    /** Requests of a worker that are made, computed or read at once. */
    private static final int AHEAD = 2;

    private static final List<String> FIELDS = List.of(
            "read",
            "rows",
            "query_cut",
            "spans",
            "cut",
            "scores",
            "layers",
            "pooling",
            "pieces",
            "first",
            Frame.NUMBERS);

    private final WorkerSettings settings;
    private final Path home;
    private final List<Worker> all = new ArrayList<>();
    /** Each worker {@link #AHEAD} times. */
    private final BlockingQueue<Worker> free = new LinkedBlockingQueue<>();

    WorkerPool(String model, WorkerSettings settings, Engine engine) {
        this.settings = settings;
        this.home = engine.home();
        try {
            for (int number = 0; number < settings.workers(); number++) {
                all.add(Worker.started(model, settings, number, engine));
            }
            for (Worker worker : all) {
                if (!worker.model().identity().equals(model().identity())) {
                    throw worker.failed("it is of another model or other versions than the first");
                }
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
        for (int i = 0; i < AHEAD; i++) {
            free.addAll(all);
        }
        model().notes().forEach(note -> engine.say("note: " + model + ": " + note));
    }

    WorkerModel model() {
        return first().model();
    }

    Worker first() {
        return all.getFirst();
    }

    String space() {
        return Checksums.sha256(Stream.of(settings.digest(home), model().identity()));
    }

    /**
     * Divides items into requests of similar length, the longest first, so that little is padded. Each request costs a few
     * milliseconds beside its texts, so that one of short texts has more of them.
     */
    <T> List<int[]> requests(List<T> items, ToIntFunction<T> length) {
        return requests(items, length, settings.textsPerRequest());
    }

    /**
     * Divides items into requests of at most so many.
     */
    <T> List<int[]> requests(List<T> items, ToIntFunction<T> length, int most) {
        int[] byLength = IntStream.range(0, items.size())
                .boxed()
                .sorted(Comparator.comparingInt((Integer item) -> -length.applyAsInt(items.get(item)))
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        List<int[]> requests = new ArrayList<>();
        int from = 0;
        while (from < byLength.length) {
            int longest = Math.max(1, length.applyAsInt(items.get(byLength[from])));
            int texts = Math.max(LEAST_TEXTS, CHARACTERS / longest / LEAST_TEXTS * LEAST_TEXTS);
            int to = Math.min(byLength.length, from + Math.min(texts, most));
            requests.add(Arrays.copyOfRange(byLength, from, to));
            from = to;
        }
        return requests;
    }

    /** Does work with a worker for each request: while it computes one, the next is made and the answer before is read. */
    void each(List<int[]> requests, Request work) {
        Parallel.forChunks(AHEAD * settings.workers(), requests.size(), 1, () -> (from, to) -> {
            for (int[] request : requests.subList(from, to)) {
                Worker worker = free.take();
                try {
                    work.ask(worker, request);
                } finally {
                    free.add(worker);
                }
            }
        });
    }

    /** Sends a request to every worker, one after another. Nothing else may be under way. */
    List<Frame> all(Map<String, ?> request) {
        return all.stream().map(worker -> worker.ask(request)).toList();
    }

    /** Asks a worker for the answers to some items. */
    @FunctionalInterface
    interface Request {
        void ask(Worker worker, int[] items);
    }

    static <T> List<T> at(int[] items, List<T> all) {
        return Arrays.stream(items).mapToObj(all::get).toList();
    }

    /** Returns an answer's list of whole numbers from 0 on, one for each text. */
    static List<Integer> counts(Worker worker, Frame answer, String list, int texts) {
        List<Integer> counts = answer.header()
                .path(list)
                .valueStream()
                .map(count -> Math.clamp(Frame.whole(count, -1), -1, Integer.MAX_VALUE))
                .toList();
        if (counts.size() != texts || counts.stream().anyMatch(count -> count < 0)) {
            throw worker.failed("its list \"" + list + "\" is not of " + Plural.of(texts, "count"));
        }
        return counts;
    }

    /**
     * Checks that an answer is of the items: a list {@code read} of code points that were read of each text, -1 for all of
     * it, or no list if the worker does not know, a list {@code query_cut} of true and false, or none, and finite numbers.
     *
     * @param expected count of numbers
     */
    static void check(Worker worker, Frame answer, int items, long expected) {
        Suggestions.misspelling(answer.header().propertyNames(), FIELDS).ifPresent(wrong -> {
            throw worker.failed("its answer has the field " + Printable.quoted(wrong.name()) + "; did you mean "
                    + wrong.meant() + "?");
        });
        JsonNode read = answer.header().path("read");
        if (!read.isMissingNode() && (!read.isArray() || read.size() != items)) {
            throw worker.failed(
                    "its list \"read\" has " + Plural.of(read.size(), "entry") + " for " + Plural.of(items, "text"));
        }
        if (read.valueStream().anyMatch(points -> Frame.whole(points, -2) < -1)) {
            throw worker.failed("its list \"read\" holds " + Printable.cut(read.toString())
                    + "; it counts the characters that were read of each text, -1 for all");
        }
        JsonNode cut = answer.header().path("query_cut");
        if (!cut.isMissingNode()
                && (!cut.isArray() || cut.size() != items || cut.valueStream().anyMatch(one -> !one.isBoolean()))) {
            throw worker.failed(
                    "its list \"query_cut\" is not of " + Plural.of(items, "text") + ", true or false each");
        }
        if (answer.numbers().length != expected) {
            throw worker.failed("its answer has " + answer.numbers().length + " numbers, " + expected + " belong to "
                    + Plural.of(items, "text"));
        }
        for (float number : answer.numbers()) {
            if (!Float.isFinite(number)) {
                throw worker.failed("its answer holds " + number);
            }
        }
    }

    @Override
    public void close() {
        all.forEach(Worker::close);
    }
}
