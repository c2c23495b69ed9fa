package io.posbias.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Interval;
import io.posbias.data.dataset.Span;
import io.posbias.report.Results;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.query.Excerpt;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ResultPageTest {
    /** Ends a script, begins an element, and runs a program, wherever it were taken for markup. */
    private static final String HOSTILE = "</script><img src=x onerror=window.hacked=1>{{program}}\u2028\u202e<!--";

    /** Characters that a browser obeys are shown as their numbers. */
    private static final String SHOWN = HOSTILE.replace("\u202e", "\\u202e");

    private static final String PASSAGE = "Foxes sleep 🦊 under the " + HOSTILE + " bridge.";

    @TempDir
    static Path temp;

    private static @Nullable Chromium browser;
    private static Path page = Path.of("");

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        browser = Chromium.start(Files.createDirectory(temp.resolve("profile")));
        page = Files.writeString(
                temp.resolve("page.html"), ResultPage.render(results(), "nDCG@10", sections(drilldowns())));
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    private static Chromium.Tab tab() throws IOException, InterruptedException {
        return Objects.requireNonNull(browser).open(page);
    }

    /** Three models on one benchmark, one of them called something nasty and with a second stratum; one on another. */
    private static List<Result> results() {
        Result nasty = Results.of(HOSTILE, "dense", "fineweb-posq", 1.0);
        List<Profile> profiles = new ArrayList<>(nasty.profiles());
        profiles.add(new Profile(
                "nDCG@10", "Q1", 50, 0.4, 0.35, Psi.of(0.3), List.of(new BucketMean("beginning", 50, 0.4, false))));
        return List.of(
                Results.of("bm25", "sparse", "fineweb-posq", 0.75),
                with(nasty, profiles),
                Results.of("colbert", "late-interaction", "fineweb-posq", 0.9),
                Results.of("bm25", "sparse", "other", 0.6));
    }

    private static Result with(Result result, List<Profile> profiles) {
        return new Result(
                result.model(),
                result.family(),
                result.dataset(),
                result.queries(),
                profiles,
                result.retrieval(),
                new Provenance(
                        result.settings(),
                        new LinkedHashMap<>(Map.of("kind", "dense")),
                        result.provenance().recipeSha256(),
                        result.provenance().datasetSha256(),
                        List.of(),
                        null,
                        Map.of(),
                        result.provenance().environment(),
                        result.provenance().seconds()));
    }

    private static ResultPage.Sections sections(List<Drilldown> drilldowns) {
        return new ResultPage.Sections(
                drilldowns, List.of(), new PairwiseTests(List.of(), PairwiseTests.Shown.NOTHING, 1), null, null);
    }

    private static List<Drilldown> drilldowns() {
        Span evidence = new Span(PASSAGE.indexOf("under"), PASSAGE.length() - 1);
        QueryTexts.Gold gold = new QueryTexts.Gold(
                "p1", Excerpt.of(HOSTILE, null, 200), new Excerpt("x " + PASSAGE, shifted(evidence), 12, 0));
        SampledQuery first = query(
                "q1",
                "",
                Map.of("bm25", 1.0, HOSTILE, 0.63, "colbert", 0.5),
                Map.of("bm25", 1, "colbert", 3),
                new QueryTexts(Excerpt.of("where do foxes sleep", null, 500), List.of(gold), 0));
        SampledQuery second = query(
                "q2",
                "Q1",
                Map.of("bm25", 0.0, HOSTILE, 1.0, "colbert", 1.0),
                Map.of("bm25", Drilldown.NOT_FOUND, "colbert", 1),
                new QueryTexts(Excerpt.of("what hunts " + HOSTILE, null, 500), List.of(gold), 2));
        SampledQuery elsewhere = query("q9", "", Map.of("bm25", 0.5), Map.of(), null);
        return List.of(
                new Drilldown("fineweb-posq", 187, null, List.of(first, second)),
                new Drilldown("other", 1, "it is not on this machine", List.of(elsewhere)));
    }

    private static Span shifted(Span span) {
        return new Span(span.start() + 2, span.end() + 2);
    }

    private static SampledQuery query(
            String id,
            String stratum,
            Map<String, Double> ndcg,
            Map<String, Integer> ranks,
            @Nullable QueryTexts texts) {
        Map<String, Map<String, Double>> scores = new LinkedHashMap<>();
        ndcg.forEach((model, score) -> scores.put(model, Map.of("nDCG@10", score, "R@5", 0.0)));
        return new SampledQuery(id, List.of("beginning"), stratum, List.of(1234, 1300, 2000), scores, ranks, texts);
    }

    private static List<String> models(Chromium.Tab tab) {
        return tab.texts("[...document.querySelectorAll('#board tbody th')].map(e => e.textContent)");
    }

    /** The values of a column; rows without one come last whichever way it is sorted. */
    private static List<String> values(Chromium.Tab tab, String name) {
        List<String> cells = column(tab, name);
        List<String> values = cells.stream().filter(cell -> !cell.equals("–")).toList();
        assertThat(cells.subList(0, values.size())).isEqualTo(values);
        return values;
    }

    /** The texts of a column without its intervals. */
    private static List<String> column(Chromium.Tab tab, String name) {
        return tab.texts("(() => { const i = [...document.querySelectorAll('#board thead th')].findIndex(e =>"
                + " e.textContent === '" + name
                + "'); return [...document.querySelectorAll('#board tbody tr')].map(r =>"
                + " r.children[i].firstChild?.textContent ?? ''); })()");
    }

    @Test
    void showsTheLeaderboardTheCurvesAndWhereItAllComesFromAndLoadsNothing() throws Exception {
        try (Chromium.Tab tab = tab()) {
            assertThat(tab.text("document.getElementById('summary').textContent"))
                    .startsWith("content: ")
                    .contains(" 3 models on 2 datasets; posbias ");
            assertThat(models(tab)).containsExactlyInAnyOrder("bm25", SHOWN, "colbert");
            assertThat(column(tab, "Query mean")).containsExactly("65.4", "65.4", "65.4");
            assertThat(column(tab, "PSI")).containsExactly("0.667", "0.750", "0.722");
            assertThat(column(tab, "end")).containsExactly("25.0", "25.0", "25.0");
            assertThat(column(tab, "p")).containsOnly("<0.001");
            assertThat(tab.text("document.querySelector('#board td:nth-child(2)').textContent"))
                    .isEqualTo("65.461.0 to 69.0");
            assertThat(tab.text("document.querySelector('.verdict').textContent"))
                    .contains("content", "it is position-blind");
            assertThat(tab.text("document.querySelector('.verdict').title")).contains("it is position-blind");
            assertThat(tab.texts("[...document.querySelectorAll('#verdicts li')].map(e => e.textContent)"))
                    .first()
                    .asString()
                    .contains(": content: it is position-blind");
            assertThat(tab.texts("[...document.querySelectorAll('#notes li')].map(e => e.textContent)"))
                    .anyMatch(note -> note.startsWith("bm25 found nothing for 4 queries"));
            assertThat(tab.evaluate("[...document.querySelectorAll('#curves canvas')].map(c => c.getContext('2d')"
                            + ".getImageData(0, 0, c.width, c.height).data.some(v => v > 0))"))
                    .isEqualTo(List.of(true, true));
            assertThat(tab.text("document.getElementById('sources').textContent"))
                    .containsSubsequence("first 100", "labels:beginning,middle,end", "10,000 draws", "seed 42", "30")
                    .contains("abababababab")
                    .contains("posbias 0.1.0");
            assertThat(tab.text("document.querySelector('pre').textContent"))
                    .startsWith("The MIT License (MIT)\n")
                    .contains("Chart.js Contributors");
            assertThat(tab.problems()).isEmpty();
            assertThat(tab.requests()).containsExactly(page.toUri().toString());
        }
    }

    @Test
    void nothingFromDataRuns() throws Exception {
        String html = Files.readString(page);
        String data = html.substring(html.indexOf("id=\"data\">") + 10);
        assertThat(data.substring(0, data.indexOf("</script>")))
                .contains("onerror=window.hacked")
                .doesNotContainPattern("[<>&\u2028\u2029\u202e]");
        try (Chromium.Tab tab = tab()) {
            tab.evaluate("document.querySelectorAll('#queries tbody button')[1].click()");
            assertThat(tab.text("document.querySelector('.passage p').textContent"))
                    .isEqualTo("… 12 characters left out … x " + PASSAGE.replace(HOSTILE, SHOWN));
            assertThat(tab.text("document.querySelector('mark').textContent"))
                    .isEqualTo("under the " + SHOWN + " bridge");
            assertThat(tab.text("document.querySelector('.passage h4').textContent"))
                    .isEqualTo(SHOWN + " p1");
            assertThat(tab.texts("[...document.querySelectorAll('#models label')].map(e => e.textContent)"))
                    .contains(SHOWN);
            assertThat(tab.evaluate("[typeof window.hacked, document.images.length, document.scripts.length]"))
                    .isEqualTo(List.of("undefined", 0, 3));
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void aBenchmarkWithoutBucketsSaysSo() throws Exception {
        Profile bare = new Profile(
                "nDCG@10", "all", 50, 0.4, null, Psi.undefined("no query says where its evidence is"), List.of());
        List<Result> results = List.of(with(Results.of("bm25", "sparse", "bare", 0.5), List.of(bare)));
        Path file = Files.writeString(
                temp.resolve("bare.html"), ResultPage.render(results, "nDCG@10", sections(List.of())));
        try (Chromium.Tab tab = Objects.requireNonNull(browser).open(file)) {
            assertThat(tab.text("document.querySelector('#curves').textContent"))
                    .startsWith("bare: no evidence positions");
            assertThat(tab.evaluate("document.querySelectorAll('canvas[role=img]').length"))
                    .isEqualTo(0);
            assertThat(tab.problems()).isEmpty();
        }
    }

    /** The second line of defence: what page.js must not do, the policy would not let it do. */
    @Test
    void thePolicyRefusesMarkupProgramsAndRequests() throws Exception {
        try (Chromium.Tab tab = tab()) {
            String refused = "(() => { try { document.body.innerHTML = '<b>'; return 'done'; }"
                    + " catch (e) { return e.name; } })()";
            assertThat(tab.text(refused)).isEqualTo("TypeError");
            tab.evaluate("document.body.append(Object.assign(document.createElement('img'),"
                    + " {src: 'http://127.0.0.1:9/x.png'}))");
            assertThat(tab.text("fetch('http://127.0.0.1:9/').then(() => 'done', e => e.name)"))
                    .isEqualTo("TypeError");
            assertThat(tab.problems()).anyMatch(problem -> problem.contains("img-src"));
            assertThat(tab.problems()).anyMatch(problem -> problem.contains("default-src"));
            assertThat(tab.requests()).containsExactly(page.toUri().toString());
        }
    }

    @Test
    void sortsByEveryColumnBothWays() throws Exception {
        try (Chromium.Tab tab = tab()) {
            tab.choose("dataset", "");
            tab.click("#all-columns");
            List<String> names = tab.texts("[...document.querySelectorAll('#board thead th')].map(e => e.textContent)");
            assertThat(names)
                    .containsExactly(
                            "Model",
                            "Dataset",
                            "Query mean",
                            "PSI",
                            "p",
                            "Verdict",
                            "Corrected",
                            "noise95",
                            "Bucket mean",
                            "Queries",
                            "Family");
            for (int i = 0; i < names.size(); i++) {
                String button = "#board thead th:nth-child(" + (i + 1) + ") button";
                tab.click(button);
                String first = tab.text("document.querySelector('#board th[aria-sort]').ariaSort");
                List<String> one = values(tab, names.get(i));
                tab.click(button);
                String second = tab.text("document.querySelector('#board th[aria-sort]').ariaSort");
                List<String> other = values(tab, names.get(i));
                assertThat(List.of(first, second)).containsExactlyInAnyOrder("ascending", "descending");
                Comparator<String> order = Comparator.comparing((String text) -> text.replaceFirst("^<", ""));
                assertThat(first.equals("ascending") ? one : other)
                        .as(names.get(i))
                        .isSortedAccordingTo(order);
                assertThat(first.equals("ascending") ? other : one)
                        .as(names.get(i))
                        .isSortedAccordingTo(order.reversed());
                assertThat(tab.evaluate("[document.querySelectorAll('#board th[aria-sort]').length,"
                                + " document.activeElement.textContent]"))
                        .isEqualTo(List.of(1, names.get(i)));
            }
            assertThat(tab.text("document.getElementById('sorted').textContent"))
                    .isEqualTo("sorted by Family, descending");
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void filtersByDatasetMeasureStratumAndModel() throws Exception {
        try (Chromium.Tab tab = tab()) {
            tab.choose("measure", "R@5");
            assertThat(column(tab, "PSI")).containsExactly("–", "–", "–");
            assertThat(column(tab, "end")).containsExactly("–", "–", "–");
            assertThat(tab.text("document.querySelector('#board').textContent"))
                    .contains("undefined: all buckets score 0");
            tab.choose("measure", "nDCG@10");
            tab.choose("stratum", "Q1");
            assertThat(models(tab)).containsExactly(SHOWN);
            assertThat(column(tab, "Query mean")).containsExactly("40.0");
            assertThat(tab.texts("[...document.querySelectorAll('#queries tbody button')].map(e => e.textContent)"))
                    .containsExactly("what hunts " + SHOWN);
            tab.choose("dataset", "other");
            assertThat(models(tab)).containsExactly("bm25");
            assertThat(tab.text("document.getElementById('stratum').value")).isEqualTo("all");
            assertThat(tab.text("document.getElementById('queries-hint').textContent"))
                    .contains("1 of 1 query of other")
                    .endsWith("it is not on this machine.");
            tab.choose("dataset", "fineweb-posq");
            tab.click("#models input[value=bm25]");
            assertThat(models(tab)).containsExactly(SHOWN, "colbert");
            assertThat(tab.texts("Chart.getChart(document.querySelector('#curves canvas')).data.datasets"
                            + ".filter(d => d.row).map(d => d.label)"))
                    .containsExactly(SHOWN, "colbert");
            tab.evaluate("document.querySelectorAll('#board tbody tr')[1].dispatchEvent(new Event('mouseenter'))");
            assertThat(tab.texts("Chart.getChart(document.querySelector('#curves canvas')).data.datasets"
                            + ".filter(d => d.row).map(d => d.borderColor)"))
                    .containsExactly("rgba(200, 82, 0,0.15)", "rgb(0, 138, 99)");
            tab.click("#no-models");
            assertThat(tab.text("document.querySelector('#board tbody').textContent"))
                    .isEqualTo("Nothing passes the filters.");
            tab.click("#all-models");
            assertThat(models(tab)).hasSize(3);
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void curvesTellTheirValuesUnderTheMouseAndByArrowKeys() throws Exception {
        try (Chromium.Tab tab = tab()) {
            tab.hover("#curves canvas", 0.5, 0.5);
            assertThat(tab.texts("Chart.getChart(document.querySelector('#curves canvas')).tooltip.body"
                            + ".map(b => b.lines[0])"))
                    .containsExactlyInAnyOrder(
                            "bm25  50.0 [44.0 to 56.0], 80 queries",
                            SHOWN + "  50.0 [44.0 to 56.0], 80 queries",
                            "colbert  50.0 [44.0 to 56.0], 80 queries");
            tab.evaluate("document.querySelector('#curves canvas').focus()");
            tab.press("ArrowRight");
            assertThat(tab.text("document.getElementById('pointed').textContent"))
                    .startsWith("end: bm25  25.0 [0.0 to 75.0], 7 ");
            tab.press("ArrowLeft");
            tab.press("ArrowLeft");
            assertThat(tab.text("document.getElementById('pointed').textContent"))
                    .startsWith("beginning: bm25  75.0 [71.0 to 79.0], 100 ");
            assertThat(tab.text("document.getElementById('bucket-tables').textContent"))
                    .contains("75.071.0 to 79.0n 100");
            tab.click("#intervals");
            assertThat(tab.evaluate("Chart.getChart(document.querySelector('#curves canvas')).data.datasets.length"))
                    .isEqualTo(3);
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void aQueryIsFoundChosenAndShownWithItsRanks() throws Exception {
        try (Chromium.Tab tab = tab()) {
            // On q2 the models differ more.
            assertThat(tab.texts("[...document.querySelectorAll('#queries tbody button')].map(e => e.textContent)"))
                    .containsExactly("what hunts " + SHOWN, "where do foxes sleep");
            String ranks = "[...document.querySelectorAll('#query tbody tr')].map(e => [...e.children].map(c =>"
                    + " c.textContent.trim()).join('|'))";
            assertThat(tab.texts(ranks))
                    .containsExactly("bm25|0.0|not in the top 100", SHOWN + "|100.0|–", "colbert|100.0|1");
            assertThat(tab.text("document.getElementById('query').textContent"))
                    .contains("2 more relevant passages not shown.")
                    .contains("1,234 to 1,300 of 2,000", "63%");
            tab.evaluate("(e => { e.value = 'FOXES'; e.dispatchEvent(new Event('input')); })(document"
                    + ".getElementById('search'))");
            assertThat(tab.text("document.getElementById('found').textContent")).isEqualTo("1 query");
            assertThat(tab.texts(ranks)).containsExactly("bm25|100.0|1", SHOWN + "|63.0|–", "colbert|50.0|3");
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void everythingWorksByKeyboard() throws Exception {
        try (Chromium.Tab tab = tab()) {
            String focus = "(e => e.id || e.value || e.textContent)(document.activeElement)";
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                tab.press("Tab");
                seen.add(tab.text(focus));
            }
            assertThat(seen)
                    .containsExactly(
                            "Skip to the leaderboard",
                            "theme",
                            "dataset",
                            "measure",
                            "stratum",
                            "bm25",
                            SHOWN,
                            "colbert",
                            "all-models",
                            "no-models");
            assertThat(tab.text("getComputedStyle(document.activeElement).outlineStyle"))
                    .isEqualTo("solid");
            tab.evaluate("document.querySelector('#all-columns').click()");
            tab.evaluate("[...document.querySelectorAll('#board thead button')].find(e => e.textContent === 'Bucket"
                    + " mean').focus()");
            tab.press("Enter");
            assertThat(models(tab)).containsExactly(SHOWN, "colbert", "bm25");
            tab.press(" ");
            assertThat(models(tab)).containsExactly("bm25", "colbert", SHOWN);
            assertThat(tab.text(focus)).isEqualTo("Bucket mean");
            tab.evaluate("document.querySelector('#models input').focus()");
            tab.press(" ");
            assertThat(models(tab)).doesNotContain("bm25");
            assertThat(tab.text(focus)).isEqualTo("bm25");
            tab.evaluate("document.querySelectorAll('#queries tbody button')[1].focus()");
            tab.press("Enter");
            assertThat(tab.text("document.querySelector('#query h3').textContent"))
                    .isEqualTo(tab.text(focus));
            assertThat(tab.text("document.querySelector('#queries tr[aria-current]').textContent"))
                    .startsWith(tab.text(focus));
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void isLightOrDarkAsTheSystemIsOrAsChosen() throws Exception {
        try (Chromium.Tab tab = tab()) {
            String colours = "[getComputedStyle(document.body).backgroundColor,"
                    + " Chart.getChart(document.querySelector('#curves canvas')).data.datasets.find(d => d.row)"
                    + ".borderColor, document.getElementById('theme').textContent]";
            List<String> light = List.of("rgb(255, 255, 255)", "rgb(0, 114, 178)", "Dark");
            List<String> dark = List.of("rgb(22, 24, 28)", "rgb(90, 174, 232)", "Light");
            assertThat(tab.texts(colours)).isEqualTo(light);
            tab.colours("dark");
            assertThat(tab.texts(colours)).isEqualTo(dark);
            tab.click("#theme");
            assertThat(tab.texts(colours)).isEqualTo(light);
            tab.click("#theme");
            assertThat(tab.texts(colours)).isEqualTo(dark);
            tab.evaluate("dispatchEvent(new Event('beforeprint'))");
            assertThat(tab.texts(colours)).isEqualTo(light);
            tab.evaluate("dispatchEvent(new Event('afterprint'))");
            assertThat(tab.texts(colours)).isEqualTo(dark);
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void fitsANarrowScreen() throws Exception {
        try (Chromium.Tab tab = tab()) {
            tab.resize(360, 800);
            tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assertThat(tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .isEqualTo(0);
        }
    }

    @Test
    void allColumnsOfTheLeaderboardAreInViewOnAnOrdinaryScreen() throws Exception {
        List<Result> results = new ArrayList<>(results());
        results.add(Results.of("all-minilm-l6-v2+chunked-window-64", "dense", "fineweb-posq", 0.8));
        Path file = Files.writeString(
                temp.resolve("wide.html"), ResultPage.render(results, "nDCG@10", sections(List.of())));
        try (Chromium.Tab tab = Objects.requireNonNull(browser).open(file)) {
            tab.resize(1280, 900);
            String board = "document.querySelector('#leaderboard .scroll')";
            assertThat(tab.text("String(" + board + ".scrollWidth - " + board + ".clientWidth)"))
                    .isEqualTo("0");
        }
    }

    @Test
    void bandsShowWhereAChartHasFewModelsHoweverManyThePageHas() throws Exception {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            results.add(Results.of("model-" + i, "dense", "set-" + i, 0.5));
        }
        assertThat(bandsShown("one-each.html", results)).isEqualTo("true");
        for (int i = 0; i < 7; i++) {
            results.add(Results.of("other-" + i, "dense", "set-0", 0.5));
        }
        assertThat(bandsShown("many.html", results)).isEqualTo("false");
    }

    private static String bandsShown(String name, List<Result> results) throws Exception {
        Path file = Files.writeString(temp.resolve(name), ResultPage.render(results, "nDCG@10", sections(List.of())));
        try (Chromium.Tab tab = Objects.requireNonNull(browser).open(file)) {
            return tab.text("String(document.getElementById('intervals').checked)");
        }
    }

    @Test
    void modelsHaveTheColoursThatTheyHaveInFigures() throws Exception {
        List<Result> results = List.of(Results.of("zeta", "dense", "d", 0.5), Results.of("alpha", "sparse", "d", 0.5));
        Path file = Files.writeString(
                temp.resolve("colours.html"), ResultPage.render(results, "nDCG@10", sections(List.of())));
        try (Chromium.Tab tab = Objects.requireNonNull(browser).open(file)) {
            assertThat(tab.texts("Chart.getChart(document.querySelector('#curves canvas')).data.datasets"
                            + ".filter(d => d.row).map(d => d.label + ' ' + d.borderColor)"))
                    .containsExactlyInAnyOrder("alpha rgb(0, 114, 178)", "zeta rgb(200, 82, 0)");
        }
    }

    /** Twenty buckets in five strata, three measures, long passages: PosIR with everything. */
    @Test
    void tenModelsOnFiveBenchmarksStayFarBelowFiveMegabytes() throws Exception {
        List<Result> results = new ArrayList<>();
        List<Drilldown> drilldowns = new ArrayList<>();
        for (int d = 0; d < 5; d++) {
            for (int m = 0; m < 10; m++) {
                results.add(large("a-model-with-a-long-name-" + m, "posir/eng-Latn/benchmark-" + d));
            }
            drilldowns.add(large("posir/eng-Latn/benchmark-" + d));
        }
        String html = ResultPage.render(results, "nDCG@10", sections(drilldowns));
        Path file = Files.writeString(temp.resolve("large.html"), html);
        assertThat(Files.size(file)).isBetween(1_000_000L, 3_500_000L);
        try (Chromium.Tab tab = Objects.requireNonNull(browser).open(file)) {
            assertThat(models(tab)).hasSize(10);
            tab.choose("dataset", "");
            assertThat(models(tab)).hasSize(50);
            assertThat(tab.evaluate("document.querySelectorAll('#queries tbody tr').length"))
                    .isEqualTo(500);
            assertThat(tab.problems()).isEmpty();
        }
    }

    private static Result large(String model, String dataset) {
        double seed = (model + dataset).hashCode() / 1e10 + 0.3;
        List<Profile> profiles = new ArrayList<>();
        for (String measure : List.of("nDCG@10", "R@100", "RR@10")) {
            for (String stratum : List.of("all", "Q1", "Q2", "Q3", "Q4")) {
                List<BucketMean> buckets = new ArrayList<>();
                for (int b = 0; b < 20; b++) {
                    double mean = seed + b / 97.0;
                    Interval interval = new Interval(mean - 1 / 77.0, mean + 1 / 77.0);
                    buckets.add(new BucketMean(5 * b + "-" + 5 * (b + 1) + "%", 500, mean, false, interval, interval));
                }
                Interval interval = new Interval(seed, seed + 1 / 3.0);
                Psi psi = new Psi(seed, null, interval, seed / 3, 1 / 3.0, new Psi.Noise(1 / 7.0, 1 / 13.0));
                profiles.add(new Profile(
                        measure, stratum, 9000, 1800, 1700.0, seed, interval, seed, interval, psi, buckets, null, null,
                        null, null, List.of()));
            }
        }
        return with(Results.of(model, "dense", dataset, 0.5), profiles);
    }

    private static Drilldown large(String dataset) {
        List<SampledQuery> sample = new ArrayList<>();
        String passage = "Words of a passage that goes on. ".repeat(300);
        for (int q = 0; q < 100; q++) {
            String id = dataset + "-query-" + q;
            Map<String, Map<String, Double>> scores = new LinkedHashMap<>();
            Map<String, Integer> ranks = new LinkedHashMap<>();
            for (int m = 0; m < 10; m++) {
                String model = "a-model-with-a-long-name-" + m;
                scores.put(
                        model,
                        Map.of(
                                "nDCG@10",
                                PageData.rounded(1 / (q + 3.7)),
                                "R@100",
                                1.0,
                                "RR@10",
                                PageData.rounded(1 / (q + 3.0))));
                ranks.put(model, q + 1);
            }
            QueryTexts.Gold gold = new QueryTexts.Gold(
                    "passage-" + q, Excerpt.of("A title", null, 200), Excerpt.of(passage, new Span(4000, 4100), 1500));
            QueryTexts texts = new QueryTexts(Excerpt.of("a question of some length?", null, 500), List.of(gold), 0);
            sample.add(new SampledQuery(id, List.of("0-5%"), "Q1", null, scores, ranks, texts));
        }
        return new Drilldown(dataset, 9000, null, sample);
    }

    /** A browser takes a return as a line feed, and the digest in the policy would be another. */
    @Test
    void whatIsInlinedIsLeftAsItIs() {
        ChartLibrary chart = ChartLibrary.read();
        assertThat(chart.source()).contains("Chart.js v" + chart.version()).doesNotContain("sourceMappingURL");
        String html = ResultPage.render(results(), "nDCG@10", sections(List.of()));
        assertThat(html).doesNotContain("\r").contains(chart.source());
        assertThat(Pattern.compile("</script>").matcher(html).results().count()).isEqualTo(3);
        assertThat(Arrays.asList("{{policy}}", "{{data}}", "{{chart}}")).noneMatch(html::contains);
    }
}
