package io.posbias.report.page;

import io.posbias.diagnose.SaliencyMap;
import io.posbias.diagnose.SaliencyTables;
import io.posbias.table.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One HTML file that shows documents coloured by saliency. */
public final class SaliencyPage {
    private SaliencyPage() {}

    /**
     * One pair of query and document.
     *
     * @param maps by model, or by model and method; of the same query and document
     */
    public record Example(Map<String, SaliencyMap> maps) {
        /** Copies the map. */
        public Example {
            maps = new LinkedHashMap<>(maps);
        }
    }

    /**
     * Writes the page.
     *
     * @param found over all pairs
     * @param examples in the order in which they are shown
     */
    public static String render(SaliencyTables found, List<Example> examples) {
        return render(
                new Texts(found.dataset(), found.describe(), found.units(), found.size()), found.tables(), examples);
    }

    /**
     * What the page says beside numbers.
     *
     * @param setup how saliency was found
     * @param units what documents were split into
     * @param pairs from how many examples were chosen
     */
    record Texts(String dataset, String setup, String units, int pairs) {}

    static String render(Texts texts, List<Table> tables, List<Example> examples) {
        TextsPage page = new TextsPage(
                "Saliency",
                "What each part of a document matters to its score. " + Html.escape(texts.dataset) + ": " + texts.pairs
                        + " pairs of query and document; " + Html.escape(texts.setup) + ".",
                examples.size() + " of " + texts.pairs + ", evenly spaced among them. Point at a piece of text for its"
                        + " number, in the score’s own unit (a gradient’s: score per length of embedding).",
                "−1 lowers the score",
                "+1 raises it",
                Html.fill(Html.resource("saliency.html"), Map.of("units", Html.escape(texts.units))));
        return page.render(tables, examples.stream().map(SaliencyPage::example).collect(Collectors.joining()));
    }

    private static String example(Example example) {
        SaliencyMap any = example.maps().values().iterator().next();
        String passages = example.maps().entrySet().stream()
                .map(map -> "<div class=\"passage\"><h4>" + Html.escape(map.getKey()) + " <span class=\"tag\">"
                        + sums(map.getValue()) + "</span></h4><p class=\"saliency\">"
                        + ColouredText.of(map.getValue()) + "</p></div>\n")
                .collect(Collectors.joining());
        return TextsPage.example(any.query(), any.id(), passages);
    }

    private static String sums(SaliencyMap map) {
        String score = "score " + ColouredText.plain(map.score());
        return map.rest() == null
                ? score
                : score + ", of which " + ColouredText.plain(map.rest()) + " by special tokens and prompt";
    }
}
