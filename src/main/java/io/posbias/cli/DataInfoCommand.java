package io.posbias.cli;

import io.posbias.Json;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetStatistics;
import io.posbias.measure.Placement;
import io.posbias.position.Bucketing;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code posbias data info}: what is in a benchmark. */
@Command(
        name = "info",
        description = {
            "Show a benchmark's card, its sizes as the SQuAD-PosQ paper's Table 2 has them (lengths in words,",
            "that is pieces between spaces), its position buckets and where in its passages evidence lies."
        },
        footer = {
            "",
            "Examples:",
            "  posbias data info demo",
            "  posbias data info my-squad --buckets relative:20 --format json",
        })
final class DataInfoCommand implements Runnable {
    private static final int BAR = 40;

    /** What is printed. */
    enum Format {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DATASET", description = "A name from 'posbias data list' or a folder.")
    private String name = "";

    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Position buckets instead of the dataset's own; see 'posbias eval --help'.")
    private @Nullable String buckets;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Override
    public void run() {
        Datasets datasets = new Datasets(spec.commandLine().getErr());
        Dataset dataset = DatasetReader.open(datasets.folder(name));
        DatasetStatistics statistics = DatasetStatistics.of(dataset);
        String specification = buckets == null ? dataset.card().bucketing() : buckets;
        Placement placement =
                specification.isEmpty() ? null : Placement.of(dataset.queries(), Bucketing.parse(specification));
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            Map<String, Object> document = json(dataset, statistics, placement);
            out.print(new String(Json.toBytes(document), StandardCharsets.UTF_8));
        } else {
            printCard(dataset.card(), out);
            printSizes(dataset, statistics, out);
            printBuckets(placement, out);
            printPositions(statistics, out);
        }
        out.flush();
    }

    private static void printCard(DatasetCard card, PrintWriter out) {
        out.println(card.name());
        line(out, "language", card.language());
        line(out, "query language", card.queryLanguage().equals(card.language()) ? "" : card.queryLanguage());
        line(out, "licence", card.licence());
        line(out, "source", card.source());
        line(out, "citation", card.citation());
    }

    private static void line(PrintWriter out, String name, String value) {
        if (!value.isEmpty()) {
            out.printf(Locale.ROOT, "  %-15s %s%n", name, value);
        }
    }

    private static void printSizes(Dataset dataset, DatasetStatistics statistics, PrintWriter out) {
        DatasetStatistics.Lengths queries = statistics.queries();
        DatasetStatistics.Lengths passages = statistics.passages();
        int judged = dataset.judgedQueries().size();
        out.println();
        size(out, "# queries", queries.count());
        if (judged < queries.count()) {
            size(out, "# queries with judgements", judged);
        }
        size(out, "mean query length", queries.mean());
        size(out, "std query length", queries.deviation());
        size(out, "# passages", passages.count());
        size(out, "min passage length", passages.least());
        size(out, "max passage length", passages.most());
        size(out, "mean passage length", passages.mean());
        size(out, "std passage length", passages.deviation());
    }

    private static void size(PrintWriter out, String name, int size) {
        out.printf(Locale.ROOT, "%-28s %,10d%n", name, size);
    }

    private static void size(PrintWriter out, String name, double size) {
        out.printf(Locale.ROOT, "%-28s %,10.2f%n", name, size);
    }

    private static void printBuckets(@Nullable Placement placement, PrintWriter out) {
        if (placement == null) {
            return;
        }
        out.println();
        out.println("position buckets: " + placement.bucketing());
        for (String stratum : placement.strata()) {
            for (int bucket = 0; bucket < placement.bucketNames().size(); bucket++) {
                String label = placement.strata().size() == 1
                        ? placement.bucketNames().get(bucket)
                        : stratum + " " + placement.bucketNames().get(bucket);
                out.printf(Locale.ROOT, "  %-26s %,10d%n", label, placement.count(stratum, bucket));
            }
        }
        out.printf(Locale.ROOT, "  %-26s %,10d%n", "in more than one", placement.inSeveral());
        out.printf(Locale.ROOT, "  %-26s %,10d%n", "in none", placement.inNone());
    }

    private static void printPositions(DatasetStatistics statistics, PrintWriter out) {
        int most = Collections.max(statistics.positions());
        if (most == 0) {
            return;
        }
        out.println();
        out.println("middle of the evidence over the length of its text");
        for (int bin = 0; bin < statistics.positions().size(); bin++) {
            int count = statistics.positions().get(bin);
            String label = 10 * bin + "-" + 10 * (bin + 1) + "%";
            out.printf(Locale.ROOT, "  %-8s %,8d %s%n", label, count, "#".repeat((int)
                            Math.round((double) BAR * count / most)));
        }
        if (statistics.unplaced() > 0) {
            out.printf(Locale.ROOT, "  %-8s %,8d%n", "unknown", statistics.unplaced());
        }
    }

    private static Map<String, Object> json(
            Dataset dataset, DatasetStatistics statistics, @Nullable Placement placement) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", dataset.name());
        document.put("queries", lengths(statistics.queries()));
        document.put("judged_queries", dataset.judgedQueries().size());
        document.put("passages", lengths(statistics.passages()));
        if (placement != null) {
            document.put("bucketing", placement.bucketing().toString());
            document.put("buckets", buckets(placement));
            document.put("in_several_buckets", placement.inSeveral());
            document.put("in_no_bucket", placement.inNone());
        }
        document.put("relative_positions", statistics.positions());
        document.put("without_position", statistics.unplaced());
        document.put("sha256", dataset.checksums());
        return document;
    }

    private static Map<String, Object> lengths(DatasetStatistics.Lengths lengths) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("count", lengths.count());
        map.put("min_words", lengths.least());
        map.put("max_words", lengths.most());
        map.put("mean_words", lengths.mean());
        map.put("std_words", lengths.deviation());
        return map;
    }

    private static List<Map<String, Object>> buckets(Placement placement) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (String stratum : placement.strata()) {
            for (int bucket = 0; bucket < placement.bucketNames().size(); bucket++) {
                Map<String, Object> map = new LinkedHashMap<>();
                map.put("stratum", stratum);
                map.put("bucket", placement.bucketNames().get(bucket));
                map.put("queries", placement.count(stratum, bucket));
                list.add(map);
            }
        }
        return list;
    }
}
