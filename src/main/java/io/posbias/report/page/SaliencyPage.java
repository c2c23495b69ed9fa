package io.posbias.report.page;

import io.posbias.Version;
import io.posbias.diagnose.SaliencyMap;
import io.posbias.diagnose.SaliencyTables;
import io.posbias.table.Table;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One HTML file that shows documents coloured by saliency. It has no program at all; its policy allows the one style by its
 * digest and nothing else, and what comes from data is escaped. The same maps give the same bytes.
 */
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
        String style = Html.resource("page.css") + Html.resource("saliency.css");
        Map<String, String> slots = new HashMap<>();
        slots.put(
                "policy",
                "default-src 'none'; style-src " + Html.digest(style)
                        + "; img-src data:; base-uri 'none'; form-action 'none'");
        slots.put("style", style);
        slots.put("dataset", Html.escape(texts.dataset));
        slots.put("setup", Html.escape(texts.setup));
        slots.put("pairs", String.valueOf(texts.pairs));
        slots.put("shown", String.valueOf(examples.size()));
        slots.put("units", Html.escape(texts.units));
        slots.put("version", Html.escape(Version.text()));
        slots.put("tables", tables.stream().map(SaliencyPage::table).collect(Collectors.joining()));
        slots.put("examples", examples.stream().map(SaliencyPage::example).collect(Collectors.joining()));
        return Html.fill(Html.resource("saliency.html"), slots);
    }

    /** A table with its title and notes. */
    static String table(Table table) {
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

    private static String example(Example example) {
        SaliencyMap any = example.maps().values().iterator().next();
        String passages = example.maps().entrySet().stream()
                .map(map -> "<div class=\"passage\"><h4>" + Html.escape(map.getKey()) + " <span class=\"tag\">"
                        + sums(map.getValue()) + "</span></h4><p class=\"saliency\">"
                        + ColouredText.of(map.getValue()) + "</p></div>\n")
                .collect(Collectors.joining());
        return "<article class=\"pair-of-texts\"><h3>" + Html.escape(any.query()) + "</h3><p class=\"tag\">query "
                + Html.escape(any.id()) + "</p><div class=\"texts\">\n" + passages + "</div></article>\n";
    }

    private static String sums(SaliencyMap map) {
        String score = "score " + ColouredText.plain(map.score());
        return map.rest() == null
                ? score
                : score + ", of which " + ColouredText.plain(map.rest()) + " by special tokens and prompt";
    }
}
