package io.posbias.cli;

import io.posbias.base.process.Session;
import io.posbias.cli.common.BaseCommand;
import io.posbias.report.leaderboard.Layout;
import io.posbias.score.measure.Measures;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Results that a report is about. */
class ReportResultOptions {
    static final String NONE = "give result.json files or folders with some";

    @Parameters(
            paramLabel = "RESULT",
            arity = "0..*",
            description = "Results: result.json files, or folders to search.")
    private List<Path> inputs = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Datasets: names or patterns, for example 'posir/*' (* does not match /).")
    private List<String> datasets = List.of();

    List<StoredCell> read(Session session) {
        List<StoredCell> cells = cells(session);
        BaseCommand.refuse(cells.isEmpty(), NONE);
        return cells;
    }

    List<StoredCell> cells(Session session) {
        return session.step("read results", () -> ResultFiles.read(inputs, datasets));
    }

    /** Results that a report is about, and the measure that it shows. */
    static class Measured extends ReportResultOptions {
        @Option(
                names = "--measure",
                paramLabel = "MEASURE",
                description = "Measure to show (default: " + Measures.DEFAULT + ").")
        private @Nullable String measure;

        /** The measure in its canonical form; null without one. */
        final @Nullable String given() {
            return measure == null ? null : Measures.parse(measure).toString();
        }

        final String measure() {
            String given = given();
            return given == null ? Measures.DEFAULT : given;
        }

        @Override
        List<StoredCell> read(Session session) {
            given();
            return super.read(session);
        }
    }

    /** Results that a report is about, and published rows beside them. */
    static final class WithPublished extends Measured {
        @Option(
                names = "--with-published",
                description =
                        "Add the paper's rows on the same datasets. They are of squad-posq, fineweb-posq, their -tiny"
                                + " subsets and posir/LANG, with the paper's measure, and differences from them. Without results:"
                                + " all rows.")
        private boolean withPublished;

        /**
         * Results with the measure that they are shown by.
         *
         * @param own without the published rows
         */
        record Shown(List<StoredCell> cells, List<Result> own, List<Result> all, String measure) {}

        boolean withPublished() {
            return withPublished;
        }

        /** Reads results and the published rows of both papers, of positions and of lengths. */
        Shown shown(Session session) {
            return shown(session, List.of(Layout.find(Layout.USUAL), Layout.find("length")));
        }

        /**
         * Reads results.
         *
         * @param layouts whose published rows are added; the first decides the measure
         */
        Shown shown(Session session, List<Layout> layouts) {
            String given = given();
            List<StoredCell> cells = cells(session);
            BaseCommand.refuse(cells.isEmpty() && !withPublished, NONE + ", or --with-published");
            List<Result> own = cells.stream().map(StoredCell::result).toList();
            String shown = given == null ? usual(own, layouts.getFirst()) : given;
            return new Shown(cells, own, withPublished ? plusPublished(own, layouts, shown, session) : own, shown);
        }

        /** The measure of published rows where it can be compared with results, else the usual one. */
        private String usual(List<Result> own, Layout layout) {
            if (!withPublished) {
                return Measures.DEFAULT;
            }
            String published = layout.publishedMeasure();
            List<Result> rows = layout.published(own);
            boolean comparable = own.isEmpty()
                    || own.stream()
                            .filter(result -> result.measures().contains(published))
                            .anyMatch(result ->
                                    rows.stream().anyMatch(row -> row.dataset().equals(result.dataset())));
            return comparable ? published : Measures.DEFAULT;
        }

        private static List<Result> plusPublished(
                List<Result> own, List<Layout> layouts, String shown, Session session) {
            List<Result> published = layouts.stream()
                    .flatMap(layout -> layout.published(own).stream())
                    .toList();
            if (layouts.size() == 1
                    || published.stream().noneMatch(row -> row.measures().contains(shown))) {
                layouts.getFirst().whyNone(own, shown).ifPresent(why -> session.say("note: " + why));
            }
            return Stream.concat(own.stream(), published.stream()).toList();
        }
    }
}
