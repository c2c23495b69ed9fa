package io.posbias.study.build;

import io.posbias.base.files.OwnFolder;
import io.posbias.base.files.Staging;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.dataset.Qrels;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.api.ApiMeter;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.retrieve.text.UnspacedWords;
import io.posbias.study.build.llm.LanguageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a stage sees of a run: its language and seed, the documents, models, the engine. For one thread. */
public final class StageContext implements AutoCloseable {
    static final String COMMAND = "construct";

    private final Construction construction;
    private final ApiMeter meter = new ApiMeter();
    private final Map<String, CachedChat> chats = new HashMap<>();
    private final Map<String, Tokenizer> tokenizers = new HashMap<>();
    private final List<SourceDocuments> translations = new ArrayList<>();
    private @Nullable PlainDocuments input;
    private @Nullable SourceDocuments documents;
    private String usedDocuments = "";
    private @Nullable InputSize inputSize;

    StageContext(Construction construction) {
        this.construction = construction;
    }

    public Engine engine() {
        return construction.engine();
    }

    public Session session() {
        return construction.session();
    }

    public String language() {
        return construction.pipeline().language();
    }

    /** Words of the documents if their language is written without spaces. */
    Optional<UnspacedWords> unspacedWords() {
        return UnspacedWords.of(language(), session());
    }

    /** The pipeline's seed if {@code own} is null. */
    public long seed(@Nullable Integer own) {
        return own == null ? construction.pipeline().seed() : own;
    }

    List<Path> inputs() {
        return construction.inputs();
    }

    PlainDocuments input() {
        PlainDocuments found = input;
        if (found == null) {
            found = PlainDocuments.of(inputs(), construction.textField(), "--input");
            input = found;
        }
        return found;
    }

    /**
     * Returns the documents of the first stage.
     *
     * @throws IllegalStateException before it has run
     */
    public SourceDocuments documents() {
        SourceDocuments opened = documents;
        if (opened == null) {
            throw new IllegalStateException("no stage has made documents");
        }
        return opened;
    }

    /** Returns the translations that a stage kept, or the original documents for the empty language. */
    SourceDocuments documents(String language, Candidates candidates) {
        if (language.isEmpty()) {
            return documents();
        }
        SourceDocuments opened = new SourceDocuments(candidates.file().orElseThrow(), language);
        translations.add(opened);
        return opened;
    }

    /** @param notes of the first stage */
    void open(Path firstStage, Map<String, Object> notes) {
        documents = new SourceDocuments(firstStage, "");
        usedDocuments = String.valueOf(notes.getOrDefault(PipelineRecord.DOCUMENTS, ""));
    }

    /** Returns the documents as a benchmark without queries, for retrievers. */
    Dataset corpus() {
        return corpus("documents", documents().passages());
    }

    /** Returns passages in the pipeline's language as a benchmark without queries. */
    Dataset corpus(String name, Passages passages) {
        DatasetCard card = DatasetCard.named(name).with(DatasetCard.Field.LANGUAGE, language());
        return new Dataset(card, Map.of(), passages, List.of(), new Qrels(Map.of()));
    }

    String text(Candidate candidate) {
        return documents().text(candidate.document());
    }

    /** Returns the card of a benchmark that the pipeline makes, under the pipeline's name. */
    DatasetCard card() {
        Pipeline pipeline = construction.pipeline();
        return DatasetCard.named(pipeline.name())
                .with(DatasetCard.Field.LANGUAGE, pipeline.language())
                .with(DatasetCard.Field.SOURCE, "posbias construct " + pipeline.name())
                .with(DatasetCard.Field.BUCKETING, pipeline.bucketing())
                .orBucketing(DatasetCard.FINEWEB_POSQ_BUCKETS)
                .with(DatasetCard.Field.CITATION, pipeline.citation())
                .with(DatasetCard.Field.NOTES, usedDocuments);
    }

    Path out() {
        return construction.out();
    }

    /** Writes a stage's folder of the results, completely or not at all. */
    void write(String folder, Consumer<Path> content) {
        new OwnFolder(out(), COMMAND).make(folder);
        try (Staging staging = Staging.beside(out().resolve(folder), session())) {
            content.accept(staging.folder());
            staging.commitFolder();
        }
    }

    /** Returns the service of a role; empty if neither pipeline nor user names one. */
    public Optional<ChatSettings> role(String name) {
        return Optional.ofNullable(construction.chats().get(name));
    }

    /**
     * Returns the service of a role.
     *
     * @throws UsageException if the role has no service
     */
    ChatSettings named(String role) {
        return role(role)
                .orElseThrow(() -> new UsageException("the language model '" + role + "' of pipeline "
                        + construction.pipeline().name()
                        + " is not named: give --llm and --llm-model, or --set language-models."
                        + role
                        + ".endpoint=URL and its model"));
    }

    /**
     * Opens the language model of a role.
     *
     * @throws UsageException if the role has no service
     */
    public LanguageModel languageModel(String role) {
        ChatSettings who = named(role);
        CachedChat chat = chats.computeIfAbsent(
                who.space(),
                space -> new CachedChat(who, session(), construction.concurrency(), meter, engine().calls()));
        return new LanguageModel(chat, who.model());
    }

    /**
     * Size of the input, for forecasts.
     *
     * @param tokens per document on average, a high estimate
     */
    record InputSize(long documents, double tokens) {}

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

    Tokenizer tokenizer(String name, Supplier<Tokenizer> open) {
        return tokenizers.computeIfAbsent(name, unread -> open.get());
    }

    ApiMeter meter() {
        return meter;
    }

    @Override
    public void close() {
        chats.values().forEach(CachedChat::close);
        tokenizers.values().forEach(Tokenizer::close);
        translations.forEach(SourceDocuments::close);
        if (documents != null) {
            documents.close();
        }
    }
}
