package io.posbias.model.encode.worker;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Gradients, layers and parts of vectors of dense models in workers. Safe for several threads. */
public final class WorkerInside implements AutoCloseable {
    /** A text's answer takes many times the memory and the time of its vector. */
    private static final int TEXTS = 8;

    private final WorkerPool workers;
    private final WorkerEncoder encoder;
    private final Engine engine;
    private final Set<String> said = new LinkedHashSet<>();

    /**
     * Starts the workers and waits until their models are loaded.
     *
     * @throws PosbiasException if they do not look into their model
     */
    public WorkerInside(String model, WorkerSettings settings, Engine engine) {
        this.workers = new WorkerPool(model, settings, engine);
        this.encoder = new WorkerEncoder(model, workers, settings.gives());
        this.engine = engine;
        if (workers.model().inside().isEmpty()) {
            close();
            throw new PosbiasException(
                    model + ": its worker does not look into the model (field \"inside\" of its first"
                            + " answer); posbias's own does: --model st:ORG/NAME");
        }
    }

    /** Returns versions of libraries, device and type of numbers, for results. */
    public String engine() {
        return workers.model().engine();
    }

    /** Returns true if vectors are compared by their angle. */
    public boolean isCosine() {
        return workers.model().cosine();
    }

    /** Returns the vectors of texts, as scores compare them. */
    public List<float[]> vectors(List<String> texts, Role role) {
        float[][] vectors = new float[texts.size()][];
        encoder.prepare(texts, role)
                .run(batch -> batch.forEach(encoded -> vectors[encoded.text()] = encoded.vectors()));
        return List.of(vectors);
    }

    /**
     * A text as the model reads it.
     *
     * @param starts of its tokens, special ones and the prompt's left out, in UTF-16 units
     * @param ends of these
     * @param cut true if the text goes on behind the last one
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
    public record Read(int[] starts, int[] ends, boolean cut) {
        public int tokens() {
            return starts.length;
        }
    }

    /**
     * Gradients of a text's scores.
     *
     * @param scores inner products of the text's vector and each direction
     * @param norms L2 norms of their gradients, of the tokens of {@code read} each
     */
    public record Gradients(Read read, List<Double> scores, List<float[]> norms) {}

    /**
     * Computes the gradients of the inner products of passages' vectors with directions, with respect to the passages'
     * token embeddings before positions and norms. See section 4.3 of PosIR, arXiv:2601.08363.
     *
     * @param directions at least one for each passage
     * @param sink takes each passage's, with its index, in no particular order
     */
    public void gradients(List<String> passages, List<List<float[]>> directions, ObjIntConsumer<Gradients> sink) {
        ask(passages, (worker, items, texts) -> {
            List<List<float[]>> own = WorkerPool.at(items, directions);
            Frame answer = worker.ask(Map.of("do", "gradients", "texts", texts, "directions", own));
            List<Read> read = read(worker, answer, texts);
            note(answer);
            JsonNode scores = answer.header().path("scores");
            Numbers numbers = new Numbers(worker, answer, items.length);
            for (int i = 0; i < items.length; i++) {
                int tokens = read.get(i).tokens();
                List<float[]> norms = new ArrayList<>();
                for (int direction = 0; direction < own.get(i).size(); direction++) {
                    norms.add(numbers.next(tokens));
                }
                List<Double> products =
                        scores.path(i).valueStream().map(JsonNode::asDouble).toList();
                if (products.size() != norms.size()) {
                    throw worker.failed("its list \"scores\" has " + Plural.of(products.size(), "number") + " for "
                            + Plural.of(norms.size(), "direction"));
                }
                sink.accept(new Gradients(read.get(i), products, norms), items[i]);
            }
            numbers.end();
        });
    }

    /**
     * Vectors of a text by layer.
     *
     * @param vectors of each layer, the pooled one and those of the parts; no layer for a text with too few tokens
     */
    public record Layers(Read read, String pooling, List<List<float[]>> vectors) {}

    /**
     * Reads the vectors of passages after each layer: the embeddings, then the outputs of the transformer's layers. Of n tokens,
     * part i of k has those from floor(i n / k) to floor((i + 1) n / k), exclusive.
     *
     * @param sink as of {@link #gradients}
     */
    public void layers(List<String> passages, int parts, ObjIntConsumer<Layers> sink) {
        int width = workers.model().dimension();
        ask(passages, (worker, items, texts) -> {
            Frame answer = worker.ask(Map.of("do", "layers", "texts", texts, "parts", parts));
            List<Read> read = read(worker, answer, texts);
            List<Integer> layers = WorkerPool.counts(worker, answer, "layers", items.length);
            long all = layers.stream().mapToLong(Integer::longValue).sum() * (1 + parts);
            // The width of hidden states may be another one than that of vectors.
            int own = all == 0 ? width : Math.toIntExact(answer.numbers().length / all);
            Numbers numbers = new Numbers(worker, answer, items.length);
            for (int i = 0; i < items.length; i++) {
                List<List<float[]>> vectors = new ArrayList<>();
                for (int layer = 0; layer < layers.get(i); layer++) {
                    vectors.add(IntStream.range(0, 1 + parts)
                            .mapToObj(part -> numbers.next(own))
                            .toList());
                }
                String pooling = answer.header().path("pooling").asString("");
                sink.accept(new Layers(read.get(i), pooling, vectors), items[i]);
            }
            numbers.end();
        });
    }

    /**
     * Parts of a text's vector, which sum to it.
     *
     * @param pieces tokens of the row, special ones and the prompt's included, as the vocabulary writes them
     * @param first place of the first token of {@code read} among the pieces
     * @param values (pieces, dimension)
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    public record Contributions(Read read, List<String> pieces, int first, float[] values) {}

    /**
     * Splits the vectors of texts over their tokens, by DecompX.
     *
     * @param biases how a bias is shared: {@code absdot} or {@code equal}
     * @param sink as of {@link #gradients}
     */
    public void contributions(List<String> texts, Role role, String biases, ObjIntConsumer<Contributions> sink) {
        workers.each(workers.requests(texts, String::length, 1), (worker, items) -> {
            List<String> asked = List.of(TextEncoder.encodable(texts.get(items[0])));
            Frame answer = worker.ask(
                    Map.of("do", "contributions", "role", Suggestions.word(role), "texts", asked, "biases", biases));
            Read read = read(worker, answer, asked).getFirst();
            List<String> pieces = answer.header()
                    .path("pieces")
                    .path(0)
                    .valueStream()
                    .map(piece -> piece.asString(""))
                    .toList();
            int first = WorkerPool.counts(worker, answer, "first", 1).getFirst();
            if (first + read.tokens() > pieces.size()) {
                throw worker.failed("its list \"pieces\" has " + Plural.of(pieces.size(), "token") + ", \"spans\" has "
                        + read.tokens() + " from " + first + " on");
            }
            Numbers numbers = new Numbers(worker, answer, 1);
            float[] values = numbers.next(pieces.size() * workers.model().dimension());
            numbers.end();
            sink.accept(new Contributions(read, pieces, first, values), items[0]);
        });
    }

    /**
     * Begins a training of the model, which changes it.
     *
     * @param done steps that the checkpoint has
     * @param checkpoint folder of a former training's weights and state; null for none
     * @throws PosbiasException if the model or the settings cannot be trained
     */
    public WorkerTraining train(WorkerTraining.Plan plan, int done, @Nullable Path checkpoint) {
        return new WorkerTraining(workers.first(), plan, done, checkpoint);
    }

    /**
     * Replaces the weights of the model by random ones of the same shapes: matrices, tables included, are normal with mean 0 and
     * the deviation of the model's own; weights of norms are 1, biases 0.
     *
     * @return the generator
     */
    public String randomise(int seed) {
        return workers.all(Map.of("do", "randomise", "seed", seed))
                .getFirst()
                .header()
                .path("generator")
                .asString("");
    }

    /** A request about some texts. */
    @FunctionalInterface
    private interface Question {
        void ask(Worker worker, int[] items, List<String> texts);
    }

    private void ask(List<String> texts, Question question) {
        List<String> sent = texts.stream().map(TextEncoder::encodable).toList();
        workers.each(
                workers.requests(sent, String::length, TEXTS),
                (worker, items) -> question.ask(worker, items, WorkerPool.at(items, sent)));
    }

    private synchronized void note(Frame answer) {
        answer.header()
                .path("notes")
                .valueStream()
                .map(note -> note.asString(""))
                .filter(said::add)
                .forEach(note -> engine.say("note: " + note));
    }

    private static List<Read> read(Worker worker, Frame answer, List<String> texts) {
        JsonNode spans = answer.header().path("spans");
        JsonNode cut = answer.header().path("cut");
        if (spans.size() != texts.size() || cut.size() != texts.size()) {
            throw worker.failed("its lists \"spans\" and \"cut\" are not of " + Plural.of(texts.size(), "text"));
        }
        return IntStream.range(0, texts.size())
                .mapToObj(i ->
                        read(worker, spans.path(i), texts.get(i), cut.path(i).asBoolean(false)))
                .toList();
    }

    /** Converts code points to UTF-16 units. */
    private static Read read(Worker worker, JsonNode spans, String text, boolean cut) {
        int[] units = new int[text.codePointCount(0, text.length()) + 1];
        for (int point = 1; point < units.length; point++) {
            units[point] = text.offsetByCodePoints(units[point - 1], 1);
        }
        int[] starts = new int[spans.size()];
        int[] ends = new int[starts.length];
        for (int i = 0; i < starts.length; i++) {
            JsonNode span = spans.path(i);
            long start = Frame.whole(span.path(0), -1);
            long end = Frame.whole(span.path(1), -1);
            if (start < 0 || end < start || end >= units.length) {
                throw worker.failed(
                        "its list \"spans\" has " + span + " of a text of " + (units.length - 1) + " characters");
            }
            starts[i] = units[(int) start];
            ends[i] = units[(int) end];
        }
        return new Read(starts, ends, cut);
    }

    /** The numbers of an answer, one array after another. */
    private static final class Numbers {
        private final Worker worker;
        private final float[] all;
        private int at;

        Numbers(Worker worker, Frame answer, int items) {
            WorkerPool.check(worker, answer, items, answer.numbers().length);
            this.worker = worker;
            this.all = answer.numbers();
        }

        float[] next(int count) {
            if (count > all.length - at) {
                throw worker.failed("its answer has " + all.length + " numbers, too few for its texts");
            }
            at += count;
            return Arrays.copyOfRange(all, at - count, at);
        }

        void end() {
            if (at != all.length) {
                throw worker.failed("its answer has " + all.length + " numbers, " + at + " belong to its texts");
            }
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}
