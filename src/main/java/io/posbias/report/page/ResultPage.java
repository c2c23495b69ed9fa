package io.posbias.report.page;

import io.posbias.report.mitigate.Mitigation;
import io.posbias.score.result.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One HTML file of page.html, page.css, page.js, Chart.js and the data; deterministic.
 *
 * <p>All data is in one block of JSON, which page.js turns into text nodes. The content security policy allows only the
 * two scripts and the style, by their digests, and requires trusted types.
 */
public final class ResultPage {
    private ResultPage() {}

    /**
     * Renders the page.
     *
     * @param drilldowns sampled queries by benchmark
     * @param strategies compared on the measure; may be empty
     */
    public static String render(
            List<Result> results, String measure, List<Drilldown> drilldowns, List<Mitigation> strategies) {
        ChartLibrary chart = ChartLibrary.read();
        String style = Html.resource("page.css");
        String program = Html.resource("page.js");
        Map<String, String> slots = new HashMap<>();
        slots.put("policy", policy(style, chart.source(), program));
        slots.put("style", style);
        slots.put("chart", chart.source());
        slots.put("program", program);
        slots.put("version", chart.version());
        slots.put("licence", Html.escape(chart.licence()));
        slots.put("data", PageData.json(results, measure, drilldowns, strategies));
        return Html.fill(Html.resource("page.html"), slots);
    }

    private static String policy(String style, String... programs) {
        StringBuilder policy = new StringBuilder("default-src 'none'; script-src");
        for (String program : programs) {
            policy.append(' ').append(Html.digest(program));
        }
        return policy.append("; style-src ")
                .append(Html.digest(style))
                .append("; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'")
                .toString();
    }
}
