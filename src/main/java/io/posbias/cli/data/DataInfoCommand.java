package io.posbias.cli.data;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.json.Json;
import io.posbias.cli.common.BaseCommand;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.QueryBuckets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "info",
        description = "Show a benchmark's sizes, buckets and evidence positions.",
        footer = {
            "",
            "Sizes are those of the SQuAD-PosQ paper's Table 2: lengths in whitespace-separated words.",
            "",
            "Examples:",
            "  posbias data info demo",
            "  posbias data info my-squad --buckets relative:20 --format json",
        })
final class DataInfoCommand extends BaseCommand {
    private static final int BAR = 40;

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
            description = "Position buckets instead of the dataset's own; see 'posbias eval --help-all'.")
    private @Nullable String buckets;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Override
    protected void work() {
        Dataset dataset = dataset(name);
        dataset.notes().forEach(note -> say("note: " + note));
        DatasetStatistics statistics = DatasetStatistics.of(dataset);
        String specification = buckets == null ? dataset.card().bucketing() : buckets;
        QueryBuckets placement =
                specification.isEmpty() ? null : QueryBuckets.of(dataset.queries(), Bucketing.parse(specification));
        Document document = Document.of(dataset, statistics, placement);
        if (format == Format.JSON) {
            print(new String(Json.toBytes(document), StandardCharsets.UTF_8));
        } else {
            printCard(dataset.card());
            printSizes(document);
            printBuckets(document);
            printPositions(document);
        }
    }

    private void printCard(DatasetCard card) {
        printLine(card.name());
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("language", card.language());
        lines.put("query language", card.queryLanguage().equals(card.language()) ? "" : card.queryLanguage());
        lines.put("licence", card.licence());
        lines.put("source", card.source());
        lines.put("citation", card.citation());
        lines.values().removeIf(String::isEmpty);
        lines.forEach((name, value) -> printLine(String.format(Locale.ROOT, "  %-15s %s", name, value)));
    }

    private void printSizes(Document document) {
        DatasetStatistics.Lengths queries = document.queries();
        DatasetStatistics.Lengths passages = document.passages();
        printLine("");
        size("# queries", queries.count());
        if (document.judgedQueries() < queries.count()) {
            size("# queries with judgements", document.judgedQueries());
        }
        size("mean query length", queries.mean());
        size("std query length", queries.deviation());
        size("# passages", passages.count());
        size("min passage length", passages.least());
        size("max passage length", passages.most());
        size("mean passage length", passages.mean());
        size("std passage length", passages.deviation());
    }

    private void size(String name, int size) {
        printLine(String.format(Locale.ROOT, "%-28s %,10d", name, size));
    }

    private void size(String name, double size) {
        printLine(String.format(Locale.ROOT, "%-28s %,10.2f", name, size));
    }

    private void printBuckets(Document document) {
        if (document.buckets() == null) {
            return;
        }
        printLine("");
        printLine("position buckets: " + document.bucketing());
        boolean bands =
                document.buckets().stream().map(Bucket::stratum).distinct().count() > 1;
        for (Bucket bucket : document.buckets()) {
            String label = bands ? bucket.stratum() + " " + bucket.bucket() : bucket.bucket();
            printLine(String.format(Locale.ROOT, "  %-26s %,10d", label, bucket.queries()));
        }
        printLine(String.format(Locale.ROOT, "  %-26s %,10d", "in more than one", document.inSeveralBuckets()));
        printLine(String.format(Locale.ROOT, "  %-26s %,10d", "in none", document.inNoBucket()));
    }

    private void printPositions(Document document) {
        List<Integer> positions = document.relativePositions();
        int most = Collections.max(positions);
        if (most == 0) {
            return;
        }
        printLine("");
        printLine("middle of the evidence over the length of its text");
        for (int bin = 0; bin < positions.size(); bin++) {
            int count = positions.get(bin);
            String label = 10 * bin + "-" + 10 * (bin + 1) + "%";
            String bar = "#".repeat((int) Math.round((double) BAR * count / most));
            printLine(String.format(Locale.ROOT, "  %-8s %,8d %s", label, count, bar));
        }
        if (document.withoutPosition() > 0) {
            printLine(String.format(Locale.ROOT, "  %-8s %,8d", "unknown", document.withoutPosition()));
        }
    }

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
        static Document of(Dataset dataset, DatasetStatistics statistics, @Nullable QueryBuckets placement) {
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

    private record Bucket(String stratum, String bucket, int queries) {
        static List<Bucket> of(QueryBuckets placement) {
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
