package io.posbias.cli.data;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Table;
import io.posbias.cli.common.DatasetCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.QueryBuckets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class DataInfoCommand extends DatasetCommand {
    private static final int BAR = 40;

    @Parameters(paramLabel = "DATASET", description = "A name from 'posbias data list' or a folder.")
    private String name = "";

    @Option(
            names = "--buckets",
            paramLabel = "SPEC",
            description = "Position buckets instead of the dataset's own; see 'posbias eval --help-all'.")
    private @Nullable String buckets;

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    protected void work() {
        Dataset dataset = dataset(name);
        dataset.notes().forEach(note -> say("note: " + note));
        DatasetStatistics statistics = DatasetStatistics.of(dataset);
        String specification = buckets == null ? dataset.card().bucketing() : buckets;
        QueryBuckets placement =
                specification.isEmpty() ? null : QueryBuckets.of(dataset.queries(), Bucketing.parse(specification));
        Document document = Document.of(dataset, statistics, placement);
        int digits = form.detail(new Detail(2, false)).digits();
        print(form.text(() -> document, () -> tables(dataset.card(), document, digits), session()));
    }

    /** @param value text or a number */
    private record Line(String name, String value) {
        static Line of(String name, int count) {
            return new Line(name, String.format(Locale.ROOT, "%,d", count));
        }

        static Line of(String name, double length, int digits) {
            return new Line(name, String.format(Locale.ROOT, "%,." + digits + "f", length));
        }
    }

    private static Table table(String title, String names, String values, List<Line> lines) {
        return new Columns<Line>()
                .label(names, Line::name)
                .text(values, Line::value)
                .table(title, lines, List.of());
    }

    private static List<Table> tables(DatasetCard card, Document document, int digits) {
        List<Table> tables = new ArrayList<>(List.of(
                table("", card.name(), "", card(card)),
                table("", "sizes, lengths in words", "", sizes(document, digits))));
        if (document.buckets() != null) {
            tables.add(table(
                    "position buckets: " + document.bucketing(),
                    "bucket",
                    "queries",
                    buckets(document, document.buckets())));
        }
        positions(document).ifPresent(tables::add);
        return tables;
    }

    private static List<Line> card(DatasetCard card) {
        String asked = card.queryLanguage();
        return Stream.of(
                        new Line("language", card.language()),
                        new Line("query language", asked.equals(card.language()) ? "" : asked),
                        new Line("licence", card.licence()),
                        new Line("source", card.source()),
                        new Line("citation", card.citation()))
                .filter(line -> !line.value().isEmpty())
                .toList();
    }

    private static List<Line> sizes(Document document, int digits) {
        DatasetStatistics.Lengths queries = document.queries();
        DatasetStatistics.Lengths passages = document.passages();
        List<Line> lines = new ArrayList<>(List.of(Line.of("# queries", queries.count())));
        if (document.judgedQueries() < queries.count()) {
            lines.add(Line.of("# queries with judgements", document.judgedQueries()));
        }
        lines.addAll(List.of(
                Line.of("mean query length", queries.mean(), digits),
                Line.of("std query length", queries.deviation(), digits),
                Line.of("# passages", passages.count()),
                Line.of("min passage length", passages.least()),
                Line.of("max passage length", passages.most()),
                Line.of("mean passage length", passages.mean(), digits),
                Line.of("std passage length", passages.deviation(), digits)));
        return lines;
    }

    private static List<Line> buckets(Document document, List<Bucket> buckets) {
        boolean bands = buckets.stream().map(Bucket::stratum).distinct().count() > 1;
        List<Line> lines = new ArrayList<>();
        buckets.forEach(bucket -> lines.add(
                Line.of(bands ? bucket.stratum() + " " + bucket.bucket() : bucket.bucket(), bucket.queries())));
        lines.add(Line.of("in more than one", Objects.requireNonNull(document.inSeveralBuckets())));
        lines.add(Line.of("in none", Objects.requireNonNull(document.inNoBucket())));
        return lines;
    }

    /** A histogram; empty without positions. */
    private static Optional<Table> positions(Document document) {
        List<Integer> positions = document.relativePositions();
        int most = Collections.max(positions);
        if (most == 0) {
            return Optional.empty();
        }
        Columns<Integer> columns = new Columns<Integer>()
                .label("place", bin -> bin == positions.size() ? "unknown" : 10 * bin + "-" + 10 * (bin + 1) + "%")
                .text(
                        "queries",
                        bin -> Line.of("", bin == positions.size() ? document.withoutPosition() : positions.get(bin))
                                .value())
                .text(
                        "",
                        bin -> bin == positions.size()
                                ? ""
                                : "#".repeat((int) Math.round((double) BAR * positions.get(bin) / most)));
        int bins = positions.size() + (document.withoutPosition() > 0 ? 1 : 0);
        return Optional.of(columns.table(
                "middle of the evidence over the length of its text",
                IntStream.range(0, bins).boxed().toList(),
                List.of()));
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
