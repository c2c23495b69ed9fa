package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

class DatasetWriterTest {
    private static Arbitrary<String> text() {
        Arbitrary<Integer> codePoints = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 0x7F),
                Arbitraries.integers().between(0x80, 0xD7FF),
                Arbitraries.integers().between(0x1F300, 0x1F6FF));
        return codePoints
                .array(int[].class)
                .ofMinSize(1)
                .ofMaxSize(40)
                .map(points -> new String(points, 0, points.length));
    }

    record Sample(String title, String text, int start, int end, boolean spanned) {}

    @Provide
    Arbitrary<List<Sample>> samples() {
        return Combinators.combine(
                        Arbitraries.oneOf(Arbitraries.just(""), text()),
                        text(),
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.of(true, false))
                .as((title, text, a, b, spanned) -> {
                    int length = CodePoints.count(text);
                    int first = a % (length + 1);
                    int second = b % (length + 1);
                    return new Sample(title, text, Math.min(first, second), Math.max(first, second), spanned);
                })
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Property(tries = 100)
    void readsBackWhatWasWritten(@ForAll("samples") List<Sample> samples, @ForAll boolean gzip) throws IOException {
        Path folder = Files.createTempDirectory("posbias-writer");
        try {
            try (DatasetWriter writer = new DatasetWriter(folder, gzip)) {
                for (int i = 0; i < samples.size(); i++) {
                    write(writer, i, samples.get(i));
                }
                writer.finish(DatasetCard.named("random"));
            }
            compare(samples, DatasetReader.open(folder));
        } finally {
            Staging.delete(folder);
        }
    }

    private static void write(DatasetWriter writer, int i, Sample sample) {
        writer.passage(new Passage("p" + i, sample.title(), sample.text()));
        int length = CodePoints.count(sample.text());
        @Nullable
        Evidence evidence = sample.spanned()
                ? new Evidence(sample.start(), sample.end(), length, Evidence.UNKNOWN, List.of("x", "y"), null)
                : null;
        writer.query(new Query("q" + i, sample.text(), evidence));
        writer.judgment("q" + i, "p" + i, 1);
    }

    private static void compare(List<Sample> samples, Dataset dataset) {
        Map<String, Passage> passages = new LinkedHashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> passages.put(passage.id(), passage));
        List<String> ids = new ArrayList<>(passages.keySet());
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            assertThat(passages.get(ids.get(i))).isEqualTo(new Passage("p" + i, sample.title(), sample.text()));
            Query query = dataset.queries().get(i);
            assertThat(query.text()).isEqualTo(sample.text());
            if (!sample.spanned()) {
                assertThat(query.evidence()).isNull();
                continue;
            }
            Evidence evidence = Objects.requireNonNull(query.evidence());
            int[] points = sample.text().codePoints().toArray();
            String expected = new String(points, sample.start(), sample.end() - sample.start());
            assertThat(Objects.requireNonNull(evidence.span()).of(sample.text()))
                    .isEqualTo(expected);
            assertThat(evidence.labels()).containsExactly("x", "y");
        }
    }
}
