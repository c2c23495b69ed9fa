package io.posbias.cli.data;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetStatistics;
import io.posbias.evaluate.Datasets;
import io.posbias.measure.Placement;
import io.posbias.position.Bucketing;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class DataInfoCommand extends Verb {
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
    public Integer call() {
        Datasets datasets = new Datasets(session());
        Dataset dataset = DatasetReader.open(datasets.folder(name));
        DatasetStatistics statistics = DatasetStatistics.of(dataset);
        String specification = buckets == null ? dataset.card().bucketing() : buckets;
        Placement placement =
                specification.isEmpty() ? null : Placement.of(dataset.queries(), Bucketing.parse(specification));
        PrintWriter out = out();
        if (format == Format.JSON) {
            byte[] document = Json.toBytes(Document.of(dataset, statistics, placement));
            out.print(new String(document, StandardCharsets.UTF_8));
        } else {
            printCard(dataset.card(), out);
            printSizes(dataset, statistics, out);
            printBuckets(placement, out);
            printPositions(statistics, out);
        }
        out.flush();
        return ExitCode.OK;
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
        for (Bucket bucket : Bucket.of(placement)) {
            String label = placement.strata().size() == 1 ? bucket.bucket() : bucket.stratum() + " " + bucket.bucket();
            out.printf(Locale.ROOT, "  %-26s %,10d%n", label, bucket.queries());
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

    /** What is printed as JSON. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Document(
            String name,
            DatasetStatistics.Lengths queries,
            int judgedQueries,
            DatasetStatistics.Lengths passages,
            @Nullable String bucketing,
            @Nullable List<Bucket> buckets,
            @Nullable Integer inSeveralBuckets,
            @Nullable Integer inNoBucket,
            List<Integer> relativePositions,
            int withoutPosition,
            Map<String, String> sha256) {
        static Document of(Dataset dataset, DatasetStatistics statistics, @Nullable Placement placement) {
            return new Document(
                    dataset.name(),
                    statistics.queries(),
                    dataset.judgedQueries().size(),
                    statistics.passages(),
                    placement == null ? null : placement.bucketing().toString(),
                    placement == null ? null : Bucket.of(placement),
                    placement == null ? null : placement.inSeveral(),
                    placement == null ? null : placement.inNone(),
                    statistics.positions(),
                    statistics.unplaced(),
                    dataset.checksums());
        }
    }

    /** Queries of a bucket in a band of length. */
    private record Bucket(String stratum, String bucket, int queries) {
        static List<Bucket> of(Placement placement) {
            List<Bucket> buckets = new ArrayList<>();
            for (String stratum : placement.strata()) {
                for (String name : placement.bucketNames()) {
                    int count = placement.count(stratum, placement.bucketNames().indexOf(name));
                    buckets.add(new Bucket(stratum, name, count));
                }
            }
            return buckets;
        }
    }
}
