package io.posbias.encode.api;

import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.Parallel;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.model.Pooling;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One vector a text, by a vendor's service or a server that speaks like one. */
public final class ApiEncoder implements TextEncoder {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = Stream.concat(
                    EmbeddingSettings.FIELDS.stream(),
                    Stream.of("query-prompt", "document-prompt", "normalise", "dimension", "max-tokens"))
            .distinct()
            .toList();

    /** Concurrent calls; vendors limit requests by the minute, not by how many wait. */
    private static final int CALLS = 4;

    private final EmbeddingSettings settings;
    private final EmbeddingApi api;
    private final ApiMeter meter = new ApiMeter();
    private final String queryPrompt;
    private final String passagePrompt;
    private final boolean normalise;
    private final String space;

    /** Prepares to ask the service that a recipe describes; its key is in the session's environment. */
    public ApiEncoder(Fields fields, Engine engine) {
        this.settings = EmbeddingSettings.of(fields);
        this.queryPrompt = fields.text("query-prompt", "");
        this.passagePrompt = fields.text("document-prompt", "");
        this.normalise = fields.flag("normalise", true);
        this.space = Checksums.sha256(fields.fingerprint(FIELDS).getBytes(StandardCharsets.UTF_8));
        this.api =
                new EmbeddingApi(settings, ApiConnection.of(settings.api(), engine.session(), meter, engine.calls()));
    }

    /** A check of a recipe's fields that touches no network and asks for no key. */
    public static void check(Fields fields) {
        EmbeddingSettings.of(fields);
        fields.flag("normalise", true);
    }

    @Override
    public int dimension() {
        return settings.dimension();
    }

    @Override
    public String space() {
        return space;
    }

    @Override
    public Map<String, Number> effort() {
        return meter.figures();
    }

    @Override
    public Work prepare(List<String> texts, Role role) {
        List<String> prompted = prompted(texts, role);
        List<Batch> batches = api.batches(prompted);
        return sink -> Parallel.forChunks(CALLS, batches.size(), 1, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                sink.accept(call(prompted, batches.get(i), role));
            }
        });
    }

    private List<String> prompted(List<String> texts, Role role) {
        String prompt = role == Role.QUERY ? queryPrompt : passagePrompt;
        return texts.stream().map(text -> prompt + text).toList();
    }

    @Override
    public CallEstimate estimate(List<String> texts, Role role) {
        List<String> prompted = prompted(texts, role);
        long tokens = prompted.stream().mapToLong(CallEstimate::tokens).sum();
        return settings.api().estimate(api.batches(prompted).size(), texts.size(), tokens);
    }

    private List<Encoded> call(List<String> texts, Batch batch, Role role) {
        float[][] vectors = api.embed(texts.subList(batch.from(), batch.to()), role == Role.QUERY);
        List<Encoded> encoded = new ArrayList<>(vectors.length);
        for (int i = 0; i < vectors.length; i++) {
            int text = batch.from() + i;
            if (normalise) {
                Pooling.normalise(vectors[i], 0, vectors[i].length);
            }
            encoded.add(new Encoded(text, vectors[i], 1, Texts.seen(settings.maxTokens(), texts.get(text))));
        }
        return encoded;
    }

    @Override
    public void close() {
        api.close();
    }
}
