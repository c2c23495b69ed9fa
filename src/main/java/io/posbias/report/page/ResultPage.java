package io.posbias.report.page;

import io.posbias.report.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One HTML file made of page.html, page.css, page.js, Chart.js and the data. The same results give the same bytes.
 *
 * <p>What comes from results and benchmarks stands in one place only, a block of JSON that is not run; page.js turns it
 * into text nodes. The policy allows the two programs and the style by their digests and nothing else, and takes from
 * programs the means to turn text into markup.
 */
public final class ResultPage {
    private static final Pattern SLOT = Pattern.compile("\\{\\{(\\w+)}}");

    private ResultPage() {}

    /**
     * Writes the page.
     *
     * @param results all cells, published ones among them
     * @param measure the measure that is shown first
     * @param drilldowns single queries, for the benchmarks of which there are any
     */
    public static String render(List<Result> results, String measure, List<Drilldown> drilldowns) {
        ChartLibrary chart = ChartLibrary.read();
        String style = resource("page.css");
        String program = resource("page.js");
        Map<String, String> slots = new HashMap<>();
        slots.put("policy", policy(style, chart.source(), program));
        slots.put("style", style);
        slots.put("chart", chart.source());
        slots.put("program", program);
        slots.put("version", chart.version());
        slots.put("licence", escape(chart.licence()));
        slots.put("data", PageData.json(results, measure, drilldowns));
        // In one pass: what fills a slot may look like a slot itself.
        return SLOT.matcher(resource("page.html"))
                .replaceAll(slot -> Matcher.quoteReplacement(Objects.requireNonNull(slots.get(slot.group(1)))));
    }

    private static String policy(String style, String... programs) {
        StringBuilder policy = new StringBuilder("default-src 'none'; script-src");
        for (String program : programs) {
            policy.append(' ').append(digest(program));
        }
        return policy.append("; style-src ")
                .append(digest(style))
                .append("; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'")
                .toString();
    }

    private static String digest(String text) {
        try {
            byte[] sha = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(sha) + "'";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String resource(String name) {
        try (InputStream in = ResultPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new IllegalStateException("cannot read " + name + " in the jar", broken);
        }
    }
}
