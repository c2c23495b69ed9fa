package io.posbias.diagnose;

import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Truncation forecasts as tables, CSV and JSON. */
public record CutTables(List<Cuts> all) {
    private record CutRow(Cuts cuts, Cuts.StrategyReading reading) {
        double cutShare() {
            return share(reading.cut(), cuts.total());
        }

        double unreadShare() {
            return share(reading.tokensUnread(), cuts.tokens());
        }

        @Nullable
        Integer startsPast() {
            Cuts.CutEvidence evidence = reading.evidence();
            return evidence == null ? null : evidence.startsPast();
        }

        @Nullable
        Integer endsPast() {
            Cuts.CutEvidence evidence = reading.evidence();
            return evidence == null ? null : evidence.endsPast();
        }
    }

    /** A bucket; null if no query has an evidence span. */
    private record CutBucketRow(CutRow row, Cuts.@Nullable CutEvidence evidence) {
        @Nullable
        Object of(Function<Cuts.CutEvidence, Object> field) {
            return evidence == null ? null : field.apply(evidence);
        }
    }

    /** JSON document. */
    public record CutsFile(String schema, List<Cuts> results) {}

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private static final Sheet<CutRow> MODELS = new Sheet<CutRow>()
            .label("dataset", row -> row.cuts().dataset())
            .label("model", row -> row.cuts().model())
            .plain("limit", row -> row.cuts().maxTokens())
            .plain("longest", row -> row.cuts().longest())
            .plain("unit", row -> row.cuts().unit())
            .plain("total", row -> row.cuts().total())
            .plain("cut", row -> row.reading().cut())
            .number("share", NumberFormat.PERCENT, CutRow::cutShare)
            .number("tokens unread", NumberFormat.PERCENT, CutRow::unreadShare)
            .plain("queries cut", row -> row.reading().queriesCut());

    private static final Sheet<CutBucketRow> BUCKETS = new Sheet<CutBucketRow>()
            .label("dataset", row -> row.row().cuts().dataset())
            .label("model", row -> row.row().cuts().model())
            .label("bucket", row -> row.of(Cuts.CutEvidence::bucket))
            .plain("queries", row -> row.of(Cuts.CutEvidence::queries))
            .plain("begins past", row -> row.of(Cuts.CutEvidence::startsPast))
            .number(
                    "share",
                    NumberFormat.PERCENT,
                    row -> of(row, row.evidence() == null ? 0 : row.evidence().startsPast()))
            .plain("ends past", row -> row.of(Cuts.CutEvidence::endsPast))
            .number(
                    "share",
                    NumberFormat.PERCENT,
                    row -> of(row, row.evidence() == null ? 0 : row.evidence().endsPast()));

    private static final Sheet<CutRow> STRATEGIES = new Sheet<CutRow>()
            .label("dataset", row -> row.cuts().dataset())
            .label("model", row -> row.cuts().model())
            .label("strategy", row -> row.reading().strategy())
            .plain("cut", row -> row.reading().cut())
            .number("tokens unread", NumberFormat.PERCENT, CutRow::unreadShare)
            .plain("begins past", CutRow::startsPast)
            .plain("ends past", CutRow::endsPast)
            .plain("reads all", row -> row.reading().keepsAll() ? "yes" : "no")
            .number("windows", NumberFormat.STRENGTH, row -> row.reading().windows());

    private static final Sheet<CutBucketRow> RAW = new Sheet<CutBucketRow>()
            .plain("dataset", row -> row.row().cuts().dataset())
            .plain("model", row -> row.row().cuts().model())
            .plain("max_tokens", row -> row.row().cuts().maxTokens())
            .means("limit of the model", "tokens")
            .plain("strategy", row -> row.row().reading().strategy())
            .means("what wraps the model, as in `MODEL+STRATEGY`; `none` for the model itself")
            .plain("unit", row -> row.row().cuts().unit())
            .means("`passages`, or `pairs` of a query and a passage")
            .plain("total", row -> row.row().cuts().total())
            .means("how many there are", "count")
            .plain("cut", row -> row.row().reading().cut())
            .means("those that are not read to their end", "count")
            .plain("queries_cut", row -> row.row().reading().queriesCut())
            .means("judged queries that are not read to their end", "count")
            .plain("tokens", row -> row.row().cuts().tokens())
            .means("tokens of all, the model's own", "count")
            .plain("tokens_unread", row -> row.row().reading().tokensUnread())
            .means("those that end past the cut", "count")
            .plain("longest", row -> row.row().cuts().longest())
            .means("length of the longest", "tokens")
            .plain("windows_per_passage", row -> row.row().reading().windows())
            .means("mean number of encoded or scored texts per passage", "number")
            .plain("bucket", row -> row.of(Cuts.CutEvidence::bucket))
            .means("position bucket of the evidence, or `all`; empty where no evidence is known")
            .plain("queries", row -> row.of(Cuts.CutEvidence::queries))
            .means("queries of the bucket whose evidence is known to the character", "count")
            .plain("evidence_starts_past_cut", row -> row.of(Cuts.CutEvidence::startsPast))
            .means("queries whose evidence begins past the cut and is not read at all", "count")
            .plain("evidence_ends_past_cut", row -> row.of(Cuts.CutEvidence::endsPast))
            .means("those whose evidence ends past the cut, the former among them", "count");

    private static @Nullable Double of(CutBucketRow row, int part) {
        Cuts.CutEvidence evidence = row.evidence();
        return evidence == null || evidence.queries() == 0 ? null : share(part, evidence.queries());
    }

    /** Builds the JSON document. */
    public CutsFile document() {
        return new CutsFile("posbias/cuts/1", all);
    }

    private static List<CutBucketRow> buckets(CutRow row) {
        Cuts.CutEvidence evidence = row.reading().evidence();
        List<CutBucketRow> rows = new ArrayList<>();
        row.reading().buckets().forEach(bucket -> rows.add(new CutBucketRow(row, bucket)));
        if (evidence != null) {
            rows.add(new CutBucketRow(row, evidence));
        }
        return rows;
    }

    private List<CutRow> plain() {
        return all.stream()
                .map(cuts -> new CutRow(cuts, cuts.readings().getFirst()))
                .toList();
    }

    /** Columns of {@link #raw}, for the reference pages. */
    public static Sheet<?> columns() {
        return RAW;
    }

    /** One row per strategy and bucket; bucket {@code all} has all queries. */
    public Table raw() {
        return RAW.raw(all.stream()
                .flatMap(cuts -> cuts.readings().stream().map(reading -> new CutRow(cuts, reading)))
                .flatMap(row -> {
                    List<CutBucketRow> own = buckets(row);
                    return (own.isEmpty() ? List.of(new CutBucketRow(row, null)) : own).stream();
                })
                .toList());
    }

    /** Returns all tables. */
    public List<Table> tables() {
        List<Table> tables = new ArrayList<>(List.of(MODELS.table(
                "Texts that are not read to their end",
                plain(),
                List.of(
                        "tokens: the model's own, of passages without titles, special tokens and prompts; unread: those that"
                                + " end past the cut"))));
        List<CutBucketRow> lost =
                plain().stream().map(CutTables::buckets).flatMap(List::stream).toList();
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
            rows.add(new CutRow(cuts, plain));
            for (Cuts.StrategyReading reading :
                    cuts.readings().subList(1, cuts.readings().size())) {
                if (reading.tokensUnread() == plain.tokensUnread() && reading.cut() == plain.cut()) {
                    same.computeIfAbsent(cuts.model() + " on " + cuts.dataset(), key -> new ArrayList<>())
                            .add(reading.strategy());
                } else {
                    rows.add(new CutRow(cuts, reading));
                }
            }
            cuts.unfit().forEach((strategy, why) -> notes.put(cuts.model() + "+" + strategy, why));
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
