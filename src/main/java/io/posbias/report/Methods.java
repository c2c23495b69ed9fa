package io.posbias.report;

import io.posbias.base.process.Version;
import io.posbias.base.table.LatexTable;
import io.posbias.base.table.Lines;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.text.Plural;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a paper says of stored results: design, tests, intervals, clusters, correction and software, each from what was computed.
 *
 * @param text a paragraph per benchmark and settings
 * @param references BibTeX keys of what is cited
 */
public record Methods(List<String> text, List<String> references) {
    private static final String SOFTWARE = "posbias";

    private static final String PSI = "zeng2025position";

    private static final String SOFTWARE_ENTRY = """
            @software{posbias,
              title = {posbias: measuring position bias in information retrieval},
              author = {{The posbias authors}},
              version = {VERSION},
              year = {2026}
            }
            """;

    private static final String PAPER = """
            @article{zeng2025position,
              title = {An Empirical Study of Position Bias in Modern Information Retrieval},
              author = {Zeng, Ziyang and Zhang, Dun and Li, Jiacheng and Zou, Panxiang and Zhou, Yudong and Yang, Yuqing},
              journal = {arXiv preprint arXiv:2505.13950},
              year = {2025}
            }
            """;

    /** Returns the paragraphs of results. */
    public static Methods of(List<Result> results) {
        Map<List<?>, List<Result>> same = new LinkedHashMap<>();
        results.stream()
                .filter(result -> !result.isPublished())
                .forEach(result -> same.computeIfAbsent(
                                List.of(result.dataset(), result.settings(), version(result)), key -> new ArrayList<>())
                        .add(result));
        List<String> text = same.values().stream().map(Methods::paragraph).toList();
        return new Methods(
                text,
                Stream.of(SOFTWARE, PSI)
                        .filter(key -> text.stream().anyMatch(words -> words.contains(cite(key))))
                        .toList());
    }

    private static String cite(String key) {
        return " [@" + key + "]";
    }

    private static String version(Result result) {
        return String.valueOf(result.provenance().environment().get("posbias"));
    }

    private static String paragraph(List<Result> results) {
        Result first = results.getFirst();
        Settings settings = first.settings();
        Profile profile = first.overall(first.measures().getFirst());
        List<String> sentences = new ArrayList<>();
        sentences.add("We evaluated " + models(results) + " on " + first.dataset() + " ("
                + Plural.grouped(first.queries().judged(), "query") + ") with posbias " + version(first)
                + cite(SOFTWARE) + ", by " + String.join(", ", first.measures())
                + (settings.k() == 0 ? "." : " of the first " + Plural.grouped(settings.k(), "passage") + "."));
        if (!profile.buckets().isEmpty()) {
            sentences.add("Queries were grouped by the position of their evidence (" + settings.bucketing()
                    + "); the Position Sensitivity Index is PSI = 1 - min / max of the means of these groups"
                    + cite(PSI) + ".");
        }
        sentences.add(clusters(profile, settings));
        if (profile.psi().pValue() != null) {
            sentences.add("The p-value of PSI is the share of "
                    + Plural.grouped(settings.draws(), "draw") + " without an effect of position, by "
                    + Psi.draws(profile.isOfSingles()) + ", whose PSI is at least as large (seed " + settings.seed()
                    + ").");
        }
        sentences.add(intervals(profile, settings));
        ContentFixed moved = profile.contentFixed();
        if (moved != null) {
            sentences.add(moved(moved));
        }
        sentences.add("Verdicts are of single models at a level of "
                + NumberFormat.level(settings.confidence()) + "; "
                + (results.size() == 1
                        ? "one model was tested."
                        : "they are not corrected for the " + results.size()
                                + " models, and differences between models, where given, are adjusted by Holm's method for"
                                + " all pairs of a table."));
        return String.join(" ", sentences);
    }

    private static String models(List<Result> results) {
        List<String> names = results.stream().map(Result::model).distinct().toList();
        return names.size() == 1
                ? names.getFirst()
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }

    private static String clusters(Profile profile, Settings settings) {
        Integer clusters = profile.clusters();
        if (clusters == null || profile.isOfSingles()) {
            return "Queries count one by one.";
        }
        Double effective = profile.effectiveClusters();
        return "Queries on one "
                + (settings.unit() == Clustering.By.ARTICLE ? "article" : "passage")
                + " depend on each other and count as one cluster: " + Plural.grouped(clusters, "cluster")
                + (effective == null ? "" : ", " + NumberFormat.LENGTH.print(effective) + " effective") + ".";
    }

    private static String intervals(Profile profile, Settings settings) {
        String percent = NumberFormat.percent(settings.confidence());
        return "Intervals have " + percent + " confidence: Student's t over clusters for means"
                + (profile.psi().interval() == null
                        ? "."
                        : ", a bootstrap of clusters with " + Plural.grouped(settings.draws(), "draw") + " for PSI.");
    }

    private static String moved(ContentFixed moved) {
        int ends = ContentFixed.ends(moved.k());
        return "To hold the content fixed, " + Plural.grouped(moved.queries(), "query") + " in "
                + Plural.grouped(moved.clusters(), "cluster") + " had their evidence at " + moved.k()
                + " places of their passage in turn, by " + moved.method()
                + ", with all other passages unchanged; the loss at the back is 1 - back / front, of the last " + ends
                + " against the first " + ends + " places, with a t test over clusters, and losses within "
                + NumberFormat.percent(moved.equivalence()) + " count as none.";
    }

    /**
     * Returns the paragraphs and what they cite.
     *
     * @param isLatex false for plain text, whose citations are like {@code [posbias]}
     * @param width of a line; LaTeX has a line per paragraph
     */
    public String print(boolean isLatex, int width) {
        String paragraphs = text.stream()
                .map(words -> isLatex
                        ? LatexTable.escape(words).replaceAll(" \\{\\[\\}@(\\w+)]", "~\\\\cite{$1}")
                        : String.join("\n", Lines.of(words.replace("[@", "["), width, 0)))
                .collect(Collectors.joining("\n\n", "", "\n"));
        return paragraphs + references.stream().map(key -> "\n" + entry(key)).collect(Collectors.joining());
    }

    private static String entry(String key) {
        return key.equals(PSI) ? PAPER : SOFTWARE_ENTRY.replace("VERSION", Version.text());
    }
}
