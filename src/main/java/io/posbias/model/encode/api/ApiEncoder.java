package io.posbias.model.encode.api;

import io.posbias.base.process.Closing;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.Session;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.model.Pooling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** One vector a text, by a vendor's service or a server that speaks like one. */
public final class ApiEncoder implements TextEncoder {
    private final EmbeddingSettings settings;
    private final ApiConnection connection;
    private final Path home;
    private final TextReader cutter;
    private final AtomicBoolean saidCut = new AtomicBoolean();

    /** Prepares to ask a service; its key is in the session's environment. */
    public ApiEncoder(EmbeddingSettings settings, Engine engine) {
        this(
                settings,
                ApiConnection.of(settings.api(), engine.session(), new ApiMeter(), engine.calls()),
                engine.session());
    }

    /** @param session its home has the tokenizer, if the settings name one of the Hub */
    ApiEncoder(EmbeddingSettings settings, ApiConnection connection, Session session) {
        this.settings = settings;
        this.connection = connection;
        this.home = session.home();
        this.cutter = Closing.onFailure(() -> settings.cutter(session), connection::close);
    }

    @Override
    public int dimension() {
        return settings.output().dimension();
    }

    @Override
    public String space() {
        return settings.space(home);
    }

    /** A text that is cut shares the vectors of the part that is sent, and of no whole text. */
    @Override
    public String cachedAs(String text, Role role) {
        int seen = settings.cuts() ? cutter.seen(text, role) : WHOLE;
        return seen < 0 ? text : text.substring(0, seen) + "\0cut";
    }

    @Override
    public Map<String, Number> usage() {
        return connection.usage();
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        List<Sent> sent = sent(texts, role);
        List<Batch> batches = batches(sent);
        return sink -> {
            IntStream.range(0, texts.size())
                    .filter(i -> texts.get(i).isBlank())
                    .forEach(i -> sink.accept(List.of(new Encoded(i, new float[dimension()], 1, WHOLE))));
            int calls = settings.api().wire().callsAtOnce();
            Parallel.forChunks(calls, batches.size(), 1, () -> (from, to) -> {
                for (Batch batch : batches.subList(from, to)) {
                    encode(batch.of(sent), texts, role, sink);
                }
            });
        };
    }

    /**
     * A text for the service.
     *
     * @param place among the texts to encode
     * @param text with its prompt, cut if posbias cuts it
     * @param seen as {@link Encoded#seen}
     */
    private record Sent(int place, String text, int seen) {}

    /** The texts that are not blank: services refuse blank ones, whose vector is zero here. */
    private List<Sent> sent(List<String> texts, Role role) {
        String prompt = settings.input(role).prompt();
        List<Sent> sent = IntStream.range(0, texts.size())
                .filter(i -> !texts.get(i).isBlank())
                .mapToObj(i -> {
                    String text = texts.get(i);
                    int seen = cutter.seen(text, role);
                    return new Sent(i, prompt + (seen < 0 ? text : text.substring(0, seen)), seen);
                })
                .toList();
        if (sent.stream().anyMatch(one -> one.seen >= 0) && saidCut.compareAndSet(false, true)) {
            connection.say("texts over max-tokens " + settings.limit().orElseThrow() + " are cut before they are sent, "
                    + settings.rule());
        }
        return sent;
    }

    private List<Batch> batches(List<Sent> sent) {
        return Batch.divide(sent.stream().map(Sent::text).toList(), settings.limits(), 0);
    }

    @Override
    public CallEstimate estimate(List<String> texts, Role role) {
        List<Sent> sent = sent(texts, role);
        long tokens =
                sent.stream().mapToLong(one -> CallEstimate.tokens(one.text)).sum();
        return settings.api().estimate(batches(sent).size(), sent.size(), tokens);
    }

    private void encode(List<Sent> batch, List<String> texts, Role role, VectorSink sink) {
        List<String> sent = batch.stream().map(Sent::text).toList();
        List<float[]> vectors;
        try {
            vectors = embed(sent, role);
        } catch (ApiException refusal) {
            ApiException named = refusal.of(place -> texts.get(batch.get(place).place), settings.advice());
            int bad = refusal.place();
            if (!settings.skipsRefused() || bad < 0 || !connection.hasAnswered()) {
                throw named;
            }
            connection.say("skipped, with a vector of zeros: " + named.line());
            sink.accept(List.of(new Encoded(batch.get(bad).place, new float[dimension()], 1, UNKNOWN)));
            List<Sent> others = new ArrayList<>(batch);
            others.remove(bad);
            if (!others.isEmpty()) {
                encode(others, texts, role, sink);
            }
            return;
        }
        List<Encoded> encoded = new ArrayList<>(vectors.size());
        for (int i = 0; i < vectors.size(); i++) {
            float[] vector = vectors.get(i);
            if (settings.output().normalise()) {
                Pooling.normalise(vector, 0, vector.length);
            }
            Sent text = batch.get(i);
            encoded.add(new Encoded(text.place, vector, 1, text.seen));
        }
        sink.accept(encoded);
    }

    /**
     * Embeds the texts of one call, or of several if the service takes fewer at once.
     *
     * @param texts with their prompts, none blank
     * @return a vector of finite numbers per text, in their order, as the vendor gives it
     * @throws ApiException when the vendor refuses, stays silent, or answers with something else
     */
    List<float[]> embed(List<String> texts, Role role) {
        List<float[]> vectors = embedAny(texts, role, dimension());
        for (int i = 0; i < vectors.size(); i++) {
            check(vectors.get(i), i);
        }
        return vectors;
    }

    /** @param dimension 0 if unknown */
    private List<float[]> embedAny(List<String> texts, Role role, int dimension) {
        Dialect dialect = settings.api().service().embeddings;
        Map<Dialect.Part, Object> parts = new EnumMap<>(Dialect.Part.class);
        if (!settings.input(role).type().isEmpty()) {
            parts.put(Dialect.Part.TYPE, settings.input(role).type());
        }
        parts.put(Dialect.Part.TRUNCATE, settings.truncates());
        parts.put(Dialect.Part.TRUNCATE_END, settings.truncates() ? "END" : "NONE");
        if (settings.output().requestDimension()) {
            parts.put(Dialect.Part.DIMENSION, dimension());
        }
        return connection.ask(
                texts.stream().map(TextEncoder::encodable).toList(),
                some -> {
                    parts.put(Dialect.Part.TEXTS, some);
                    return dialect.body(settings.api(), parts);
                },
                json -> Reply.vectors(json, dialect.answer(), dimension),
                "texts-per-call");
    }

    /** Asks the service for the dimension of its vectors, whatever the recipe says: one call of one text. */
    public int askDimension() {
        return embedAny(List.of("a"), Role.PASSAGE, 0).getFirst().length;
    }

    private void check(float[] vector, int place) {
        if (vector.length != dimension()) {
            throw connection.wrong(
                    "a vector has " + vector.length + " numbers, and the recipe says dimension " + dimension());
        }
        for (float number : vector) {
            if (!Float.isFinite(number)) {
                throw connection
                        .wrong("a vector holds " + (Float.isNaN(number) ? "null or NaN" : number))
                        .at(place);
            }
        }
    }

    @Override
    public void close() {
        cutter.close();
        connection.close();
    }
}
