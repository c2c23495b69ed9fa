package io.posbias.report.plot;

import static io.posbias.report.plot.Cases.MEASURE;
import static io.posbias.report.plot.Cases.bare;
import static io.posbias.report.plot.Cases.bucket;
import static io.posbias.report.plot.Cases.empty;
import static io.posbias.report.plot.Cases.profile;
import static io.posbias.report.plot.Cases.result;
import static io.posbias.report.plot.Cases.thin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.posbias.base.plot.ColourScale;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Panel;
import io.posbias.base.plot.Pictures;
import io.posbias.base.plot.Style;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Interval;
import io.posbias.report.Results;
import io.posbias.report.leaderboard.Layout;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.Result;
import io.posbias.score.result.Retrieval;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.jfree.chart.LegendItem;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.IntervalXYDataset;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotsTest {
    @TempDir
    Path temp;

    private static Figure figure(String name, Result... results) {
        return Objects.requireNonNull(Plots.figures(List.of(results), MEASURE).get(name), name);
    }

    private static XYPlot plot(Figure figure, int panel) {
        return figure.panels().get(panel).plot();
    }

    private Document svg(Figure figure) throws Exception {
        Path file = temp.resolve("figure.svg");
        Pictures.write(figure, Pictures.Format.SVG, Figure.Frame.USUAL, file);
        return DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(file.toFile());
    }

    private static List<Element> elements(Document document, String name) {
        NodeList nodes = document.getElementsByTagNameNS("http://www.w3.org/2000/svg", name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private List<String> texts(Figure figure) throws Exception {
        return elements(svg(figure), "text").stream()
                .map(Element::getTextContent)
                .toList();
    }

    /** The points of all series, as "x=y" in points, a list for each series. */
    private static List<List<String>> series(XYDataset dataset) {
        List<List<String>> series = new ArrayList<>();
        for (int s = 0; s < dataset.getSeriesCount(); s++) {
            List<String> points = new ArrayList<>();
            for (int i = 0; i < dataset.getItemCount(s); i++) {
                points.add(dataset.getXValue(s, i) + "=" + Math.round(dataset.getYValue(s, i)));
            }
            series.add(points);
        }
        return series;
    }

    @Test
    void everyDatasetGetsItsFilesUnderNamesThatAreSafeAndDiffer() throws IOException {
        Profile all = profile("all", bucket(0.5), bucket(0.4));
        Profile band = profile("Q1", bucket(0.5), bucket(0.4));
        List<Path> files = Pictures.write(
                Plots.figures(
                        List.of(
                                result("m", "dense", "posir/eng-Latn", "relative:2 by tokens:512", all, band),
                                result("m", "posir-eng-latn", all)),
                        MEASURE),
                Pictures.Form.USUAL,
                temp.resolve("made/here"),
                Sessions.shared());
        List<String> names =
                files.stream().map(file -> file.getFileName().toString()).toList();
        assertThat(names)
                .containsExactly(
                        "position-posir-eng-Latn.svg",
                        "position-posir-eng-Latn.png",
                        "strip-posir-eng-Latn.svg",
                        "strip-posir-eng-Latn.png",
                        "psi-posir-eng-Latn.svg",
                        "psi-posir-eng-Latn.png",
                        "position-posir-eng-latn-2.svg",
                        "position-posir-eng-latn-2.png",
                        "strip-posir-eng-latn-2.svg",
                        "strip-posir-eng-latn-2.png",
                        "psi-posir-eng-latn-2.svg",
                        "psi-posir-eng-latn-2.png");
        try (Stream<Path> found = Files.list(temp.resolve("made/here"))) {
            assertThat(found.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void textOfSvgIsTextAndNamesAreEscaped() throws Exception {
        Result result = result("<script>alert(1)</script> & \u0001", "d", profile("all", bucket(0.5), bucket(0.4)));
        Figure figure = figure("position-d", result);
        assertThat(String.join("", texts(figure))).endsWith(figure.note());
        assertThat(figure.note()).contains("95% intervals", "noise95: 95th percentile");
        assertThat(texts(figure))
                .contains(
                        "<script>alert(1)</script> & \\u0001",
                        "d: nDCG@10 by position of the evidence",
                        "PSI 0.250, noise95 0.100",
                        "position of the evidence (% of the passage)",
                        "nDCG@10 (points)",
                        "0",
                        "50",
                        "100");
        Document document = svg(figure);
        assertThat(elements(document, "script")).isEmpty();
        assertThat(elements(document, "title").getFirst().getTextContent()).isEqualTo(figure.title());
        assertThat(document.getDoctype()).isNull();
        assertThat(elements(document, "clipPath"))
                .isNotEmpty()
                .allMatch(clip -> clip.getAttribute("id").startsWith("figure-"));
        Dimension size = figure.size(Figure.Frame.USUAL);
        assertThat(document.getDocumentElement().getAttribute("viewBox"))
                .isEqualTo("0 0 " + size.width + " " + size.height);
    }

    @Test
    void nothingIsDrawnAcrossEmptyBuckets() {
        Figure figure = figure(
                "position-d",
                result(
                        "m",
                        "d",
                        profile("all", bucket(0.5), bucket(0.4), empty(), bucket(0.7), empty(), bare(0.6), bare(0.2))));
        XYPlot plot = plot(figure, 0);
        assertThat(series(plot.getDataset(0))).containsExactly(List.of("0.5=50", "1.5=40"));
        assertThat(series(plot.getDataset(1))).containsExactly(List.of("3.5=70"));
        assertThat(series(plot.getDataset(2)))
                .containsExactly(
                        List.of("0.5=50", "1.5=40"),
                        List.of("3.5=70"),
                        List.of("5.5=60", "6.5=20"),
                        List.of("0.5=50", "1.5=40", "3.5=70", "5.5=60", "6.5=20"),
                        List.of());
        IntervalXYDataset bands = (IntervalXYDataset) plot.getDataset(0);
        assertThat(bands.getStartYValue(0, 1)).isEqualTo(30, offset(1e-9));
        assertThat(bands.getEndYValue(0, 1)).isEqualTo(50, offset(1e-9));
        assertThat(figure.note()).startsWith("Bands: ").contains("Gaps: no queries.");
    }

    @Test
    void bandsReachThePicture() throws Exception {
        Result with = result("m", "d", profile("all", bucket(0.5), bucket(0.4)));
        Result without = result("m", "d", profile("all", bare(0.5), bare(0.4)));
        assertThat(bands(with)).isEqualTo(1);
        assertThat(bands(without)).isZero();
        assertThat(figure("position-d", without).note()).doesNotContain("Bands");
    }

    private long bands(Result result) throws Exception {
        return elements(svg(figure("position-d", result)), "path").stream()
                .filter(path -> path.getAttribute("opacity").equals("0.15"))
                .count();
    }

    @Test
    void thinBucketsAreHollow() {
        Result result = result("m", "d", profile("all", bucket(0.5), thin(0.4), empty()));
        Figure curves = figure("position-d", result);
        XYLineAndShapeRenderer points = (XYLineAndShapeRenderer) plot(curves, 0).getRenderer(2);
        assertThat(series(plot(curves, 0).getDataset(2)).subList(1, 3))
                .containsExactly(List.of("0.5=50"), List.of("1.5=40"));
        assertThat(points.getSeriesFillPaint(1)).isNotEqualTo(Color.WHITE);
        assertThat(points.getSeriesFillPaint(2)).isEqualTo(Color.WHITE);
        assertThat(curves.note()).contains("Hollow: fewer than 30 queries.");
    }

    @Test
    void bandsOfLengthAreLinesOfTheirOwn() {
        Result result = result(
                "m",
                "dense",
                "d",
                "relative:2 by tokens:512",
                profile("all", bucket(0.5), bucket(0.4)),
                profile("Q1", bucket(0.8), thin(0.6)),
                profile("Q2", bucket(0.3), empty()));
        Figure curves = figure("position-d", result);
        assertThat(curves.legend().stream().map(item -> item.getLabel())).containsExactly("Q1", "Q2");
        assertThat(series(plot(curves, 0).getDataset(2)))
                .containsExactly(
                        List.of("0.5=80", "1.5=60"),
                        List.of("0.5=80"),
                        List.of("1.5=60"),
                        List.of("0.5=30"),
                        List.of("0.5=30"),
                        List.of());
        assertThat(curves.note()).contains("Q1 to Q2: ", "512 tokens");
    }

    @Test
    void colourOfAMeanIsViridis() {
        ColourScale colours = new ColourScale(20, 60, false);
        assertThat(colours.getPaint(20)).isEqualTo(new Color(68, 1, 84));
        assertThat(colours.getPaint(40)).isEqualTo(new Color(33, 144, 141));
        assertThat(colours.getPaint(99)).isEqualTo(new Color(253, 231, 37));
        assertThat(colours.getPaint(22.5)).isEqualTo(new Color(70, 23, 103));
        assertThat(colours.ink(30)).isEqualTo(Color.WHITE);
        assertThat(colours.ink(50)).isEqualTo(Color.BLACK);
    }

    @Test
    void psiIsDrawnAgainstTheMeanThatMostResultsHave() {
        Psi beyond = new Psi(0.3, null, new Interval(0.1, 0.5), 0.25, 0.001, new Psi.Noise(0.05, 0.1));
        Psi within = new Psi(0.08, null, new Interval(0, 0.2), 0.0, 0.6, new Psi.Noise(0.05, 0.1));
        Figure figure = figure(
                "psi-d",
                result("a", "reranker", 0.6, beyond),
                result("b", "sparse", 0.7, within),
                result("c", "dense", 0.8, Psi.undefined("all buckets score 0")));
        XYPlot plot = plot(figure, 0);
        assertThat(figure.xTitle()).isEqualTo("nDCG@10 (points), mean over queries");
        assertThat(figure.legend().stream().map(item -> item.getLabel())).containsExactly("b", "a");
        IntervalXYDataset points = (IntervalXYDataset) plot.getDataset();
        assertThat(points.getXValue(0, 0)).isEqualTo(70);
        assertThat(points.getYValue(1, 0)).isEqualTo(0.3);
        assertThat(points.getEndYValue(1, 0)).isEqualTo(0.5);
        XYErrorRenderer renderer = (XYErrorRenderer) plot.getRenderer();
        assertThat(renderer.getSeriesFillPaint(0)).isEqualTo(Color.WHITE);
        assertThat(renderer.getSeriesFillPaint(1)).isNotEqualTo(Color.WHITE);
        assertThat(figure.note()).contains("Not drawn", "PSI is undefined", ": c.");
    }

    @Test
    void manyModelsStandInAGridAndFewInARow() {
        List<Result> published = Layout.find("table1").published(List.of());
        Map<String, Figure> figures = Plots.figures(published, "nDCG_tieavg@10");
        assertThat(figures.keySet())
                .hasSize(3 * 4)
                .contains(
                        "position-squad-posq",
                        "psi-squad-posq",
                        "position-squad-posq-tiny",
                        "position-fineweb-posq",
                        "psi-fineweb-posq-tiny");
        Figure position = Objects.requireNonNull(figures.get("position-squad-posq"));
        long models = published.stream()
                .filter(result -> result.dataset().equals("squad-posq"))
                .count();
        assertThat(position.panels()).hasSize((int) models);
        assertThat(position.columns()).isEqualTo(3);
        assertThat(position.panels().getFirst().title()).isEqualTo("BM25*");
        assertThat(position.note()).isEqualTo("* as published.");
        assertThat(position.yTitle()).endsWith(" (points, not from 0)");
        assertThat(Figure.columnsFor(3)).isEqualTo(3);
    }

    /** As Figure 3 of the SQuAD-PosQ paper: what a model has on a benchmark and on its tiny subset, side by side. */
    @Test
    void aModelIsDrawnOnABenchmarkAndOnItsSubset() {
        Figure figure = figure(
                "subset-d",
                result("both", "d", profile("all", bucket(0.5), bucket(0.4))),
                result("both", "d-tiny", profile("all", bucket(0.6), bucket(0.3))),
                result("whole", "d", profile("all", bucket(0.5), bucket(0.4))),
                result("tiny", "d-tiny", profile("all", bucket(0.5), bucket(0.4))));
        assertThat(figure.panels().stream().map(Panel::title)).containsExactly("both");
        assertThat(figure.legend().stream().map(LegendItem::getLabel)).containsExactly("d", "d-tiny");
        assertThat(series(plot(figure, 0).getDataset(2)))
                .contains(List.of("0.5=50", "1.5=40"), List.of("0.5=60", "1.5=30"));
        assertThat(Plots.figures(List.of(result("whole", "d", profile("all", bucket(0.5), bucket(0.4)))), MEASURE))
                .doesNotContainKey("subset-d");
    }

    @Test
    void resultsWithOtherBucketsAreNamedAndNotDrawn() {
        Figure figure = figure(
                "position-d",
                result("two", "d", profile("all", bucket(0.5), bucket(0.4))),
                result("three", "d", profile("all", bucket(0.5), bucket(0.4), bucket(0.3))));
        assertThat(figure.panels().stream().map(Panel::title)).containsExactly("two");
        assertThat(figure.note()).contains("Not drawn", "other buckets", ": three.");
    }

    @Test
    void evidenceThatAModelNeverSawIsTold() {
        Result whole = result("m", "d", profile("all", bucket(0.5), bucket(0.4)));
        Truncation cut = new Truncation("m", 256, "passages", 9, 5, 0, true, 7, 8, List.of());
        Result blind = new Result(
                whole.model(),
                whole.family(),
                whole.dataset(),
                whole.queries(),
                whole.profiles(),
                new Retrieval(List.of(cut), null, Map.of(), Map.of()),
                new Provenance(
                        whole.settings(),
                        new LinkedHashMap<>(),
                        "",
                        Map.of(),
                        List.of(),
                        null,
                        Map.of(),
                        Map.of(),
                        Map.of()));
        String told = "Evidence truncated and never seen: m (7 of 200 queries).";
        assertThat(figure("position-d", blind).note()).contains(told);
        assertThat(figure("psi-d", blind).note()).contains(told);
        assertThat(figure("position-d", whole).note()).doesNotContain("never seen");
    }

    @Test
    void pngHasTheSizeOfTheFigureAndIsNotBlank() throws IOException {
        Figure figure = figure("position-d", result("m", "d", profile("all", bucket(0.5), bucket(0.4))));
        Path file = temp.resolve("figure.png");
        Pictures.write(figure, Pictures.Format.PNG, Figure.Frame.USUAL, file);
        BufferedImage image = Objects.requireNonNull(ImageIO.read(file.toFile()));
        assertThat(image.getWidth()).isEqualTo(3 * Figure.WIDTH);
        assertThat(image.getHeight()).isEqualTo(3 * figure.size(Figure.Frame.USUAL).height);
        Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x++) {
            colours.add(image.getRGB(x, image.getHeight() / 2));
        }
        assertThat(colours).contains(Color.WHITE.getRGB()).hasSizeGreaterThan(1);
    }

    @Test
    void theSameResultsGiveTheSameBytes() {
        List<Result> results = List.of(
                Results.of("bm25", "sparse", "demo", 0.8),
                Results.of("minilm", "dense", "demo", 0.7),
                result(
                        "m",
                        "dense",
                        "d",
                        "relative:2 by tokens:512",
                        profile("all", bucket(0.5), bucket(0.4)),
                        profile("Q1", bucket(0.8), thin(0.6))));
        List<Path> first = Pictures.write(
                Plots.figures(results, MEASURE), Pictures.Form.USUAL, temp.resolve("first"), Sessions.shared());
        List<Path> second = Pictures.write(
                Plots.figures(results, MEASURE), Pictures.Form.USUAL, temp.resolve("second"), Sessions.shared());
        assertThat(first).hasSize(12).hasSameSizeAs(second);
        for (int i = 0; i < first.size(); i++) {
            assertThat(second.get(i)).hasSameBinaryContentAs(first.get(i));
        }
        List<Path> over = Pictures.write(
                Plots.figures(results, MEASURE), Pictures.Form.USUAL, temp.resolve("first"), Sessions.shared());
        assertThat(over).isEqualTo(first);
    }

    @Test
    void aStripHasACellForEachPlaceHatchedWhereItIsNotRead() throws Exception {
        Result whole = result("m", "d", profile("all", bucket(0.9), bucket(0.4), empty(), bare(0.2)));
        Figure read = figure("strip-d", whole);
        assertThat(read.legend()).isEmpty();
        assertThat(hatches(read)).isEmpty();
        assertThat(texts(read)).contains("m", "90.0", "40.0", "-", "20.0", "0", "25", "50", "75", "100");
        assertThat(read.xTitle()).isEqualTo("position of the evidence (% of the passage)");
        Figure unread = figure("strip-d", Results.truncated(whole, true, 10, 50, 0, 0));
        assertThat(unread.legend()).hasSize(1);
        List<Double> widths = hatches(unread);
        assertThat(widths).hasSize(2);
        assertThat(widths.getFirst() / widths.getLast()).isEqualTo(0.2, offset(1e-3));
        assertThat(texts(unread)).contains("m", "90.0", "40.0", "-");
    }

    @Test
    void theStripsOfMostModelsAreDrawnAndTheOthersNamed() throws Exception {
        Result buckets = result("buckets", "d", profile("all", bucket(0.9), bucket(0.4)));
        List<ContentFixed.Place> places = List.of(
                new ContentFixed.Place(1, 0.8, null, 0.0),
                new ContentFixed.Place(2, 0.3, null, 0.75),
                new ContentFixed.Place(3, 0.2, null, null));
        Result moved = Results.withPlaces(result("moved", "d", profile("all", bucket(0.9), bucket(0.4))), places);
        Figure tied = figure("strip-d", buckets, moved);
        assertThat(texts(tied)).contains("moved", "80.0", "1", "2", "3").doesNotContain("buckets");
        assertThat(tied.note()).contains("Not drawn", ": buckets.");
        assertThat(hatches(tied)).hasSize(1);
        Figure most = figure("strip-d", buckets, moved, result("two", "d", profile("all", bucket(0.5), bucket(0.4))));
        assertThat(texts(most)).contains("buckets", "two", "90.0").doesNotContain("moved");
        Result none = result("none", "dense", "d", "relative:2", profile("all"));
        assertThat(Plots.figures(List.of(none), MEASURE)).doesNotContainKey("strip-d");
    }

    /** Widths of hatched boxes, without the legend's: paths of many lines. */
    private List<Double> hatches(Figure figure) throws Exception {
        return elements(svg(figure), "path").stream()
                .map(path -> path.getAttribute("d"))
                .filter(line -> line.split("M", -1).length > 5)
                .map(line -> Pattern.compile("[ML]\\s*(-?[\\d.]+)")
                        .matcher(line)
                        .results()
                        .mapToDouble(point -> Double.parseDouble(point.group(1)))
                        .summaryStatistics())
                .map(across -> across.getMax() - across.getMin())
                .filter(width -> width > 10)
                .toList();
    }

    @Test
    void aMeasureWithoutPsiStillHasItsCurves() {
        Map<String, Figure> figures = Plots.figures(List.of(Results.of("bm25", "sparse", "demo", 0.8)), "R@5");
        assertThat(figures.keySet()).containsExactly("position-demo", "strip-demo");
        assertThat(Objects.requireNonNull(figures.get("position-demo"))
                        .panels()
                        .getFirst()
                        .subtitle())
                .isEqualTo("PSI undefined");
        assertThat(Plots.figures(List.of(Results.of("bm25", "sparse", "demo", 0.8)), "P@5"))
                .isEmpty();
    }

    @Test
    void aModelHasOneColourInAllFigures() {
        Map<String, Figure> figures = Plots.figures(
                List.of(
                        Results.of("alpha", "sparse", "d", 0.5),
                        Results.of("beta", "dense", "d", 0.6),
                        Results.of("beta", "dense", "other", 0.6)),
                MEASURE);
        Color beta = Style.line(1).colour();
        for (String dataset : List.of("d", "other")) {
            Figure curves = Objects.requireNonNull(figures.get("position-" + dataset));
            XYPlot plot = curves.panels().getLast().plot();
            assertThat(plot.getRenderer(2).getSeriesPaint(0)).isEqualTo(beta);
        }
    }

    @Test
    void aFigureForOneColumnHasItsSizeAndFewerPanelsBesideEachOther() throws Exception {
        Figure figure = figure(
                "position-d",
                Results.of("alpha", "sparse", "d", 0.5),
                Results.of("beta", "dense", "d", 0.6),
                Results.of("gamma", "dense", "d", 0.7));
        Figure.Frame narrow = new Figure.Frame(320, null, false);
        assertThat(figure.size(narrow).width).isEqualTo(320);
        assertThat(figure.size(narrow).height).isGreaterThan(figure.size(Figure.Frame.USUAL).height);
        Figure.Frame square = new Figure.Frame(320, 320, false);
        assertThat(figure.size(square)).isEqualTo(new Dimension(320, 320));
        Path file = temp.resolve("narrow.svg");
        Pictures.write(figure, Pictures.Format.SVG, narrow, file);
        assertThat(Files.readString(file))
                .contains("viewBox=\"0 0 320 ")
                .contains(">gamma<")
                .doesNotContain(">" + figure.title() + "</text");
        assertThatThrownBy(() -> figure.size(new Figure.Frame(320, 100, false)))
                .isInstanceOf(UsageException.class)
                .hasMessageMatching("position does not fit.* \\d\\.\\d inches.*");
    }

    @Test
    void pdfIsOnePageOfTheFiguresSizeAndTheSameEachTime() throws IOException {
        Figure figure = figure("position-d", result("m \u6a21", "d", profile("all", bucket(0.5), bucket(0.4))));
        Path first = temp.resolve("first.pdf");
        Path second = temp.resolve("second.pdf");
        Pictures.write(figure, Pictures.Format.PDF, new Figure.Frame(384, 288, true), first);
        Pictures.write(figure, Pictures.Format.PDF, new Figure.Frame(384, 288, true), second);
        assertThat(second).hasSameBinaryContentAs(first);
        try (PDDocument document = Loader.loadPDF(first.toFile())) {
            assertThat(document.getNumberOfPages()).isEqualTo(1);
            assertThat(document.getPage(0).getMediaBox().getWidth()).isEqualTo(4 * 72);
            assertThat(document.getPage(0).getMediaBox().getHeight()).isEqualTo(3 * 72);
            BufferedImage image = new PDFRenderer(document).renderImageWithDPI(0, 96);
            Set<Integer> colours = new HashSet<>();
            for (int colour : image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth())) {
                colours.add(colour & 0xFFFFFF);
            }
            assertThat(colours).contains(0xFFFFFF, Style.line(0).colour().getRGB() & 0xFFFFFF);
        }
    }
}
