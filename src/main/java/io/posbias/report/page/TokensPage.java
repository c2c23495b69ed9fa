package io.posbias.report.page;

import io.posbias.diagnose.TokenMap;
import io.posbias.diagnose.TokensDiagnosis;
import io.posbias.plot.WordMap;
import io.posbias.table.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One HTML file that shows scores taken apart: documents coloured by what their tokens have in the score, and the words of
 * the query by those of the document.
 */
public final class TokensPage {
    private TokensPage() {}

    /** Writes the page of what a diagnosis found of some models. */
    public static String render(TokensDiagnosis diagnosis, Map<String, TokensDiagnosis.Found> found) {
        List<Shown> shown = diagnosis.examples(found).stream()
                .flatMap(example -> example.maps().entrySet().stream()
                        .map(entry -> new Shown(entry.getKey(), entry.getValue(), diagnosis.words(entry.getValue()))))
                .toList();
        Texts texts = new Texts(
                diagnosis.name(),
                diagnosis.pairs(),
                diagnosis.queries(),
                diagnosis.examples(found).size());
        return render(texts, diagnosis.tables(found), shown);
    }

    /**
     * What the page says beside numbers.
     *
     * @param pairs of query and document
     * @param shown how many of the queries are shown
     */
    record Texts(String dataset, int pairs, int queries, int shown) {}

    /**
     * A query with a model.
     *
     * @param maps of its texts
     * @param words the same by words
     */
    record Shown(String model, List<TokenMap> maps, List<WordMap> words) {}

    static String render(Texts texts, List<Table> tables, List<Shown> shown) {
        TextsPage page = new TextsPage(
                "Tokens",
                "What each word of a query has in the score with each word of a document. " + Html.escape(texts.dataset)
                        + ": " + texts.pairs + " pairs of query and document.",
                texts.shown + " of " + texts.queries
                        + " queries. Point at a word or cell for its number, in the score’s" + " own unit.",
                "lowers the score",
                "raises it",
                Html.resource("tokens.html"));
        return page.render(tables, shown.stream().map(TokensPage::query).collect(Collectors.joining()), "tokens.css");
    }

    private static String query(Shown shown) {
        TokenMap any = shown.maps().getFirst();
        double most = shown.words().stream().mapToDouble(WordMap::most).max().orElse(0);
        String texts = IntStream.range(0, shown.maps().size())
                .mapToObj(i -> text(shown.maps().get(i), shown.words().get(i), most))
                .collect(Collectors.joining());
        return TextsPage.example(any.pair().query(), any.pair().id() + ", " + shown.model(), texts);
    }

    private static String text(TokenMap map, WordMap words, double most) {
        return "<div class=\"passage\"><h4>" + Html.escape(words.title()) + "</h4><p class=\"saliency\">"
                + ColouredText.of(map.saliency()) + "</p><div class=\"map\" tabindex=\"0\"><table><thead><tr><td></td>"
                + words.columns().stream()
                        .map(word -> heading("col", word, "<span>" + Html.escape(word.text()) + "</span>"))
                        .collect(Collectors.joining())
                + "</tr></thead><tbody>\n"
                + IntStream.range(0, words.rows().size())
                        .mapToObj(row -> row(words, row, most))
                        .collect(Collectors.joining())
                + "</tbody></table></div></div>\n";
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
}
