package io.posbias.base.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import java.awt.Color;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.data.xy.XYZDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordMapsTest {
    private static WordMap map(String title, int words, int evidence) {
        List<WordMap.Word> columns = IntStream.range(0, words)
                .mapToObj(i -> new WordMap.Word("w" + i, i == evidence ? WordMap.Mark.EVIDENCE : WordMap.Mark.PLAIN))
                .toList();
        double[][] values = new double[2][words];
        Arrays.fill(values[0], 0.001);
        values[1][words - 1] = -0.02;
        return new WordMap(
                title,
                List.of(new WordMap.Word("[CLS]", WordMap.Mark.SPECIAL), new WordMap.Word("<b>&", WordMap.Mark.PLAIN)),
                columns,
                values);
    }

    private static List<String> names(Figure figure, int panel) {
        SymbolAxis axis = (SymbolAxis) figure.panels().get(panel).plot().getDomainAxis();
        return List.of(axis.getSymbols());
    }

    /** 78 words: three strips of 26. Rows are from top to bottom, and axes from bottom to top. */
    @Test
    void aDocumentIsCutIntoStripsOfOneLength() {
        Figure figure = WordMaps.figure("tokens-1", "t", List.of(map("m", 78, 40)), "note");
        assertThat(figure.panels()).hasSize(3);
        assertThat(names(figure, 1)).hasSize(26).startsWith("w26").endsWith("w51");
        assertThat(figure.note()).isEqualTo("note");
        XYZDataset last = (XYZDataset) figure.panels().get(2).plot().getDataset();
        double lowest = IntStream.range(0, last.getItemCount(0))
                .filter(i -> last.getZValue(0, i) == -0.02)
                .mapToDouble(i -> last.getYValue(0, i))
                .findFirst()
                .orElseThrow();
        assertThat(lowest).isZero();
    }

    /** 300 words have no room: 228 around the evidence are shown, which hold 0.228 - 0.02. */
    @Test
    void ofALongDocumentThePartAroundTheEvidenceIsShown() {
        Figure figure = WordMaps.figure("tokens-1", "t", List.of(map("m", 300, 290)), "note");
        assertThat(figure.panels()).hasSize(6);
        assertThat(names(figure, 0)).startsWith("w72");
        assertThat(names(figure, 5)).endsWith("w299");
        assertThat(figure.note()).contains("note m:", "228 of 300 columns", "from 73", "0.2080");
    }

    /** The shorter of two has empty strips, which draw nothing; both have one scale. */
    @Test
    void twoMapsAreBesideEachOther(@TempDir Path temp) throws Exception {
        Figure figure = WordMaps.figure("tokens-1", "t", List.of(map("long", 40, 3), map("short", 5, -1)), "note");
        assertThat(figure.columns()).isEqualTo(2);
        assertThat(figure.panels()).hasSize(6);
        assertThat(figure.panels()).extracting(Panel::title).startsWith("long", "short", "", "");
        assertThat(figure.panels().get(3).plot().getRangeAxis().isVisible()).isFalse();
        assertThat(figure.scale()).isEqualTo(ColourScale.around0(0.02));
        Pictures.write(Map.of("tokens-1", figure), Pictures.Form.USUAL, temp, Sessions.shared());
        assertThat(Files.readString(temp.resolve("tokens-1.svg")))
                .contains(">w39</text", ">[CLS]</text", "&lt;b", "evidence</text")
                .doesNotContain("<b>");
    }

    @Test
    void zeroIsBetweenTheColours() {
        ColourScale colours = ColourScale.around0(4);
        Color none = (Color) colours.getPaint(0);
        assertThat(none.getRed()).isEqualTo(none.getBlue());
        Color above = (Color) colours.getPaint(4);
        assertThat(above.getBlue()).isGreaterThan(above.getRed());
        Color below = (Color) colours.getPaint(-4);
        assertThat(below.getRed()).isGreaterThan(below.getBlue());
        assertThat(colours.getPaint(9)).isEqualTo(above);
        // A quarter of the way is half of the colour.
        assertThat(((Color) colours.getPaint(1)).getRed()).isEqualTo((none.getRed() + above.getRed() + 1) / 2);
        assertThat(colours.ink(4)).isEqualTo(Color.WHITE);
        assertThat(colours.ink(0.1)).isEqualTo(Color.BLACK);
    }
}
