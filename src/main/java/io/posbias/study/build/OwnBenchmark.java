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
 *
 * @param data name, file or folder
 * @param language ISO 639-1 code of the passages; empty to detect it
 */
public record OwnBenchmark(String data, String language, Session session) {
    private static final String PIPELINE = "own-posq";

    /**
     * A benchmark with positions.
     *
     * @param option what {@code --dataset} takes
     */
    public record Ready(Datasets.Source source, String option) {}

    /**
     * Makes what is missing.
     *
     * @throws io.posbias.base.process.UsageException if the data is none of these, or names several benchmarks
     * @throws io.posbias.base.process.PosbiasException if the documents give no questions, saying why
     */
    public Ready ready(Engine engine) {
        Datasets known = new Datasets(session, language);
        Optional<OwnData> documents = known.documents(data);
        if (documents.isPresent()) {
            return made(documents.get(), engine);
        }
        Datasets.Source found = known.source(data);
        Dataset dataset = found.lazy(session.progress()).open();
        if (dataset.hasEvidence()) {
            return new Ready(found, data);
        }
        session.say(
                "note: " + dataset.name() + ": its queries have no positions, so questions are made of its passages");
        return made(new OwnData(found.folder().get()), engine);
    }

    private Ready made(OwnData data, Engine engine) {
        Path out = data.folder(session.home(), PIPELINE, language);
        Path folder = out.resolve("benchmark");
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
