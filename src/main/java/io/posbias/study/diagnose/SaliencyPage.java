package io.posbias.study.diagnose;

import io.posbias.base.plot.WordMap;
import io.posbias.base.table.Table;
import io.posbias.report.page.Html;
import io.posbias.report.page.TextsPage;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import io.posbias.study.diagnose.SaliencyTables.SaliencyExample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One HTML file of documents coloured by saliency, with DecompX also query words by document words. */
public final class SaliencyPage {
    private SaliencyPage() {}

    public static String render(SaliencyTables found) {
        return render(
                new Texts(
                        found.pairs().dataset(),
                        found.describe(),
                        found.units(),
                        found.pairs().size(),
                        found.pairs().items().size()),
                found.tables(),
                found.examples());
    }

    /**
     * Texts of the page.
     *
     * @param items queries, or items of probes, from which examples were chosen
     */
    record Texts(String dataset, String setup, String units, int pairs, int items) {}

    static String render(Texts texts, List<Table> tables, List<List<SaliencyExample>> examples) {
        boolean hasWords = examples.stream()
                .flatMap(List::stream)
                .anyMatch(example -> !example.words().isEmpty());
        TextsPage page = new TextsPage(
                "Saliency",
                "What each part of a document matters to its score. " + Html.escape(texts.dataset) + ": " + texts.pairs
                        + " pairs of query and document; " + Html.escape(texts.setup) + ".",
                examples.size() + " of " + texts.items + ", evenly spaced among them. Point at a piece of text for its"
                        + " number, in the score’s own unit (a gradient’s: score per length of embedding).",
                "−1 lowers the score",
                "+1 raises it",
                Html.fill(Html.resource("saliency.html"), Map.of("units", Html.escape(texts.units)))
                        + (hasWords ? Html.resource("tokens.html") : ""));
        String shown = examples.stream().map(SaliencyPage::example).collect(Collectors.joining());
        return hasWords ? page.render(tables, shown, "tokens.css") : page.render(tables, shown);
    }

    private static String example(List<SaliencyExample> examples) {
        SaliencyPair any = examples.getFirst().maps().getFirst().pair();
        return TextsPage.example(
                any.query(),
                any.id(),
                examples.stream().map(SaliencyPage::passages).collect(Collectors.joining()));
    }

    private static String passages(SaliencyExample example) {
        double most = example.words().stream().mapToDouble(WordMap::most).max().orElse(0);
        StringBuilder passages = new StringBuilder();
        for (int i = 0; i < example.maps().size(); i++) {
            SaliencyMap map = example.maps().get(i);
            String text = map.pair().text();
            passages.append("<div class=\"passage\"><h4>")
                    .append(Html.escape(text.isEmpty() ? example.name() : example.name() + ", " + text))
                    .append(" <span class=\"tag\">")
                    .append(sums(map))
                    .append("</span></h4><p class=\"saliency\">")
                    .append(ColouredText.of(map))
                    .append("</p>")
                    .append(example.words().isEmpty() ? "" : map(example.words().get(i), most))
                    .append("</div>\n");
        }
        return passages.toString();
    }

    private static String map(WordMap words, double most) {
        return "<div class=\"map\" tabindex=\"0\"><table><thead><tr><td></td>"
                + words.columns().stream()
                        .map(word -> heading("col", word, "<span>" + Html.escape(word.text()) + "</span>"))
                        .collect(Collectors.joining())
                + "</tr></thead><tbody>\n"
                + IntStream.range(0, words.rows().size())
                        .mapToObj(row -> row(words, row, most))
                        .collect(Collectors.joining())
                + "</tbody></table></div>";
    }

    private static String row(WordMap words, int row, double most) {
        WordMap.Word word = words.rows().get(row);
        return "<tr>" + heading("row", word, Html.escape(word.text()))
                + IntStream.range(0, words.columns().size())
                        .mapToObj(column -> cell(words.values()[row][column], most))
                        .collect(Collectors.joining())
                + "</tr>\n";
    }

    private static String heading(String scope, WordMap.Word word, String content) {
        String mark = word.mark() == WordMap.Mark.PLAIN
                ? ""
                : " class=\"" + word.mark().name().toLowerCase(Locale.ROOT) + "\"";
        return "<th scope=\"" + scope + "\"" + mark + ">" + content + "</th>";
    }

    private static String cell(double value, double most) {
        int step = most == 0 ? 0 : (int) Math.round(ColouredText.STEPS * Math.sqrt(Math.abs(value) / most));
        String colour = step == 0 ? "" : " class=\"" + (value > 0 ? "p" : "n") + step + "\"";
        return "<td" + colour + " title=\"" + ColouredText.number(value) + "\"></td>";
    }

    private static String sums(SaliencyMap map) {
        String score = "score " + ColouredText.plain(map.score());
        return map.rest() == null
                ? score
                : score + " (" + ColouredText.plain(map.rest()) + " by special tokens and prompt)";
    }
}
