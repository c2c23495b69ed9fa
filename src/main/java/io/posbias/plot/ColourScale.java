package io.posbias.plot;

import java.awt.Color;
import org.jfree.chart.renderer.PaintScale;

/** Numbers as colours. */
public interface ColourScale extends PaintScale {
    /** The colour of text on the colour of a value. */
    Color ink(double value);
}
