package io.posbias.base.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PicturesTest {
    private static final String OVERRIDE = "bm25\u202egpj";

    /** Each place of a text in a figure: a right-to-left override would turn what stands behind it. */
    @Test
    void charactersThatReorderALineAreEscaped(@TempDir Path temp) throws IOException {
        List<Curves.Point> points =
                List.of(new Curves.Point(1, 0.5, null, false), new Curves.Point(2, 0.7, null, false));
        Map<String, List<Curves.Point>> lines = new LinkedHashMap<>(Map.of(OVERRIDE, points));
        WordMap words = new WordMap(
                OVERRIDE,
                List.of(new WordMap.Word(OVERRIDE, WordMap.Mark.PLAIN)),
                List.of(new WordMap.Word(OVERRIDE, WordMap.Mark.EVIDENCE)),
                new double[][] {{1}});
        Map<String, Figure> figures = Map.of(
                "curves", CurveChart.lines("curves", OVERRIDE, lines, OVERRIDE, OVERRIDE, OVERRIDE),
                "words", WordMaps.figure("words", OVERRIDE, List.of(words), OVERRIDE));
        for (Path file : Pictures.write(
                figures, new Pictures.Form(Set.of(Pictures.Format.SVG), Figure.Frame.USUAL), temp, Sessions.shared())) {
            String svg = Files.readString(file);
            assertThat(svg).doesNotContain("\u202e").contains(">bm25\\u202egpj<");
        }
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).hasSize(2);
        }
    }
}
