package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.json.Json;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Proportion;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetPool;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.SecondEvidence;
import io.posbias.data.dataset.SecondEvidence.Side;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.placing.Documents;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code diagnose second-evidence}: queries that another sentence of their passage answers, by position.
 *
 * @param pooled query counts by benchmark; empty for a single one
 * @param foundBy the model; null for the text of the evidence
 * @param buckets of the evidence, in the syntax of {@code --buckets}
 * @param leftOut judged queries without a span in one relevant passage
 * @param longSpans queries whose evidence has more than {@value #LONG} words, which seldom stands twice word by word
 * @param shares all queries, then each bucket
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SecondEvidenceResult(
        String schema,
        String dataset,
        Map<String, String> datasetSha256,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> pooled,
        @Nullable ByModel foundBy,
        Bucketing buckets,
        double confidence,
        int leftOut,
        int longSpans,
        List<SecondShare> shares) {
    static final int LONG = 10;

    /** Bucket of all queries. */
    private static final String ALL = "all";

    /**
     * @param recipeSha256 of the recipe and of a local model's files
     * @param margin that a sentence may be below the best of the evidence
     */
    public record ByModel(String model, String recipeSha256, double margin) {}

    /**
     * Queries of a bucket.
     *
     * @param share null without queries, as its interval
     */
    public record SecondShare(
            @Meaning("position bucket of the evidence, or `" + ALL + "`")
            String bucket,

            @Meaning("queries of the bucket; one in two buckets counts in both")
            int queries,

            @Meaning("queries that another sentence answers")
            int second,

            @Meaning(value = "`second` of `queries`", unit = "fraction") @Nullable
            Double share,

            @Meaning("Wilson's interval of the share") @Nullable
            Interval shareInterval,

            @Meaning("queries that a sentence before the evidence answers")
            int before,

            @Meaning("queries that a sentence after the evidence answers")
            int after,

            @Meaning("queries of all buckets that another sentence in this bucket answers")
            int otherHere) {}

    /**
     * A query, as it was looked at.
     *
     * @param scores of the sentences; empty without a model
     */
    public record LookedAt(Documents.Document document, SecondEvidence found, List<Double> scores) {
        /** Returns the line of the query in the list that {@code eval --single-evidence} takes; spans in code points. */
        private Map<String, Object> row() {
            SequencedMap<String, Object> row = new LinkedHashMap<>();
            row.put("query_id", document.query().id());
            row.put("second", String.valueOf(found.side()));
            row.put("others", points(found.others()));
            row.put("sentences", points(found.sentences().spans()));
            row.put("own", List.of(found.own().from(), found.own().to()));
            if (!scores.isEmpty()) {
                row.put("scores", scores);
            }
            return row;
        }

        private List<List<Integer>> points(List<Span> spans) {
            return CodePoints.fromUtf16(found.sentences().text(), spans).stream()
                    .map(span -> List.of(span.start(), span.end()))
                    .toList();
        }

        private boolean is(Side side) {
            return found.side() == side || found.side() == Side.BOTH;
        }

        private int[] buckets(Bucketing bucketing) {
            return bucketing.bucketsOf(document.query().evidence());
        }

        private Set<Integer> othersIn(Bucketing bucketing) {
            Set<Integer> buckets = new TreeSet<>();
            for (Span other : found.others()) {
                Evidence evidence = Sentences.evidence(found.sentences().text(), other, Evidence.UNKNOWN);
                Arrays.stream(bucketing.bucketsOf(evidence)).forEach(buckets::add);
            }
            return buckets;
        }
    }

    /** Looks for the text of the evidence outside its sentences. */
    public static List<LookedAt> byText(List<Documents.Document> documents) {
        return documents.stream()
                .map(document ->
                        looked(document, SecondEvidence.byText(document.sentences(), evidence(document)), List.of()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Scores each sentence for its query. */
    public static List<LookedAt> byModel(
            List<Documents.Document> documents, Dataset dataset, double margin, Recipe recipe, Engine engine) {
        List<double[]> scores = Documents.scores(documents, dataset, recipe, engine);
        List<LookedAt> all = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            Documents.Document document = documents.get(i);
            double[] own = scores.get(i);
            Optional<SecondEvidence> found =
                    SecondEvidence.byScores(document.sentences(), evidence(document), own, margin);
            looked(document, found, Arrays.stream(own).boxed().toList()).ifPresent(all::add);
        }
        return all;
    }

    private static Span evidence(Documents.Document document) {
        return Objects.requireNonNull(document.evidence());
    }

    private static Optional<LookedAt> looked(
            Documents.Document document, Optional<SecondEvidence> found, List<Double> scores) {
        return found.map(one -> new LookedAt(document, one, scores));
    }

    /** Returns the model as the file names it. */
    public static ByModel by(Recipe recipe, Engine engine, double margin) {
        return new ByModel(recipe.name(), ModelStore.fingerprint(recipe, engine.home()), margin);
    }

    /** Returns JSON lines, one for each query. */
    public static byte[] lines(List<LookedAt> queries) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        queries.forEach(query -> lines.writeBytes(Json.toLine(query.row())));
        return lines.toByteArray();
    }

    /** Counts queries by the bucket of their evidence. */
    public static SecondEvidenceResult of(
            Dataset dataset, List<LookedAt> queries, @Nullable ByModel by, Bucketing bucketing, double confidence) {
        List<String> names = bucketing.positions().buckets();
        List<SecondShare> shares = new ArrayList<>();
        shares.add(share(ALL, queries, (int) count(queries, query -> query.found.isFound()), confidence));
        for (int i = 0; i < names.size(); i++) {
            int bucket = i;
            List<LookedAt> here = queries.stream()
                    .filter(query -> IntStream.of(query.buckets(bucketing)).anyMatch(own -> own == bucket))
                    .toList();
            int others = (int) count(queries, query -> query.othersIn(bucketing).contains(bucket));
            shares.add(share(names.get(i), here, others, confidence));
        }
        String language = dataset.card().language();
        return new SecondEvidenceResult(
                "posbias/second-evidence/1",
                dataset.name(),
                dataset.checksums(),
                DatasetPool.counts(
                        dataset.parts(),
                        queries.stream()
                                .map(query -> query.document.query().id())
                                .toList()),
                by,
                bucketing,
                confidence,
                dataset.judgedQueries().size()
                        - new Documents(dataset, null, Sampler.PAPER_SEED)
                                .evident()
                                .size(),
                (int) count(queries, query -> isLong(query.document, language)),
                shares);
    }

    private static boolean isLong(Documents.Document document, String language) {
        String text = evidence(document).of(document.sentences().text());
        return Words.cut(text, language).size() > LONG;
    }

    private static long count(List<LookedAt> queries, Predicate<LookedAt> which) {
        return queries.stream().filter(which).count();
    }

    private static SecondShare share(String bucket, List<LookedAt> queries, int otherHere, double confidence) {
        int second = (int) count(queries, query -> query.found.isFound());
        Proportion share = queries.isEmpty() ? null : Proportion.of(second, queries.size(), confidence);
        return new SecondShare(
                bucket,
                queries.size(),
                second,
                share == null ? null : (Double) share.share(),
                share == null ? null : share.interval(),
                (int) count(queries, query -> query.is(Side.BEFORE)),
                (int) count(queries, query -> query.is(Side.AFTER)),
                otherHere);
    }

    /** Returns a row for each bucket. */
    public Table table() {
        String way = foundBy == null ? "by the text of the evidence" : "by " + foundBy.model();
        return new Columns<SecondShare>()
                .label("evidence", SecondShare::bucket)
                .text("queries", SecondShare::queries)
                .text("second", SecondShare::second)
                .number("share", NumberFormat.PERCENT, SecondShare::share)
                .interval(NumberFormat.PERCENT, SecondShare::shareInterval)
                .text("before", SecondShare::before)
                .text("after", SecondShare::after)
                .text("other here", SecondShare::otherHere)
                .table("Second evidence in " + dataset + ", " + way, shares, notes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                foundBy == null
                        ? "second: queries whose evidence's text stands in another sentence of its passage, as whole words"
                        : "second: queries with a sentence that " + foundBy.model()
                                + " scores at least as high as the best sentence of the evidence"
                                + (foundBy.margin() == 0 ? "" : ", less " + foundBy.margin()));
        notes.add("before, after: where it stands, by the evidence; other here: queries that another sentence in the"
                + " bucket answers, wherever their evidence is");
        notes.add("interval: " + NumberFormat.percent(confidence) + ", Wilson");
        notes.addAll(DatasetPool.note(pooled));
        if (foundBy == null && longSpans > 0) {
            notes.add("spans of more than " + LONG + " words: " + Plural.of(longSpans, "query")
                    + "; a long text seldom stands twice: give --model");
        }
        if (leftOut > 0) {
            notes.add("left out without a span in one relevant passage: " + Plural.of(leftOut, "query"));
        }
        return notes;
    }

    /** Returns the rows in full precision. */
    public Table raw() {
        return new RecordCsv<>(SecondShare.class).table(shares);
    }

    /** Returns the columns of {@link #raw}, for the reference. */
    public static List<RecordCsv.Described> columns() {
        return new RecordCsv<>(SecondShare.class).described(null);
    }
}
