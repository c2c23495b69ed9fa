package io.posbias.study.diagnose;

import io.posbias.data.dataset.Span;
import io.posbias.report.page.Html;
import io.posbias.study.diagnose.SaliencySettings.SaliencyScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * HTML of a document: an element per stretch of saliency, with its colour as class and its number as tooltip; the
 * evidence is underlined. Data is escaped.
 */
final class ColouredText {
    static final int STEPS = 8;

    private final SaliencyMap map;
    private final double scale;
    private final StringBuilder out = new StringBuilder();

    private ColouredText(SaliencyMap map) {
        this.map = map;
        this.scale = map.scale(SaliencyScale.P99);
    }

    static String of(SaliencyMap map) {
        ColouredText text = new ColouredText(map);
        int at = 0;
        for (SaliencyMap.SaliencyStretch stretch : disjoint(map.stretches())) {
            text.add(at, stretch.span().start(), null);
            text.add(stretch.span().start(), stretch.span().end(), stretch.saliency());
            at = stretch.span().end();
        }
        text.add(at, map.pair().document().length(), null);
        return text.out.toString();
    }

    private static List<SaliencyMap.SaliencyStretch> disjoint(List<SaliencyMap.SaliencyStretch> stretches) {
        List<SaliencyMap.SaliencyStretch> disjoint = new ArrayList<>();
        for (SaliencyMap.SaliencyStretch stretch : stretches) {
            SaliencyMap.SaliencyStretch last = disjoint.isEmpty() ? null : disjoint.getLast();
            if (last != null && stretch.span().start() < last.span().end()) {
                int end = Math.max(last.span().end(), stretch.span().end());
                disjoint.removeLast();
                disjoint.add(new SaliencyMap.SaliencyStretch(
                        new Span(last.span().start(), end), last.saliency() + stretch.saliency()));
            } else if (stretch.span().end() > stretch.span().start()) {
                disjoint.add(stretch);
            }
        }
        return disjoint;
    }

    private void add(int from, int to, @Nullable Double saliency) {
        Span evidence = map.pair().evidence();
        if (evidence == null) {
            element(from, to, saliency, false);
            return;
        }
        int start = Math.clamp(evidence.start(), from, to);
        int end = Math.clamp(evidence.end(), start, to);
        element(from, start, saliency, false);
        element(start, end, saliency, true);
        element(end, to, saliency, false);
    }

    private void element(int from, int to, @Nullable Double saliency, boolean evidence) {
        if (from >= to) {
            return;
        }
        String text = Html.escape(map.pair().document().substring(from, to));
        List<String> classes = new ArrayList<>();
        if (saliency != null && step(saliency) != 0) {
            classes.add((step(saliency) > 0 ? "p" : "n") + Math.abs(step(saliency)));
        }
        if (evidence) {
            classes.add("evidence");
        }
        String attributes = (classes.isEmpty() ? "" : " class=\"" + String.join(" ", classes) + "\"")
                + (saliency == null ? "" : " title=\"" + number(saliency) + "\"");
        out.append(attributes.isEmpty() ? text : "<span" + attributes + ">" + text + "</span>");
    }

    private int step(double saliency) {
        return (int) Math.round(STEPS * SaliencyMap.scaled(saliency, scale));
    }

    static String number(double value) {
        return value == 0 ? "0" : String.format(Locale.ROOT, "%+.3g", value);
    }

    static String plain(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }
}
