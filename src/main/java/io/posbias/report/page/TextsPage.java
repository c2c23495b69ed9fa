package io.posbias.report.page;

import io.posbias.base.process.Version;
import io.posbias.base.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One HTML file of coloured texts below tables, without scripts; its policy allows only the style, by its digest. Parts
 * are markup with escaped data.
 *
 * @param method definitions that explain the page
 */
public record TextsPage(String title, String about, String hint, String lowest, String highest, String method) {
    public String render(List<Table> tables, String examples, String... styles) {
        StringBuilder style = new StringBuilder(Html.resource("page.css")).append(Html.resource("saliency.css"));
        for (String more : styles) {
            style.append(Html.resource(more));
        }
        Map<String, String> slots = new HashMap<>();
        slots.put(
                "policy",
                "default-src 'none'; style-src " + Html.digest(style.toString())
                        + "; img-src data:; base-uri 'none'; form-action 'none'");
        slots.put("style", style.toString());
        slots.put("version", Html.escape(Version.text()));
        slots.put("title", title);
        slots.put("about", about);
        slots.put("hint", hint);
        slots.put("lowest", lowest);
        slots.put("highest", highest);
        slots.put("method", method);
        slots.put("tables", tables.stream().map(TextsPage::table).collect(Collectors.joining()));
        slots.put("examples", examples);
        return Html.fill(Html.resource("texts.html"), slots);
    }

    private static String table(Table table) {
        List<String> header = table.header();
        String rows = table.rows().stream()
                .map(row -> "<tr>" + within("<th scope=\"row\">", row.cells().subList(0, 1), "</th>")
                        + within("<td>", row.cells().subList(1, row.cells().size()), "</td>") + "</tr>\n")
                .collect(Collectors.joining());
        return within("<figure><figcaption>", List.of(table.title()), "</figcaption>")
                + "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>"
                + within("<th scope=\"col\" class=\"text\">", header.subList(0, 1), "</th>")
                + within("<th scope=\"col\">", header.subList(1, header.size()), "</th>")
                + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>"
                + within("<p class=\"hint\">", table.notes(), "</p>") + "</figure>\n";
    }

    private static String within(String begin, List<String> texts, String end) {
        return texts.stream().map(text -> begin + Html.escape(text) + end).collect(Collectors.joining());
    }

    public static String example(String query, String tag, String texts) {
        return "<article class=\"pair-of-texts\"><h3>" + Html.escape(query) + "</h3><p class=\"tag\">query "
                + Html.escape(tag) + "</p><div class=\"texts\">\n" + texts + "</div></article>\n";
    }
}
