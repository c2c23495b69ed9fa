package io.posbias.report.check;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Session;
import io.posbias.base.process.Version;
import io.posbias.data.convert.Converter;
import io.posbias.data.convert.OwnData;
import io.posbias.data.convert.Sampler;
import io.posbias.data.convert.SubsetConverter;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.Query;
import io.posbias.score.evaluate.Datasets;
import io.posbias.score.evaluate.LazyDataset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Part of a benchmark that is asked. A small benchmark is asked as it is; the sample of a larger one lies in posbias's home, in a
 * folder named after its content, so that it is made once.
 *
 * @param name of the benchmark
 * @param asked the benchmark, or its sample
 * @param size of {@code asked}
 * @param whole size of the benchmark
 */
record Sample(String name, Datasets.Source asked, LazyDataset benchmark, Size size, Size whole) {
    /** Gives the share found a standard error below 3 points, and that of a fifth below 7. */
    static final int QUESTIONS = 300;

    /** Passages of a sample, unless more are judged for its questions. */
    static final int PASSAGES = 1000;

    /** Judged questions, and passages. */
    record Size(int questions, int passages) {
        static Size of(Dataset dataset) {
            return new Size(dataset.judgedQueries().size(), dataset.passages().size());
        }

        boolean isSmall() {
            return questions <= QUESTIONS && passages <= PASSAGES;
        }
    }

    /**
     * Draws the sample.
     *
     * @param isFull true to ask all
     */
    static Sample of(Datasets.Source source, boolean isFull, Session session) {
        LazyDataset whole = source.lazy(session.progress());
        Size size = Size.of(whole.open());
        // Variants of a query belong together.
        boolean isWhole =
                isFull || size.isSmall() || !whole.card().contentFixed().isEmpty();
        if (isWhole) {
            return new Sample(source.name(), source, whole, size, size);
        }
        Path folder = drawn(whole, session);
        Datasets.Source drawn = new Datasets(session).source(folder.toString());
        LazyDataset sample = drawn.lazy(session.progress());
        return new Sample(source.name(), drawn, sample, Size.of(sample.open()), size);
    }

    private static Path drawn(LazyDataset whole, Session session) {
        Dataset dataset = whole.open();
        DatasetCard card = dataset.card().withName(dataset.name() + "-sample").withSha256(Map.of());
        Path folder = OwnData.folder(
                session.home(),
                card.name().replace('/', '-'),
                List.of(Version.text(), whole.checksums(), card.name(), card.handling(), QUESTIONS, PASSAGES));
        Staging.restore(folder);
        if (!Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
            List<Query> drawn = Sampler.draw(dataset.judgedQueries(), QUESTIONS, Sampler.PAPER_SEED);
            session.step("draw a sample of " + dataset.name(), () -> {
                Converter.once(folder, SubsetConverter.sample(dataset, drawn, PASSAGES, card), session::say, session);
                return folder;
            });
        }
        return folder;
    }

    boolean isWhole() {
        return size.equals(whole);
    }
}
