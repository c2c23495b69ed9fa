package io.posbias.report.plot;

import io.posbias.PosbiasException;
import io.posbias.Staging;
import io.posbias.report.Families;
import io.posbias.report.Result;
import java.awt.font.FontRenderContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Draws results: for each benchmark position curves, bars, PSI, a heat map, where evidence lies; as SVG and PNG. */
public final class Plots {
    private static final String HEADLESS = "java.awt.headless";

    private Plots() {}

    /**
     * Draws results and writes the pictures into a folder, all of them or none. Older pictures of the same names are
     * replaced. The bytes are the same again on a machine with the same fonts and Java.
     *
     * @param results those without the measure are left out
     * @param measure which measure to draw
     * @param queries the queries.csv of each result that has one
     * @param folder made when it is absent
     * @return the files written; empty when the results hold nothing that can be drawn
     * @throws PosbiasException if the folder cannot be written to, a queries.csv cannot be read, or Java finds no fonts
     */
    public static List<Path> write(List<Result> results, String measure, Map<Result, Path> queries, Path folder) {
        return write(figures(results, measure, queries), folder);
    }

    /**
     * Writes figures, all of them or none.
     *
     * @param figures by their files' names, without the ending
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    static List<Path> write(Map<String, Figure> figures, Path folder) {
        if (figures.isEmpty()) {
            return List.of();
        }
        requireFonts();
        List<String> names = new ArrayList<>();
        try (Staging staging = Staging.within(folder)) {
            figures.forEach((name, figure) -> {
                Pictures.writeSvg(figure, staging.folder().resolve(name + ".svg"));
                Pictures.writePng(figure, staging.folder().resolve(name + ".png"));
                names.add(name + ".svg");
                names.add(name + ".png");
            });
            staging.commitFiles(names.getLast());
        }
        return names.stream().map(folder::resolve).toList();
    }

    /** The figures by their files' names, without the ending. */
    static Map<String, Figure> figures(List<Result> results, String measure, Map<Result, Path> queries) {
        Map<String, List<Result>> byDataset = new LinkedHashMap<>();
        results.stream()
                .filter(result -> result.measures().contains(measure))
                .forEach(result -> byDataset
                        .computeIfAbsent(result.dataset(), name -> new ArrayList<>())
                        .add(result));
        Map<String, Figure> figures = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        byDataset.forEach((dataset, same) -> {
            String file = fileName(dataset, taken);
            Cells cells = new Cells(dataset, measure, inOrder(same));
            draw(cells, queries).forEach(figure -> figures.put(figure.name() + "-" + file, figure));
        });
        return figures;
    }

    /** Models as tables list them: family by family. */
    private static List<Result> inOrder(List<Result> results) {
        return Families.group(results).values().stream().flatMap(List::stream).toList();
    }

    private static List<Figure> draw(Cells cells, Map<Result, Path> queries) {
        return Stream.of(
                        PositionCurves.of(cells),
                        BucketBars.of(cells),
                        PsiScatter.of(cells),
                        LengthHeatMap.of(cells),
                        EvidenceHistogram.of(cells, queries))
                .filter(Objects::nonNull)
                .toList();
    }

    /** A benchmark's name as part of a file's: "posir/eng-Latn" is posir-eng-Latn. Names that fall together get a number. */
    private static String fileName(String dataset, Set<String> taken) {
        String safe = dataset.replaceAll("[^\\p{L}\\p{N}._-]", "-");
        String name = safe;
        // Some file systems do not tell capitals from small letters.
        for (int number = 2; !taken.add(name.toLowerCase(Locale.ROOT)); number++) {
            name = safe + "-" + number;
        }
        return name;
    }

    /** Java without a single font fails in the middle of a drawing, with an error that says nothing. */
    private static void requireFonts() {
        if (System.getProperty(HEADLESS) == null) {
            System.setProperty(HEADLESS, "true");
        }
        try {
            Style.TEXT.getStringBounds("x", new FontRenderContext(null, true, true));
        } catch (RuntimeException | Error noFonts) {
            throw new PosbiasException(
                    "--plots: Java finds no fonts on this machine; install fontconfig and a font, such as DejaVu",
                    noFonts);
        }
    }
}
