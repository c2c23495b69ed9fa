package io.posbias.run.check;

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
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.dataset.Query;
import io.posbias.data.named.Datasets;
import io.posbias.score.measure.Settings;
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
 * @param draw that a sample has, or would have
 */
record Sample(String name, Datasets.Source asked, LazyDataset benchmark, Size size, Size whole, SampleDraw draw) {
    /** Confidence of one of two looks, the sample and all: any word has about 5 % with both (docs/statistics.md). */
    private static final double TWO_LOOKS = 0.975;

    /** Passages of a sample, unless more are judged for its questions. */
    static final int PASSAGES = 1000;

    /** Judged questions, and passages. */
    record Size(int questions, int passages) {
        static Size of(Dataset dataset) {
            return new Size(dataset.judgedQueries().size(), dataset.passages().size());
        }

        boolean isSmall(SampleDraw draw) {
            return questions <= draw.questions() && passages <= PASSAGES;
        }
    }

    /**
     * Draws the sample.
     */
    static Sample of(Datasets.Source source, SampleDraw draw, Session session) {
        LazyDataset whole = source.lazy(session.progress());
        Size size = Size.of(whole.open());
        // Variants of a query belong together.
        boolean isWhole = draw.isFull()
                || size.isSmall(draw)
                || !whole.card().contentFixed().isEmpty();
        if (isWhole) {
            return new Sample(source.name(), source, whole, size, size, draw);
        }
        Path folder = drawn(whole, draw, session);
        Datasets.Source drawn = new Datasets(session).source(folder.toString());
        LazyDataset sample = drawn.lazy(session.progress());
        return new Sample(source.name(), drawn, sample, Size.of(sample.open()), size, draw);
    }

    private static Path drawn(LazyDataset whole, SampleDraw draw, Session session) {
        Dataset dataset = whole.open();
        DatasetCard card =
                dataset.card().withName(dataset.name() + draw.suffix()).withSha256(Map.of());
        Path folder = OwnData.folder(
                session.home(),
                card.name().replace('/', '-'),
                List.of(
                        Version.text(),
                        whole.checksums(),
                        card.name(),
                        card.handling(),
                        draw.questions(),
                        draw.seed(),
                        PASSAGES));
        Staging.restore(folder);
        if (!Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
            List<Query> drawn = Sampler.draw(dataset.judgedQueries(), draw.questions(), draw.seed());
            session.step("draw a sample of " + dataset.name(), () -> {
                Converter.once(folder, SubsetConverter.sample(dataset, drawn, PASSAGES, card), session::say, session);
                return folder;
            });
        }
        return folder;
    }

    boolean isOneOfTwoLooks() {
        return whole.questions > draw.questions();
    }

    Settings settings(Settings usual) {
        return isOneOfTwoLooks() ? usual.withConfidence(TWO_LOOKS) : usual;
    }

    boolean isWhole() {
        return size.equals(whole);
    }
}
