package io.posbias.report.page;

import io.posbias.Version;
import io.posbias.diagnose.SaliencyDiagnosis;
import io.posbias.diagnose.SaliencyMap;
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
     * @param maps by model; of the same query and document
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
     * @param dataset the benchmark's name
     * @param tables over all pairs
     * @param examples in the order in which they are shown
     * @param pairs from how many they were chosen
     */
    public static String render(
            String dataset,
            SaliencyDiagnosis.Settings settings,
            List<Table> tables,
            List<Example> examples,
            int pairs) {
        String style = Html.resource("page.css") + Html.resource("saliency.css");
        Map<String, String> slots = new HashMap<>();
        slots.put(
                "policy",
                "default-src 'none'; style-src " + Html.digest(style)
                        + "; img-src data:; base-uri 'none'; form-action 'none'");
        slots.put("style", style);
        slots.put("dataset", Html.escape(dataset));
        slots.put("setup", Html.escape(settings.describe()));
        slots.put("pairs", String.valueOf(pairs));
        slots.put("shown", String.valueOf(examples.size()));
        slots.put("unit", Html.escape(settings.unit()));
        slots.put("version", Html.escape(Version.text()));
        slots.put("tables", tables.stream().map(SaliencyPage::table).collect(Collectors.joining()));
        slots.put("examples", examples.stream().map(SaliencyPage::example).collect(Collectors.joining()));
        return Html.fill(Html.resource("saliency.html"), slots);
    }

    private static String table(Table table) {
        StringBuilder out = new StringBuilder();
        out.append("<figure><figcaption>").append(Html.escape(table.title())).append("</figcaption>");
        out.append("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
        for (int i = 0; i < table.header().size(); i++) {
            out.append(i == 0 ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">")
                    .append(Html.escape(table.header().get(i)))
                    .append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (Table.Row row : table.rows()) {
            out.append("<tr><th scope=\"row\">")
                    .append(Html.escape(row.cells().getFirst()))
                    .append("</th>");
            row.cells().stream()
                    .skip(1)
                    .forEach(
                            cell -> out.append("<td>").append(Html.escape(cell)).append("</td>"));
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>");
        table.notes()
                .forEach(note -> out.append("<p class=\"hint\">")
                        .append(Html.escape(note))
                        .append("</p>"));
        return out.append("</figure>\n").toString();
    }

    private static String example(Example example) {
        SaliencyMap any = example.maps().values().iterator().next();
        StringBuilder out = new StringBuilder();
        out.append("<article class=\"pair-of-texts\"><h3>")
                .append(Html.escape(any.query()))
                .append("</h3><p class=\"tag\">query ")
                .append(Html.escape(any.id()))
                .append("</p><div class=\"texts\">\n");
        example.maps()
                .forEach((model, map) -> out.append("<div class=\"passage\"><h4>")
                        .append(Html.escape(model))
                        .append(" <span class=\"tag\">")
                        .append(sums(map))
                        .append("</span></h4><p class=\"saliency\">")
                        .append(ColouredText.of(map))
                        .append("</p></div>\n"));
        return out.append("</div></article>\n").toString();
    }

    private static String sums(SaliencyMap map) {
        String score = "score " + ColouredText.plain(map.score());
        return map.rest() == null
                ? score
                : score + ", of which " + ColouredText.plain(map.rest()) + " by special tokens and prompt";
    }
}
