package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Query;
import io.posbias.study.diagnose.SegmentSample.Segmentation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is drawn and where it is cut, as CPython does both. */
class SegmentSampleTest {
    private static final String[] PYTHON = {"p0", "p4", "p1", "p3", "p2", "p5"};

    @TempDir
    Path temp;

    private Passages passages(String... texts) throws IOException {
        Files.createDirectories(temp);
        Files.writeString(temp.resolve("dataset.yaml"), "name: texts\n");
        try (DatasetWriter out = new DatasetWriter(temp, false)) {
            for (int i = 0; i < texts.length; i++) {
                out.passage(new Passage("p" + i, "a title of many more words", texts[i]));
            }
            out.query(new Query("q", "z", null));
            out.judgment("q", "p0", 1);
        }
        return DatasetReader.open(temp).passages();
    }

    private static List<String> ids(SegmentSample sample) {
        return sample.texts().stream().map(SegmentSample.SampledText::passage).toList();
    }

    private static SegmentSample draw(Passages passages, int above, int below, int n) {
        return SegmentSample.draw(passages, new SegmentSample.SegmentLimits(above, below, null, 1), passage -> true, n);
    }

    /** By {@code ids = sorted(set(texts)); random.seed(1); random.shuffle(ids)}; the owl comes after the wide tilde. */
    @Test
    void differentTextsAreDrawnInPythonsOrder() throws IOException {
        Passages passages = passages("z 1 2 3", "🦉 1 2 3", "\uFF5E 1 2 3", "a 1 2 3", "狐 1 2 3", "b 1 2 3", "a 1 2 3");
        SegmentSample all = draw(passages, 2, 10, 100);
        assertThat(ids(all)).containsExactly(PYTHON);
        assertThat(all.fit()).isEqualTo(6);
        assertThat(all.passages()).isEqualTo(7);
        assertThat(ids(draw(passages, 2, 10, 2))).containsExactly(PYTHON[0], PYTHON[1]);
    }

    @Test
    void bothLimitsAreExclusive() throws IOException {
        SegmentSample sample = draw(passages("1 2 3", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6"), 3, 6, 100);
        assertThat(ids(sample)).containsExactlyInAnyOrder("p1", "p2");
        assertThat(sample.texts().stream().mapToInt(SegmentSample.SampledText::words))
                .containsExactlyInAnyOrder(4, 5);
    }

    /** Ten code points: 3.33 and 6.66 are 3 and 6. The owl is one of them and two UTF-16 units. */
    @Test
    void segmentsAreCutAtCodePoints() {
        assertThat(Segmentation.THIRDS.parts("🦉a狐cdefghi")).containsExactly("🦉a狐cdefghi", "🦉a狐", "cde", "fghi");
        assertThat(Segmentation.THIRDS.parts("abcde")).containsExactly("abcde", "a", "bc", "de");
        assertThat(Segmentation.THIRDS.parts("x".repeat(1000)).stream().map(String::length))
                .containsExactly(1000, 333, 333, 334);
    }

    /** Borders of 11 code points are 2.2, 4.4, 6.6 and 8.8 rounded down; thirds of 2,000 are not those of the other paper. */
    @Test
    void equalSegmentsAreCutAtMultiplesRoundedDown() {
        assertThat(Segmentation.equal(5).parts("🦉a狐cdefghij"))
                .containsExactly("🦉a狐cdefghij", "🦉a", "狐c", "de", "fg", "hij");
        assertThat(Segmentation.equal(3).parts("abc")).containsExactly("abc", "a", "b", "c");
        assertThat(Segmentation.equal(3).parts("x".repeat(2000)).stream().map(String::length))
                .containsExactly(2000, 666, 667, 667);
        assertThat(Segmentation.THIRDS.parts("x".repeat(2000)).stream().map(String::length))
                .containsExactly(2000, 666, 666, 668);
    }
}
