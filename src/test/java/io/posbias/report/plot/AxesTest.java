package io.posbias.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.posbias.base.plot.Axes;
import io.posbias.base.plot.BucketAxis;
import io.posbias.data.position.Bucketing;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;

class AxesTest {
    private static List<String> ticks(BucketAxis axis, double width) {
        Graphics2D g2 = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        return axis
                .refreshTicks(g2, new AxisState(), new Rectangle2D.Double(0, 0, width, 100), RectangleEdge.BOTTOM)
                .stream()
                .map(ValueTick::getText)
                .toList();
    }

    @Test
    void equalBinsAreLabelledAtEdgesThatFitAndIncludeBothEnds() {
        List<String> bins = IntStream.range(0, 20)
                .mapToObj(bin -> 5 * bin + "-" + 5 * (bin + 1) + "%")
                .toList();
        BucketAxis axis = Cells.bucketAxis(bins, Bucketing.parse("relative:20 by tokens:512"));
        assertThat(ticks(axis, 2000)).hasSize(21).startsWith("0", "5").endsWith("95", "100");
        assertThat(ticks(axis, 200)).containsExactly("0", "20", "40", "60", "80", "100");
        assertThat(axis.getRange().getUpperBound()).isEqualTo(20);
        assertThat(ticks(BucketAxis.percent(3), 400)).containsExactly("0", "33.3", "66.7", "100");
    }

    @Test
    void edgesOfCharactersAreLabelledToo() {
        assertThat(ticks(
                        Cells.bucketAxis(List.of("0-100", "100-200"), Bucketing.parse("characters-closed:0,100,200")),
                        400))
                .containsExactly("0", "100", "200");
        assertThat(ticks(Cells.bucketAxis(List.of("0-100", "100+"), Bucketing.parse("characters:0,100")), 400))
                .containsExactly("0", "100", "\u221e");
    }

    @Test
    void namedBucketsAreLabelledInTheirMiddle() {
        List<String> names = List.of("beginning", "middle", "end");
        BucketAxis axis = Cells.bucketAxis(names, Bucketing.parse("labels:beginning,middle,end"));
        assertThat(ticks(axis, 400)).isEqualTo(names);
        assertThat(ticks(axis, 100)).containsExactly("beginning", "end");
        assertThat(ticks(Cells.bucketAxis(names, Bucketing.NONE), 400)).isEqualTo(names);
    }

    @Test
    void axesEndAtRoundNumbers() {
        assertThat(Axes.roundUp(61, 61)).isEqualTo(70);
        assertThat(Axes.roundUp(70, 70)).isEqualTo(70);
        assertThat(Axes.roundUp(0.0123, 0.0123)).isEqualTo(0.014);
        assertThat(Axes.roundDown(79, 21)).isEqualTo(75);
        assertThat(Axes.roundUp(0.30000000000000004, 0.3)).isEqualTo(0.3, offset(1e-12));
        NumberAxis axis = Axes.numbers(0, 100);
        assertThat(axis.getTickUnit().getSize()).isEqualTo(20);
        assertThat(axis.getNumberFormatOverride().format(0.25)).isEqualTo("0.25");
    }
}
