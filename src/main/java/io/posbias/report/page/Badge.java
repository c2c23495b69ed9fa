package io.posbias.report.page;

import io.posbias.base.plot.Viridis;
import io.posbias.report.profile.Strip;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import io.posbias.score.result.Result;

/** A small SVG for a README: a label, the strip of a result, its verdict. Without fonts, scripts or links; deterministic. */
public final class Badge {
    private static final String LABEL = "answers by place";

    private static final int HEIGHT = 20;
    private static final int PADDING = 6;

    /** Width of a letter of Verdana at 11 pixels; the texts are set to widths of this, whatever the reader's font is. */
    private static final double LETTER = 6.2;

    private static final int STRIP = 80;
    private static final int LEAST_CELL = 4;
    private static final String EMPTY = "#ffffff";

    private static final String HATCHES = hatch("posbias-light", "#fff") + hatch("posbias-dark", "#000");

    private static final String GREY = "#555555";
    private static final String SOUND = "#00664a";
    private static final String BIASED = "#9a3b00";
    private static final String UNSURE = "#5b616b";

    private final StringBuilder svg = new StringBuilder();
    private int x;

    private Badge() {}

    /** Renders the badge of a profile with places of the evidence. */
    public static String render(Result result, Profile profile) {
        return new Badge().text(result, profile);
    }

    private String text(Result result, Profile profile) {
        Strip strip = Strip.of(result, profile);
        words(LABEL, GREY);
        strip(strip);
        Verdict verdict = profile.verdict();
        if (verdict == Verdict.OPEN && profile.outcome() == TestOutcome.DIFFER) {
            // Of unknown cause, as with rankings alone, but a difference.
            words("positions differ", BIASED);
        } else if (verdict != null) {
            words(Verdict.words(profile.verdicts()), verdict.isSound() ? SOUND : verdict.isUnsure() ? UNSURE : BIASED);
        }
        String title = Html.escape(title(result, profile, strip));
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + x + "\" height=\"" + HEIGHT
                + "\" role=\"img\">\n<title>" + title + "</title>\n"
                + (strip.isHatched() ? HATCHES : "")
                + "<g font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\" fill=\"#fff\">\n"
                + svg + "</g>\n</svg>\n";
    }

    private static String title(Result result, Profile profile, Strip strip) {
        Verdict verdict = profile.verdict();
        return result.model() + " on " + result.dataset() + ", " + profile.measure() + " in points "
                + (strip.isFixed() ? "with the same evidence at place " : "by position of the evidence ") + strip.text()
                + (verdict == null
                        ? ""
                        : "; " + Verdict.words(profile.verdicts()) + ": "
                                + Answer.of(result, profile).words());
    }

    private void words(String text, String fill) {
        int width = (int) Math.round(LETTER * text.length());
        rectangle(x, width + 2 * PADDING, fill);
        svg.append("<text x=\"" + (x + PADDING) + "\" y=\"14\" textLength=\"" + width + "\">" + Html.escape(text)
                + "</text>\n");
        x += width + 2 * PADDING;
    }

    private void strip(Strip strip) {
        int width = Math.max(LEAST_CELL, STRIP / strip.cells().size());
        for (Strip.Cell cell : strip.cells()) {
            Double mean = cell.mean();
            rectangle(x, width, mean == null ? EMPTY : Html.colour(mean));
            int unread = (int) Math.round(cell.hatched() * width);
            if (mean != null && unread > 0) {
                rectangle(
                        x + width - unread,
                        unread,
                        "url(#" + (Viridis.isDark(mean) ? "posbias-light" : "posbias-dark") + ")");
            }
            x += width;
        }
    }

    private void rectangle(int left, int width, String fill) {
        svg.append(
                "<rect x=\"" + left + "\" width=\"" + width + "\" height=\"" + HEIGHT + "\" fill=\"" + fill + "\"/>\n");
    }

    /** A pattern of diagonal lines; several badges in one page can share it. */
    private static String hatch(String name, String ink) {
        return "<pattern id=\"" + name
                + "\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                + "<path d=\"M2 0V4\" stroke=\"" + ink + "\"/></pattern>\n";
    }
}
