package io.posbias.study.build;

import io.posbias.base.process.Session;
import io.posbias.base.text.Plural;
import io.posbias.data.convert.OwnData;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Benchmark with positions of any data: the name of a benchmark, a folder in BEIR's layout with or without {@code dataset.yaml},
 * spans and questions, SQuAD's JSON, rows, or texts. What is missing is found or made once, in posbias's home: the language, the
 * places of answers, and questions ({@code own-posq}) of documents that have none. What was found or made is among the notes
 * of the opened {@link Dataset}.
 */
public final class OwnBenchmark {
    private static final String PIPELINE = "own-posq";
    private static final String BENCHMARK = "benchmark";

    private final Session session;
    private final String data;
    private final String language;
    private final Optional<OwnData> documents;
    private final Optional<Datasets.Source> source;

    private OwnBenchmark(
            Session session,
            String data,
            String language,
            Optional<OwnData> documents,
            Optional<Datasets.Source> source) {
        this.session = session;
        this.data = data;
        this.language = language;
        this.documents = documents;
        this.source = source;
    }

    /**
     * Recognises the data, without reading it.
     *
     * @param data name, file or folder
     * @param language ISO 639-1 code of the passages; empty to detect it
     * @throws io.posbias.base.process.UsageException if it is none of these, or names several benchmarks
     */
    public static OwnBenchmark of(String data, String language, Session session) {
        Datasets known = new Datasets(session, language);
        Optional<OwnData> documents = known.documents(data);
        return new OwnBenchmark(
                session,
                data,
                language,
                documents,
                documents.isPresent() ? Optional.empty() : Optional.of(known.source(data)));
    }

    public String name() {
        return source.map(Datasets.Source::name)
                .orElseGet(() -> documents.orElseThrow().name());
    }

    /** True if {@link #ready} has nothing to download or to make, except for passages without positions. */
    public boolean isBuilt() {
        return source.map(found -> found.isLocal().getAsBoolean())
                .orElseGet(() -> Files.isRegularFile(
                        questions(documents.orElseThrow()).resolve(BENCHMARK).resolve(DatasetFiles.CARD)));
    }

    /**
     * A benchmark with positions.
     *
     * @param option what {@code --dataset} takes
     */
    public record Ready(Datasets.Source source, String option) {}

    /**
     * Makes what is missing.
     *
     * @throws io.posbias.base.process.PosbiasException if the documents give no questions, saying why
     */
    public Ready ready(Engine engine) {
        if (source.isEmpty()) {
            return made(documents.orElseThrow(), engine);
        }
        Datasets.Source found = source.get();
        Dataset dataset = found.lazy(session.progress()).open();
        if (dataset.hasEvidence()) {
            return new Ready(found, data);
        }
        session.say(
                "note: " + dataset.name() + ": its queries have no positions, so questions are made of its passages");
        return made(new OwnData(found.folder().get()), engine);
    }

    private Path questions(OwnData data) {
        return data.folder(session.home(), PIPELINE, language);
    }

    private Ready made(OwnData data, Engine engine) {
        Path out = questions(data);
        Path folder = out.resolve(BENCHMARK);
        List<Path> inputs = List.of(data.path());
        PlainDocuments documents = PlainDocuments.of(inputs, OwnData.TEXT, "--dataset");
        if (Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
            documents.unreadNote().ifPresent(session::say);
        } else {
            Map<String, @Nullable Object> settings = new LinkedHashMap<>(Map.of("write.name", data.name()));
            if (!language.isEmpty()) {
                settings.put("language", language);
            }
            Pipeline pipeline = PipelineBook.find(PIPELINE, settings, () -> documents, session);
            PipelineRecord record = new Construction(pipeline, inputs, OwnData.TEXT, out, engine, Map.of(), 1).run();
            session.say(data.name() + ": "
                    + Plural.of(record.stages().getLast().counts().kept(), "question")
                    + " made of its documents ('posbias"
                    + " construct " + PIPELINE + "')");
        }
        return new Ready(new Datasets(session, language).source(folder.toString()), folder.toString());
    }
}
