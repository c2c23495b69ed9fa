package io.posbias.study.build;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.data.convert.OwnData;
import io.posbias.data.convert.Reading;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Benchmark with positions of any data: the name of a benchmark, a folder in BEIR's layout with or without {@code dataset.yaml},
 * spans and questions, SQuAD's JSON, rows, or texts. What is missing is found or made once, in posbias's home: the language, the
 * places of answers, and questions ({@code own-posq}) of documents that have none. What was found or made is among the notes
 * of the opened {@link Dataset}.
 *
 * @param data name, file or folder
 * @param reading language and columns
 * @param passages null to cut documents without identifiers alone
 */
public record OwnBenchmark(
        String data, Reading reading, @Nullable Passages passages, Session session) {
    private static final String PIPELINE = "own-posq";

    /** What becomes of documents without questions. */
    public enum Passages {
        /** Each document is a passage. */
        WHOLE,
        /** Longer documents become several passages. */
        CUT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A benchmark with positions.
     *
     * @param option what {@code --dataset} takes
     */
    public record Ready(Datasets.Source source, String option) {
        /** Returns the benchmark read in another way. */
        public Ready with(UnaryOperator<Datasets.Source> reading) {
            return new Ready(reading.apply(source), option);
        }
    }

    /**
     * Makes what is missing.
     *
     * @throws io.posbias.base.process.UsageException if the data is none of these, or names several benchmarks
     * @throws io.posbias.base.process.PosbiasException if the documents give no questions, saying why
     */
    public Ready ready(Engine engine) {
        Datasets known = new Datasets(session, reading);
        Optional<OwnData> documents = known.documents(data);
        if (documents.isPresent()) {
            return made(documents.get(), engine);
        }
        Datasets.Source found = known.source(data);
        Dataset dataset = found.lazy(session.progress()).open();
        if (dataset.hasEvidence()) {
            if (passages != null) {
                throw new UsageException(
                        "--passages is for documents without questions; " + dataset.name() + " has them");
            }
            return new Ready(found, data);
        }
        session.say(
                "note: " + dataset.name() + ": its queries have no positions, so questions are made of its passages");
        return made(new OwnData(found.folder().get(), Reading.of(reading.language())), engine);
    }

    private Path questions(OwnData data, boolean isWhole) {
        return isWhole
                ? data.folder(session.home(), settings(data, Passages.WHOLE.toString()))
                : data.folder(session.home(), settings(data));
    }

    private static String[] settings(OwnData data, String... more) {
        return Stream.of(Stream.of(PIPELINE), data.reading().key().stream(), Stream.of(more))
                .flatMap(own -> own)
                .toArray(String[]::new);
    }

    /** Returns true if documents are passages as they are, which is said where it was not asked for. */
    private boolean isWhole(OwnData data, PlainDocuments documents) {
        if (passages != null) {
            return passages == Passages.WHOLE;
        }
        if (!documents.haveIds()) {
            return false;
        }
        session.say("note: " + data.name()
                + ": its rows have identifiers, so each is a passage as it is; --passages cut cuts longer"
                + " ones");
        return true;
    }

    private Ready made(OwnData data, Engine engine) {
        List<Path> inputs = List.of(data.path());
        PlainDocuments documents = PlainDocuments.of(inputs, data.reading().textColumn(), "--dataset");
        boolean isWhole = isWhole(data, documents);
        Path out = questions(data, isWhole);
        Path folder = out.resolve("benchmark");
        if (Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
            documents.unreadNote().ifPresent(session::say);
        } else {
            Map<String, @Nullable Object> settings = new LinkedHashMap<>(Map.of("write.name", data.name()));
            if (isWhole) {
                settings.put("sample.cut", null);
                settings.put("sample.edges", List.of());
            }
            if (!reading.language().isEmpty()) {
                settings.put("language", reading.language());
            }
            Pipeline pipeline = PipelineBook.find(PIPELINE, settings, () -> documents, session);
            PipelineRecord record =
                    new Construction(pipeline, inputs, data.reading().textColumn(), out, engine, Map.of(), 1).run();
            session.say(data.name() + ": "
                    + Plural.of(record.stages().getLast().counts().kept(), "question")
                    + " made of its documents ('posbias"
                    + " construct " + PIPELINE + "')");
        }
        if (DatasetCard.read(folder).notes().contains(SampleStage.CUT)) {
            session.say("note: " + data.name() + ": longer documents were cut; --passages whole keeps them whole");
        }
        return new Ready(new Datasets(session, reading).source(folder.toString()), folder.toString());
    }
}
