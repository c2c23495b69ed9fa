package io.posbias.cli.diagnose;

import io.posbias.UsageException;
import io.posbias.cli.common.Checks;
import io.posbias.diagnose.SaliencyDiagnosis;
import io.posbias.diagnose.SaliencyMethod;
import io.posbias.stats.Interval;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How saliency is found, and of which documents. */
final class SaliencyOptions {
    /** Words of a window unless told otherwise. */
    private static final int WINDOW = 10;

    /** The fewest windows in which a document has a beginning, a middle and an end. */
    private static final int LEAST_WINDOWS = 3;

    private static final Pattern SHARES = Pattern.compile("(\\d*\\.?\\d+),(\\d*\\.?\\d+)");

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            description = {
                "How saliency is found: ${COMPLETION-CANDIDATES}",
                "(default: ${DEFAULT-VALUE}). occlusion: the score less the",
                "score without the words; any model. contribution:",
                "what each token adds to the score; late interaction",
                "and mean-pooled vectors."
            })
    private SaliencyMethod method = SaliencyMethod.OCCLUSION;

    @Option(
            names = "--window",
            paramLabel = "W",
            description = "Words left out at a time, with occlusion (default: " + WINDOW + ").")
    private @Nullable Integer window;

    @Option(
            names = "--stride",
            paramLabel = "S",
            description = "Words from one window to the next, 1 to W, with occlusion (default: W).")
    private @Nullable Integer stride;

    @Option(
            names = "--min-words",
            paramLabel = "N",
            description = "Leave out documents of fewer words (default: " + LEAST_WINDOWS + " W).")
    private @Nullable Integer minWords;

    @Option(
            names = "--evidence-between",
            paramLabel = "LOW,HIGH",
            description = {
                "Only documents with the middle of their evidence",
                "there, as shares of the text; PosIR takes 0.4,0.6",
                "(default: all)."
            })
    private String between = "";

    @Option(
            names = "--raw",
            description = {
                "Curves in the score's own unit (default: each",
                "document's is divided by its 99th percentile and",
                "cut to -1 and 1)."
            })
    private boolean raw;

    /** Checks what picocli cannot. */
    void check() {
        Checks.belongs(method != SaliencyMethod.OCCLUSION && window != null, "--window", "--method occlusion");
        Checks.belongs(method != SaliencyMethod.OCCLUSION && stride != null, "--stride", "--method occlusion");
        Checks.atLeast("--window", window(), 1);
        Checks.refuse(
                stride() < 1 || stride() > window(),
                "--stride must be from 1 to the window's " + window() + " words, not " + stride());
        int least = method == SaliencyMethod.OCCLUSION ? window() + 1 : 1;
        Checks.refuse(
                minWords() < least,
                "--min-words must be at least " + least + ", not " + minWords()
                        + (least > 1 ? ": without a window something must be left" : ""));
        between();
    }

    /** How it is found. */
    SaliencyMethod method() {
        return method;
    }

    /** The same with all settings. */
    SaliencyDiagnosis.Settings settings() {
        return method == SaliencyMethod.OCCLUSION
                ? SaliencyDiagnosis.Settings.occlusion(window(), stride(), minWords(), !raw)
                : SaliencyDiagnosis.Settings.contribution(minWords(), !raw);
    }

    private int window() {
        return window == null ? WINDOW : window;
    }

    private int stride() {
        return stride == null ? window() : stride;
    }

    private int minWords() {
        return minWords == null ? LEAST_WINDOWS * window() : minWords;
    }

    /** The least and greatest place of the evidence; empty for any, known or not. */
    Optional<Interval> between() {
        if (between.isEmpty()) {
            return Optional.empty();
        }
        Matcher shares = SHARES.matcher(between);
        if (shares.matches()) {
            double low = Double.parseDouble(shares.group(1));
            double high = Double.parseDouble(shares.group(2));
            if (low <= high && high <= 1) {
                return Optional.of(new Interval(low, high));
            }
        }
        throw new UsageException(
                "--evidence-between takes two shares in order, such as 0.4,0.6, not \"" + between + "\"");
    }
}
