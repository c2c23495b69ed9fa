package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.study.build.text.BoundedDraw;
import io.posbias.study.build.text.Margins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts of each stage beside the paper's: by position, reasons for dropping, and sample candidates. */
public record Funnel(PipelineRecord record, Path folder) {
    private static final String ALL = "all";

    private record Found(String stage, String what, Object value) {}

    private static void add(List<Table> tables, String title, String what, String value, Stream<Found> found) {
        List<Found> rows = found.toList();
        if (!rows.isEmpty()) {
            Columns<Found> columns = new Columns<Found>()
                    .label("stage", Found::stage)
                    .label(what, Found::what)
                    .text(value, Found::value);
            tables.add(columns.table(title, rows, List.of()));
        }
    }

    private static final String TRAINING = "2605.26578";
    private static final String AUDIT = "data/published/training-audit.csv";

    private static final Columns<AuditStage.Stratum> AUDITED = new Columns<AuditStage.Stratum>()
            .label("margin", AuditStage.Stratum::margin)
            .text("questions", AuditStage.Stratum::candidates)
            .text("audited", AuditStage.Stratum::audited)
            .part(AuditStage.Stratum::targetYes, share("target"))
            .part(AuditStage.Stratum::distractorNo, share("distractors"))
            .part(AuditStage.Stratum::exclusive, share("exclusive"));

    private static Columns<AuditStage.Share> share(String header) {
        return new Columns<AuditStage.Share>()
                .number(header, NumberFormat.PERCENT, AuditStage.Share::share)
                .interval(NumberFormat.POINTS, AuditStage.Share::interval);
    }

    private static final String MARGINS = "data/published/training-margins.csv";

    private static Columns<Margins.Row> margins() {
        Columns<Margins.Row> columns =
                new Columns<Margins.Row>().label("margin", Margins.Row::margin).text("questions", Margins.Row::all);
        Candidate.POSITIONS.forEach(
                position -> columns.text(position, row -> row.positions().get(position)));
        return columns;
    }

    private static final int MOST_EVIDENCE = 400;

    private record Said(String what, String text) {}

    private static final Columns<Said> READING =
            new Columns<Said>().label("candidate", Said::what).label("", Said::text);

    private record StageLine(
            @Meaning("name of the stage") String stage,

            @Meaning(
                    value =
                            "candidates kept and dropped, kept with each evidence position, and kept in the paper, in all"
                                    + " and with each; empty if unpublished",
                    unit = "count")
            Map<String, @Nullable Long> counts) {}

    private static final RecordCsv<StageLine> LINES = new RecordCsv<>(StageLine.class);

    private static StageLine line(PipelineRecord.Finished stage, boolean places, boolean paper) {
        Map<String, @Nullable Long> counts = new LinkedHashMap<>();
        counts.put("kept", stage.counts().kept());
        counts.put("dropped", stage.counts().allDropped());
        if (places) {
            Candidate.POSITIONS.forEach(
                    position -> counts.put(position, stage.counts().positions().get(position)));
        }
        if (paper) {
            counts.put("paper", published(stage, ALL));
            Candidate.POSITIONS.forEach(position -> counts.put("paper " + position, published(stage, position)));
        }
        return new StageLine(stage.name(), counts);
    }

    private List<StageLine> lines() {
        boolean places = record.stages().stream()
                .anyMatch(stage -> !stage.counts().positions().isEmpty());
        boolean paper = record.stages().stream()
                .anyMatch(
                        stage -> stage.published() != null && !stage.published().isEmpty());
        return record.stages().stream().map(stage -> line(stage, places, paper)).toList();
    }

    /** Describes the columns of {@link #raw}, with all that depend on the pipeline. */
    public static List<RecordCsv.Described> columns() {
        PipelineRecord.Counts none = new PipelineRecord.Counts(0, Map.of(), Map.of(), new LinkedHashMap<>());
        return LINES.described(line(new PipelineRecord.Finished("", "", "", null, "", "", null, none), true, true));
    }

    private static @Nullable Long published(PipelineRecord.Finished stage, String part) {
        return stage.published() == null ? null : stage.published().get(part);
    }

    public List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        Columns<StageLine> columns = new Columns<StageLine>().label("stage", StageLine::stage);
        raw().header().stream()
                .skip(1)
                .forEach(name -> columns.text(name, line -> line.counts().get(name)));
        String title = "Candidates per stage: "
                + Printable.of(String.valueOf(record.pipeline().get("name")));
        tables.add(columns.table(title, lines(), List.of()));
        add(tables, "Dropped", "why dropped", "candidates", reasons());
        withNote(Margins.NOTE).map(this::margins).forEach(tables::add);
        withNote(AuditStage.NOTE).map(this::audit).forEach(tables::add);
        add(tables, "Found on the way", "what", "value", notes());
        return tables;
    }

    private Stream<PipelineRecord.Finished> withNote(String name) {
        return record.stages().stream().filter(stage -> stage.counts().notes().containsKey(name));
    }

    /** Reads the rows of a note, each followed by the published one if there is one. */
    private <R> List<R> rows(
            PipelineRecord.Finished stage, String note, Class<R> type, Function<R, @Nullable R> published) {
        return new Fields(Location.of(folder), Map.copyOf(stage.counts().notes()))
                .records(note).stream()
                        .map(found -> Json.bind(found, type))
                        .flatMap(row -> Stream.concat(Stream.of(row), Stream.ofNullable(published.apply(row))))
                        .toList();
    }

    /** Questions by margin and position, each line followed by the paper's if this is its pipeline, marked {@code *}. */
    private Table margins(PipelineRecord.Finished stage) {
        boolean isPaper = String.valueOf(record.pipeline().get("citation")).contains(TRAINING);
        Map<String, Margins.Row> published = new LinkedHashMap<>();
        if (isPaper) {
            for (Fields row : CsvRows.bundled(MARGINS)) {
                Map<String, Long> positions = new LinkedHashMap<>();
                Candidate.POSITIONS.stream()
                        .filter(position -> !row.text(position, "").isEmpty())
                        .forEach(position -> positions.put(position, (long) row.parsedNumber(position)));
                published.put(
                        row.text("margin"),
                        new Margins.Row(row.text("margin") + " *", (long) row.parsedNumber(ALL), positions));
            }
        }
        return margins()
                .table(
                        "Questions of stage " + Printable.of(stage.name()) + " by the models' smallest margin",
                        rows(stage, Margins.NOTE, Margins.Row.class, row -> published.get(row.margin())),
                        isPaper ? List.of("* printed in arXiv:" + TRAINING + ", Table 6") : List.of());
    }

    /** Strata of an audit, each followed by the paper's, marked {@code *}. */
    private Table audit(PipelineRecord.Finished stage) {
        Map<String, AuditStage.Stratum> published = new LinkedHashMap<>();
        for (Fields row : CsvRows.bundled(AUDIT)) {
            AuditStage.Stratum line = new AuditStage.Stratum(
                    row.text("margin") + " *",
                    null,
                    null,
                    percent(row, "target_yes_percent"),
                    percent(row, "distractor_no_percent"),
                    percent(row, "exclusive_percent"));
            published.put(row.text("margin"), line);
        }
        return AUDITED.table(
                "Audit of stage " + Printable.of(stage.name()) + ", % of questions, by the rerankers' smallest margin",
                rows(stage, AuditStage.NOTE, AuditStage.Stratum.class, row -> published.get(row.margin())),
                List.of(
                        "target: the question's own segment answers it; distractors: the other two do not, on average;"
                                + " exclusive: both",
                        "95% intervals, clustered by document; * printed in arXiv:" + TRAINING));
    }

    private static AuditStage.Share percent(Fields row, String column) {
        return new AuditStage.Share(row.parsedNumber(column) / 100, null);
    }

    public Table raw() {
        return LINES.table(lines());
    }

    private Stream<Found> reasons() {
        return record.stages().stream()
                .flatMap(stage -> stage.counts().dropped().entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .map(reason -> new Found(stage.name(), reason.getKey(), reason.getValue())));
    }

    private Stream<Found> notes() {
        return record.stages().stream()
                .flatMap(stage -> stage.counts().notes().sequencedEntrySet().stream()
                        .filter(note -> !List.of(AuditStage.NOTE, Margins.NOTE).contains(note.getKey()))
                        .map(note -> new Found(stage.name(), note.getKey(), words(note.getValue()))));
    }

    private static String words(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + words(entry.getValue()))
                        .collect(Collectors.joining(", "));
            case List<?> list -> list.stream().map(Funnel::words).collect(Collectors.joining(" "));
            case Double number -> NumberFormat.SCORE.print(number);
            case null -> NumberFormat.NONE;
            default -> value.toString();
        };
    }

    /** Draws candidates of a stage, kept and dropped. */
    public List<Candidate> sample(String stage, int n, long seed) {
        BoundedDraw<Candidate> draw = new BoundedDraw<>(seed, n);
        candidates(stage).forEachLine(candidate -> draw.add(candidate.id(), candidate));
        return draw.drawn();
    }

    /** Lists candidates with their fields and the text of their evidence. */
    public Table reading(String stage, List<Candidate> candidates) {
        List<Said> lines = new ArrayList<>();
        try (SourceDocuments documents = documents()) {
            for (Candidate candidate : candidates) {
                lines.add(new Said(
                        candidate.id(),
                        candidate.dropped().map(why -> "dropped: " + why).orElse("kept")));
                for (String field : List.of(
                        Candidate.DETAIL,
                        Candidate.QUESTION,
                        Candidate.ANSWER,
                        Candidate.POSITION,
                        Candidate.SCORES,
                        Candidate.GRADES)) {
                    if (candidate.has(field)) {
                        lines.add(
                                new Said("  " + field, words(candidate.fields().raw(field))));
                    }
                }
                evidence(candidate, documents).ifPresent(text -> lines.add(new Said("  evidence", text)));
            }
        }
        return READING.table("Candidates of " + stage, lines, List.of());
    }

    private static Optional<String> evidence(Candidate candidate, SourceDocuments documents) {
        return candidate
                .span(Candidate.SPAN)
                .or(() -> candidate.span(Candidate.PART))
                .filter(span -> documents.has(candidate.document()))
                .map(span -> {
                    String evidence = Segments.textOf(span, documents.text(candidate.document()));
                    return evidence.length() <= MOST_EVIDENCE ? evidence : evidence.substring(0, MOST_EVIDENCE) + " …";
                });
    }

    /** Returns the three segments of each candidate's document, by characters, or by sentences and words if a stage says so. */
    public List<List<String>> segments(List<Candidate> candidates) {
        String language = String.valueOf(record.pipeline().get("language"));
        boolean bySentences = String.valueOf(record.pipeline().get("stages")).contains("borders=sentences");
        try (SourceDocuments documents = documents()) {
            return candidates.stream()
                    .map(candidate ->
                            Segments.thirds(documents.text(candidate.document()), bySentences ? language : ""))
                    .toList();
        }
    }

    SourceDocuments documents() {
        return new SourceDocuments(folder.resolve(record.stages().getFirst().file()), "");
    }

    public Candidates lastCandidates() {
        return candidates(record.stages().getLast().name());
    }

    private Candidates candidates(String stage) {
        Map<String, PipelineRecord.Finished> byName = new LinkedHashMap<>();
        record.stages().forEach(finished -> byName.put(finished.name(), finished));
        PipelineRecord.Finished found = byName.get(stage);
        if (found == null) {
            throw new UsageException(Suggestions.unknown("stage", stage, byName.keySet()));
        }
        return new Candidates(Optional.of(folder.resolve(found.file())));
    }
}
