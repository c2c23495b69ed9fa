package io.posbias.report.page;

import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.score.over.BenchmarkLosses;
import io.posbias.score.result.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTML file of page.html, page.css, page.js, Chart.js and the data; deterministic.
 *
 * <p>All data is in one block of JSON, which page.js turns into text nodes. The content security policy allows only the
 * two scripts and the style, by their digests, and requires trusted types.
 */
public final class ResultPage {
    private ResultPage() {}

    /**
     * Contents of the page beside the results.
     *
     * @param drilldowns sampled queries by benchmark
     * @param strategies compared on the measure; may be empty
     * @param tests between the models, on the measure
     * @param losses over benchmarks; null to leave them out
     * @param lead what the page begins with; null for nothing
     */
    public record Sections(
            List<Drilldown> drilldowns,
            List<Mitigation> strategies,
            PairwiseTests tests,
            @Nullable BenchmarkLosses losses,
            @Nullable String lead) {}

    public static String render(List<Result> results, String measure, Sections sections) {
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
        slots.put("data", PageData.json(results, measure, sections));
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
