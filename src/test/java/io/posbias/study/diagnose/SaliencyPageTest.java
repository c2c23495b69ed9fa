package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.table.Table;
import io.posbias.data.dataset.Span;
import io.posbias.report.page.Chromium;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SaliencyPageTest {
    private static final String HOSTILE = "\"'></span></style><script>window.hacked=1</script><img src=x"
            + " onerror=window.hacked=1>{{tables}}&lt;\u2028<!--";

    private static final String TEXT = "Foxes sleep 🦊 " + HOSTILE + "\nunder it.";
    private static final int MIDDLE = TEXT.indexOf("🦊");

    private static SaliencyMap map(List<Span> units, double... values) {
        List<SaliencyMap.SaliencyPart> parts = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            parts.add(new SaliencyMap.SaliencyPart(i, i + 1, values[i]));
        }
        Span evidence = new Span(6, MIDDLE + 4);
        return new SaliencyMap(
                new SaliencyPair(HOSTILE, "", HOSTILE, TEXT, evidence, HOSTILE), 1.25, 0.25, units, parts, false, null);
    }

    private static String page() {
        Table table = new Table(
                HOSTILE,
                List.of(),
                List.of("model", HOSTILE),
                List.of(new Table.Row(List.of(HOSTILE, HOSTILE))),
                List.of(HOSTILE));
        SaliencyMap plain = map(List.of(new Span(0, MIDDLE), new Span(MIDDLE, TEXT.length())), 0.5, -1);
        SaliencyMap hostile = map(List.of(new Span(0, 5), new Span(6, 11)), 1, 0);
        return SaliencyPage.render(
                new SaliencyPage.Texts(HOSTILE, HOSTILE, HOSTILE, 9, 7),
                List.of(table),
                List.of(List.of(
                        new SaliencyTables.SaliencyExample("plain", List.of(plain), List.of()),
                        new SaliencyTables.SaliencyExample(HOSTILE, List.of(hostile), List.of()))));
    }

    @Test
    void textsAreColouredUnderlinedAndEscaped() {
        String page = page();
        assertThat(page)
                .contains(
                        "<p class=\"saliency\"><span class=\"p4\" title=\"+0.500\">Foxes </span>"
                                + "<span class=\"p4 evidence\" title=\"+0.500\">sleep </span>"
                                + "<span class=\"n8 evidence\" title=\"-1.00\">🦊 &quot;</span>"
                                + "<span class=\"n8\" title=\"-1.00\">&#39;&gt;&lt;/span&gt;",
                        // A token without saliency has its number, and no colour; between tokens there is plain text.
                        "<span class=\"p8\" title=\"+1.00\">Foxes</span> <span class=\"evidence\""
                                + " title=\"0\">sleep</span><span class=\"evidence\"> 🦊 &quot;</span>&#39;&gt;",
                        "score 1.25 (0.250 by special tokens",
                        "1 of 7, evenly spaced");
        assertThat(page).doesNotContain("<script", "<img", "<link rel=\"style");
    }

    /** Bytes of one character: three tokens with its span are one piece with their sum. */
    @Test
    void tokensOfOneCharacterAreOnePiece() {
        Span fox = new Span(MIDDLE, MIDDLE + 2);
        Span none = new Span(MIDDLE + 2, MIDDLE + 2);
        String text = ColouredText.of(map(List.of(new Span(0, 5), fox, fox, fox, none), 1, 0.25, 0.25, 0.5, 0.5));
        assertThat(text)
                .contains("<span class=\"p8 evidence\" title=\"+1.00\">🦊</span><span class=\"evidence\"> &quot;");
    }

    @Test
    void nothingFromDataRunsAndNothingIsLoaded(@TempDir Path temp) throws IOException, InterruptedException {
        Path file = Files.writeString(temp.resolve("page.html"), page());
        try (Chromium browser = Chromium.start(Files.createDirectory(temp.resolve("profile")));
                Chromium.Tab tab = browser.open(file)) {
            assertThat(tab.problems()).isEmpty();
            assertThat(tab.requests()).containsExactly(file.toUri().toString());
            assertThat(tab.evaluate("window.hacked === undefined")).isEqualTo(true);
            assertThat(tab.text("document.querySelector('.saliency').textContent"))
                    .isEqualTo(TEXT);
            assertThat(tab.text("document.querySelector('h3').textContent")).isEqualTo(HOSTILE);
            assertThat(tab.text("document.querySelector('figcaption').textContent"))
                    .isEqualTo(HOSTILE);
            String colour = "getComputedStyle(document.querySelector('.p8')).backgroundColor";
            tab.colours("light");
            String light = tab.text(colour);
            assertThat(light).isNotEqualTo("rgba(0, 0, 0, 0)");
            tab.colours("dark");
            assertThat(tab.text(colour)).isNotEqualTo(light);
            tab.click("#light");
            assertThat(tab.text(colour)).isEqualTo(light);
        }
    }
}
