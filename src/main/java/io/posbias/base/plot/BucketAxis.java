package io.posbias.base.plot;

import io.posbias.base.text.Printable;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/**
 * Axis of buckets: bucket i covers i to i + 1. Adjacent buckets have labels at their edges, others in their middle; if
 * labels do not fit, only every n-th is shown.
 */
public final class BucketAxis extends NumberAxis {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final double GAP = 5;
    private static final String STARTS = "start of the evidence (characters)";

    private final String[] labels;
    private final double first;

    private final String quantity;

    private BucketAxis(int buckets, List<String> labels, double first, String quantity) {
        this.labels = labels.stream().map(Printable::of).toArray(String[]::new);
        this.first = first;
        this.quantity = quantity;
        Axes.dress(this);
        setRange(0, buckets);
    }

    public static BucketAxis named(List<String> buckets) {
        return new BucketAxis(buckets.size(), buckets, 0.5, "position of the evidence");
    }

    /** Makes an axis of equal bins of relative position. */
    public static BucketAxis percent(int bins) {
        List<String> edges = new ArrayList<>();
        for (int edge = 0; edge <= bins; edge++) {
            double percent = Math.round(1000.0 * edge / bins) / 10.0;
            edges.add(percent == Math.rint(percent) ? String.valueOf((int) percent) : String.valueOf(percent));
        }
        return new BucketAxis(bins, edges, 0, "position of the evidence (% of the passage)");
    }

    static BucketAxis starts(int bins, int width) {
        return starts(IntStream.rangeClosed(0, bins)
                .mapToObj(edge -> String.valueOf(edge * width))
                .toList());
    }

    /**
     * Makes an axis of starts in characters.
     *
     * @param edges one more than buckets
     */
    public static BucketAxis starts(List<String> edges) {
        return new BucketAxis(edges.size() - 1, edges, 0, STARTS);
    }

    /** Title of the axis. */
    public String quantity() {
        return quantity;
    }

    @Override
    public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D area, RectangleEdge edge) {
        FontMetrics metrics = g2.getFontMetrics(getTickLabelFont());
        int stride = 1;
        while (stride < labels.length
                && !fits(stride, metrics, area.getWidth() / getRange().getLength())) {
            stride++;
        }
        List<NumberTick> ticks = new ArrayList<>();
        for (int i = 0; i < labels.length; i += stride) {
            ticks.add(new NumberTick(first + i, labels[i], TextAnchor.TOP_CENTER, TextAnchor.CENTER, 0));
        }
        return ticks;
    }

    private boolean fits(int stride, FontMetrics metrics, double unit) {
        if (first == 0 && (labels.length - 1) % stride != 0) {
            return false;
        }
        for (int i = stride; i < labels.length; i += stride) {
            double halves = (metrics.stringWidth(labels[i - stride]) + metrics.stringWidth(labels[i])) / 2.0;
            if (halves + GAP > stride * unit) {
                return false;
            }
        }
        return true;
    }
}
