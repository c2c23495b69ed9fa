package io.posbias.build;

import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.build.llm.LanguageModel;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.api.ApiMeter;
import io.posbias.encode.api.CachedChat;
import io.posbias.encode.api.ChatSettings;
import io.posbias.encode.onnx.Tokenizer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What stages work with: the documents, language models, what models run on. For one thread. */
public final class PipelineContext implements AutoCloseable {
    private final Construction construction;
    private final ApiMeter meter = new ApiMeter();
    private final Map<String, CachedChat> chats = new HashMap<>();
    private final Map<String, Tokenizer> tokenizers = new HashMap<>();
    private final List<Documents> translations = new ArrayList<>();
    private @Nullable RawDocuments input;
    private @Nullable Documents documents;
    private @Nullable InputSize inputSize;

    PipelineContext(Construction construction) {
        this.construction = construction;
    }

    /** What is to be made. */
    public Construction construction() {
        return construction;
    }

    public Pipeline pipeline() {
        return construction.pipeline();
    }

    public Engine engine() {
        return construction.engine();
    }

    public Session session() {
        return construction.session();
    }

    /** The folder of the results. */
    public Path out() {
        return construction.out();
    }

    /** The seed of a stage: its own, or the pipeline's. */
    public long seed(@Nullable Integer own) {
        return own == null ? pipeline().seed() : own;
    }

    /** What the pipeline begins with; its files are found, and their digests taken, once. */
    RawDocuments input() {
        RawDocuments found = input;
        if (found == null) {
            found = RawDocuments.of(construction);
            input = found;
        }
        return found;
    }

    /**
     * The documents, once the first stage has run.
     *
     * @throws IllegalStateException before
     */
    public Documents documents() {
        Documents opened = documents;
        if (opened == null) {
            throw new IllegalStateException("no stage has made documents");
        }
        return opened;
    }

    /**
     * The documents in a language: translations that a stage kept, or for the empty language those of the first stage.
     *
     * @param candidates of that stage
     */
    Documents documents(String language, Candidates candidates) {
        if (language.isEmpty()) {
            return documents();
        }
        Documents opened = new Documents(candidates.file().orElseThrow(), language);
        translations.add(opened);
        return opened;
    }

    /** Opens the documents in the file of the first stage. */
    void open(Path firstStage) {
        documents = new Documents(firstStage, "");
    }

    /** Who is asked for a role; empty where the pipeline leaves that to the user, who named nobody. */
    public Optional<ChatSettings> role(String name) {
        return Optional.ofNullable(construction.chats().get(name));
    }

    /**
     * The language model of a role.
     *
     * @throws UsageException if nobody says who that is
     */
    public LanguageModel languageModel(String role) {
        ChatSettings who = role(role)
                .orElseThrow(() -> new UsageException("the language model '" + role + "' of pipeline "
                        + pipeline().name() + " is not named: give --llm and --llm-model, or --set language-models."
                        + role
                        + ".endpoint=URL and its model"));
        CachedChat chat = chats.computeIfAbsent(
                who.space(),
                space -> new CachedChat(who, session(), construction.concurrency(), meter, engine().calls()));
        return new LanguageModel(chat, who.model());
    }

    /**
     * How much there is to read, for forecasts.
     *
     * @param documents how many the input holds
     * @param tokens of one on average, rather too many than too few
     */
    record InputSize(long documents, double tokens) {}

    /** The size of the input, which is read for it once. */
    InputSize inputSize() {
        InputSize known = inputSize;
        if (known == null) {
            long[] sums = new long[2];
            input().forEach((source, id, text) -> {
                sums[0]++;
                sums[1] += CallEstimate.tokens(text);
            });
            known = new InputSize(sums[0], sums[0] == 0 ? 0 : sums[1] / (double) sums[0]);
            inputSize = known;
        }
        return known;
    }

    /** A tokenizer that lengths are counted with; it is opened once. */
    Tokenizer tokenizer(String name, Supplier<Tokenizer> open) {
        return tokenizers.computeIfAbsent(name, unread -> open.get());
    }

    /** What calls of language models took so far. */
    ApiMeter meter() {
        return meter;
    }

    @Override
    public void close() {
        chats.values().forEach(CachedChat::close);
        tokenizers.values().forEach(Tokenizer::close);
        translations.forEach(Documents::close);
        if (documents != null) {
            documents.close();
        }
    }
}
