package io.posbias.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.cli.Cli;
import io.posbias.cli.SyntheticCell;
import io.posbias.report.Results;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.score.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page of results with their queries: tests between models, and losses over benchmarks. */
class TestedPageTest {
    private static final int BUCKETS = 4;

    @TempDir
    static Path temp;

    private static @Nullable Chromium browser;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        browser = Chromium.start(Files.createDirectory(temp.resolve("profile")));
        for (int benchmark = 0; benchmark < 3; benchmark++) {
            cell("steady", benchmark, 0.8, 0);
            cell("alike", benchmark, 0.801, 0);
            cell("falling", benchmark, 0.8, 0.3);
            cell("low", benchmark, 0.3, 0.3);
        }
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    /** A model whose mean falls in the last bucket. */
    private static void cell(String model, int benchmark, double level, double loss) throws IOException {
        SyntheticCell cell = new SyntheticCell(400);
        cell.model = model;
        cell.dataset = "set" + benchmark;
        cell.idPrefix = "b" + benchmark + "-";
        cell.buckets = BUCKETS;
        cell.write(temp.resolve("results").resolve(model).resolve(cell.dataset), query -> {
            double noise = new SplittableRandom(1000L * (benchmark + 10 * model.length()) + query).nextDouble();
            return Math.clamp(level * (query % BUCKETS == BUCKETS - 1 ? 1 - loss : 1) + 0.2 * (noise - 0.5), 0, 1);
        });
    }

    private static Path page(String more) {
        Path file = temp.resolve("page" + more.length() + ".html");
        Cli.run("report page", temp.resolve("results"), "--output", file, more).ok();
        return file;
    }

    /** The models whose cell of a column has a class. */
    private static List<String> marked(Chromium.Tab tab, String column, String mark) {
        return tab.texts("(() => { const i = [...document.querySelectorAll('#board thead th')].findIndex(e =>"
                + " e.textContent === '" + column
                + "'); return [...document.querySelectorAll('#board tbody tr')].filter(r =>"
                + " r.children[i].classList.contains('" + mark
                + "')).map(r => r.children[0].textContent).sort(); })()");
    }

    @Test
    void boldModelsAreThoseThanWhichNoneIsBetter() throws Exception {
        try (Chromium.Tab tab = browser().open(page("--dataset set0"))) {
            assertThat(marked(tab, "Query mean", "best")).containsExactly("alike", "steady");
            assertThat(marked(tab, "Query mean", "second")).containsExactly("falling");
            assertThat(marked(tab, "0-25%", "best")).containsExactly("alike", "falling", "steady");
            assertThat(marked(tab, "PSI", "best")).containsExactly("alike", "steady");
            assertThat(tab.text("document.getElementById('leaderboard-hint').textContent"))
                    .contains("no model shown is better", "Holm p < 0.05");
            assertThat(tab.evaluate("document.getElementById('losses').hidden")).isEqualTo(true);
            // Of the models that are left, falling is the best.
            for (String model : List.of("alike", "steady")) {
                tab.evaluate("document.querySelector('#models input[value=" + model + "]').click()");
            }
            assertThat(marked(tab, "Query mean", "best")).containsExactly("falling");
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void aRowHasItsStripAndItsNumbersAsText() throws Exception {
        Result result = Results.truncated(Results.of("mini", "dense", "demo", 1.0), true, 0, 40, 7);
        ResultPage.Sections sections = new ResultPage.Sections(
                List.of(),
                List.of(),
                new PairwiseTests(List.of(), PairwiseTests.Shown.NOTHING, 1),
                null,
                "The same evidence loses 3%.");
        Path file =
                Files.writeString(temp.resolve("strip.html"), ResultPage.render(List.of(result), "nDCG@10", sections));
        try (Chromium.Tab tab = browser().open(file)) {
            // One model has no point to compare, and what chooses the rows follows them on a narrow screen.
            assertThat(tab.evaluate("document.querySelectorAll('#curves canvas').length"))
                    .isEqualTo(1);
            assertThat(tab.texts("[document.querySelector('#lead').textContent,"
                            + " document.querySelector('#filters').nextElementSibling.tagName]"))
                    .containsExactly("The same evidence loses 3%.", "MAIN");
            tab.resize(400, 900);
            assertThat(tab.evaluate("document.querySelector('#leaderboard').nextElementSibling.id"))
                    .isEqualTo("filters");
            String cells = "[...document.querySelectorAll('#board tbody th .strip span')]";
            assertThat(tab.texts(cells + ".map(e => getComputedStyle(e).backgroundColor)"))
                    .containsExactly("rgb(253, 231, 37)", "rgb(33, 144, 141)", "rgb(59, 81, 139)");
            assertThat(tab.texts(cells + ".map(e => Math.round(100 * parseFloat(getComputedStyle(e, '::after').width)"
                            + " / e.getBoundingClientRect().width))"))
                    .containsExactly("0", "50", "100");
            assertThat(tab.text("document.querySelector('#board tbody tr').textContent"))
                    .contains("beginning: 100.0, middle: 50.0 (50% not read), end: 25.0 (100% not read)");
            assertThat(tab.text("document.getElementById('notes').textContent")).contains("hatched");
            assertThat(tab.evaluate("document.documentElement.scrollWidth <= 400"))
                    .isEqualTo(true);
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void lossesOverBenchmarks() throws Exception {
        try (Chromium.Tab tab = browser().open(page("--over-benchmarks"))) {
            assertThat(tab.texts("[...document.querySelectorAll('#loss-table tbody th')].map(e => e.textContent)"))
                    .containsExactlyInAnyOrder("steady", "alike", "falling", "low");
            assertThat(tab.texts("[...document.querySelectorAll('#loss-table tbody tr')].filter(r =>"
                            + " r.children[0].textContent === 'steady').map(r => r.children[4].textContent)"))
                    .containsExactly("falling, low");
            assertThat(tab.texts("[...document.querySelectorAll('#loss-table tbody tr')].filter(r =>"
                            + " r.children[0].textContent === 'falling').map(r => r.children[2].textContent)"))
                    .singleElement()
                    .asString()
                    .matches("(29|30|31)\\.\\d\u00a0%.* to .*");
            assertThat(tab.evaluate("document.querySelectorAll('#loss-benchmarks tbody tr').length"))
                    .isEqualTo(12);
            assertThat(tab.evaluate("(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v"
                            + " > 0))(document.querySelector('#forest canvas'))"))
                    .isEqualTo(true);
            assertThat(tab.problems()).isEmpty();
        }
    }

    private static Chromium browser() {
        if (browser == null) {
            throw new IllegalStateException("not started");
        }
        return browser;
    }
}
