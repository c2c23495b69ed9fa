package io.posbias.report.page;

import io.posbias.Version;
import io.posbias.diagnose.TokenMap;
import io.posbias.diagnose.TokensDiagnosis;
import io.posbias.plot.WordMap;
import io.posbias.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One HTML file that shows scores taken apart: documents coloured by what their tokens have in the score, and the words of
 * the query by those of the document. It has no program; its policy allows the one style by its digest and nothing else, and
 * what comes from data is escaped.
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
        String style = Html.resource("page.css") + Html.resource("saliency.css") + Html.resource("tokens.css");
        Map<String, String> slots = new HashMap<>();
        slots.put(
                "policy",
                "default-src 'none'; style-src " + Html.digest(style)
                        + "; img-src data:; base-uri 'none'; form-action 'none'");
        slots.put("style", style);
        slots.put("dataset", Html.escape(texts.dataset));
        slots.put("pairs", String.valueOf(texts.pairs));
        slots.put("queries", String.valueOf(texts.queries));
        slots.put("shown", String.valueOf(texts.shown));
        slots.put("version", Html.escape(Version.text()));
        slots.put("tables", tables.stream().map(SaliencyPage::table).collect(Collectors.joining()));
        slots.put("examples", shown.stream().map(TokensPage::query).collect(Collectors.joining()));
        return Html.fill(Html.resource("tokens.html"), slots);
    }

    private static String query(Shown shown) {
        TokenMap any = shown.maps().getFirst();
        double most = shown.words().stream().mapToDouble(WordMap::most).max().orElse(0);
        String texts = IntStream.range(0, shown.maps().size())
                .mapToObj(i -> text(shown.maps().get(i), shown.words().get(i), most))
                .collect(Collectors.joining());
        return "<article class=\"pair-of-texts\"><h3>" + Html.escape(any.pair().query())
                + "</h3><p class=\"tag\">query " + Html.escape(any.pair().id()) + ", " + Html.escape(shown.model())
                + "</p><div class=\"texts\">\n" + texts + "</div></article>\n";
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
