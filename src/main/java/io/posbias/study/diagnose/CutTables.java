package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.study.diagnose.Cuts.CutEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Truncation forecasts as tables, CSV and JSON. */
public record CutTables(List<Cuts> all) {
    /**
     * A strategy on a benchmark.
     *
     * @param evidence of a bucket, or of all queries; null if no query has an evidence span
     */
    record CutRow(
            @JsonUnwrapped Cuts.CountedTexts texts,
            @JsonUnwrapped Cuts.ReadTexts read,
            @JsonUnwrapped @Nullable CutEvidence evidence) {
        double cutShare() {
            return share(read.cut(), texts.total());
        }

        double unreadShare() {
            return share(read.tokensUnread(), texts.tokens());
        }

        /** Returns true if all evidence is read or, without evidence spans, all texts are. */
        boolean keepsAll() {
            return evidence == null ? read.cut() == 0 : evidence.endsPast() == 0;
        }

        private static double share(long part, long whole) {
            return whole == 0 ? 0 : (double) part / whole;
        }
    }

    public record CutsFile(String schema, List<Cuts> results) {}

    private static final Columns<CutRow> MODELS = new Columns<CutRow>()
            .label("dataset", row -> row.texts().dataset())
            .label("model", row -> row.texts().model())
            .text("limit", row -> row.texts().maxTokens())
            .text("longest", row -> row.texts().longest())
            .text("unit", row -> row.texts().unit())
            .text("total", row -> row.texts().total())
            .text("cut", row -> row.read().cut())
            .number("share", NumberFormat.PERCENT, CutRow::cutShare)
            .number("tokens unread", NumberFormat.PERCENT, CutRow::unreadShare)
            .text("queries cut", row -> row.read().queriesCut());

    private static final Columns<CutRow> BUCKETS = new Columns<CutRow>()
            .label("dataset", row -> row.texts().dataset())
            .label("model", row -> row.texts().model())
            .part(
                    CutRow::evidence,
                    new Columns<CutEvidence>()
                            .label("bucket", CutEvidence::bucket)
                            .text("queries", CutEvidence::queries)
                            .text("begins past", CutEvidence::startsPast)
                            .number("share", NumberFormat.PERCENT, own -> own.share(own.startsPast()))
                            .text("ends past", CutEvidence::endsPast)
                            .number("share", NumberFormat.PERCENT, own -> own.share(own.endsPast())));

    private static final Columns<CutRow> STRATEGIES = new Columns<CutRow>()
            .label("dataset", row -> row.texts().dataset())
            .label("model", row -> row.texts().model())
            .label("strategy", row -> row.read().strategy())
            .text("cut", row -> row.read().cut())
            .number("tokens unread", NumberFormat.PERCENT, CutRow::unreadShare)
            .part(
                    CutRow::evidence,
                    new Columns<CutEvidence>()
                            .text("begins past", CutEvidence::startsPast)
                            .text("ends past", CutEvidence::endsPast))
            .text("reads all", row -> row.keepsAll() ? "yes" : "no")
            .number("windows", NumberFormat.STRENGTH, row -> row.read().windows());

    public static final RecordCsv<CutRow> LINES = new RecordCsv<>(CutRow.class);

    public CutsFile document() {
        return new CutsFile("posbias/cuts/1", all);
    }

    private static CutRow row(Cuts cuts, Cuts.StrategyReading reading) {
        return new CutRow(cuts.texts(), reading.read(), reading.evidence());
    }

    /** A row for each bucket, then one for all queries; none without evidence spans. */
    private static List<CutRow> buckets(Cuts cuts, Cuts.StrategyReading reading) {
        return Stream.concat(reading.buckets().stream(), Stream.ofNullable(reading.evidence()))
                .map(evidence -> new CutRow(cuts.texts(), reading.read(), evidence))
                .toList();
    }

    /** One row per strategy and bucket; bucket {@code all} has all queries. */
    public Table raw() {
        List<CutRow> rows = new ArrayList<>();
        all.forEach(cuts -> cuts.readings()
                .forEach(reading -> rows.addAll(
                        reading.evidence() == null ? List.of(row(cuts, reading)) : buckets(cuts, reading))));
        return LINES.table(rows);
    }

    public List<Table> tables() {
        List<Table> tables = new ArrayList<>(List.of(MODELS.table(
                "Texts that are not read to their end",
                all.stream().map(cuts -> row(cuts, cuts.readings().getFirst())).toList(),
                List.of(
                        "tokens: the model's own, of passages without titles, special tokens and prompts; unread: those that"
                                + " end past the cut"))));
        List<CutRow> lost = all.stream()
                .flatMap(cuts -> buckets(cuts, cuts.readings().getFirst()).stream())
                .toList();
        if (!lost.isEmpty()) {
            tables.add(BUCKETS.table(
                    "Evidence past the cut",
                    lost,
                    List.of(
                            "begins past: queries whose evidence begins past the cut and is not read at all; ends past: those whose evidence"
                                    + " ends past it, the former among them")));
        }
        if (all.stream()
                .anyMatch(cuts -> cuts.readings().size() > 1 || !cuts.unfit().isEmpty())) {
            tables.add(strategies());
        }
        return tables;
    }

    /** The model and the strategies that read more of the texts. */
    private Table strategies() {
        List<CutRow> rows = new ArrayList<>();
        Map<String, List<String>> same = new TreeMap<>();
        Map<String, String> notes = new TreeMap<>();
        for (Cuts cuts : all) {
            Cuts.StrategyReading plain = cuts.readings().getFirst();
            rows.add(row(cuts, plain));
            for (Cuts.StrategyReading reading :
                    cuts.readings().subList(1, cuts.readings().size())) {
                if (reading.read().tokensUnread() == plain.read().tokensUnread()
                        && reading.read().cut() == plain.read().cut()) {
                    same.computeIfAbsent(
                                    cuts.texts().model() + " on " + cuts.texts().dataset(), key -> new ArrayList<>())
                            .add(reading.read().strategy());
                } else {
                    rows.add(row(cuts, reading));
                }
            }
            cuts.unfit().forEach((strategy, why) -> notes.put(cuts.texts().model() + "+" + strategy, why));
        }
        List<String> lines = new ArrayList<>(List.of(
                "windows: encoded or scored texts per passage; past: past the text that is read from the beginning"
                        + " without a gap; mirrored reads each passage twice"));
        same.forEach((where, strategies) ->
                lines.add("read as much as the model: " + where + ": " + String.join(", ", strategies)));
        notes.forEach((strategy, why) -> lines.add("left out: " + strategy + ": " + why));
        return STRATEGIES.table("Strategies around the model", rows, lines);
    }
}
