package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Json;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Proportion;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DataOrigin;
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
import io.posbias.run.DiagnosisRunner;
import io.posbias.run.placing.Documents;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Study;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code diagnose second-evidence}: queries that another sentence of their passage answers, by position.
 *
 * @param foundBy the model; null for the text of the evidence
 * @param buckets of the evidence, in the syntax of {@code --buckets}
 * @param leftOut judged queries without a span in one relevant passage
 * @param longSpans queries whose evidence has more than {@value #LONG} words, which seldom stands twice word by word
 * @param shares all queries, then each bucket
 * @param queries that were looked at
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SecondEvidenceResult(
        String schema,
        @JsonUnwrapped DataOrigin data,
        @Nullable ByModel foundBy,
        Bucketing buckets,
        double confidence,
        int leftOut,
        int longSpans,
        List<SecondShare> shares,
        @JsonIgnore List<LookedAt> queries) {
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
    public static SecondEvidenceResult byText(Documents all, Settings statistics) {
        List<LookedAt> queries = all.read(all.evident()).stream()
                .flatMap(document -> SecondEvidence.byText(document.sentences(), evidence(document)).stream()
                        .map(found -> new LookedAt(document, found, List.of())))
                .toList();
        return of(all, queries, null, statistics);
    }

    /**
     * Scores each sentence for its query, and says how long it took.
     *
     * @param margin that a sentence may be below the best of the evidence
     */
    public static SecondEvidenceResult byModel(
            Documents all, double margin, Recipe recipe, Engine engine, Settings statistics) {
        List<Documents.Document> documents = all.read(all.evident());
        List<double[]> scores = DiagnosisRunner.timed(
                recipe,
                engine,
                own -> all.dataset().name() + ": " + Plural.of(documents.size(), "query"),
                () -> Documents.scores(documents, all.dataset(), recipe, engine));
        List<LookedAt> queries = new ArrayList<>();
        for (int i = 0; i < scores.size(); i++) {
            Documents.Document document = documents.get(i);
            double[] own = scores.get(i);
            SecondEvidence.byScores(document.sentences(), evidence(document), own, margin)
                    .map(found -> new LookedAt(
                            document, found, Arrays.stream(own).boxed().toList()))
                    .ifPresent(queries::add);
        }
        String digest = ModelStore.fingerprint(recipe, engine.home());
        return of(all, queries, new ByModel(recipe.name(), digest, margin), statistics);
    }

    private static Span evidence(Documents.Document document) {
        return Objects.requireNonNull(document.evidence());
    }

    /** Returns JSON lines, one for each query. */
    public byte[] lines() {
        return Json.toLines(queries.stream().map(LookedAt::row).toList());
    }

    private static SecondEvidenceResult of(
            Documents all, List<LookedAt> queries, @Nullable ByModel by, Settings statistics) {
        Bucketing buckets = statistics.bucketing();
        List<String> names = buckets.positions().buckets();
        List<SecondShare> shares = new ArrayList<>();
        int second = count(queries, query -> query.found.isFound());
        shares.add(share(ALL, queries, second, statistics.confidence()));
        for (int i = 0; i < names.size(); i++) {
            int bucket = i;
            List<LookedAt> here = queries.stream()
                    .filter(query -> IntStream.of(query.buckets(buckets)).anyMatch(own -> own == bucket))
                    .toList();
            int others = count(queries, query -> query.othersIn(buckets).contains(bucket));
            shares.add(share(names.get(i), here, others, statistics.confidence()));
        }
        List<String> ids =
                queries.stream().map(query -> query.document.query().id()).toList();
        return new SecondEvidenceResult(
                "posbias/second-evidence/1",
                DataOrigin.of(all.dataset(), ids),
                by,
                buckets,
                statistics.confidence(),
                all.dataset().judgedQueries().size() - all.evident().size(),
                count(queries, query -> isLong(query.document, all.language())),
                shares,
                queries);
    }

    private static boolean isLong(Documents.Document document, String language) {
        String text = evidence(document).of(document.sentences().text());
        return Words.cut(text, language).size() > LONG;
    }

    private static int count(List<LookedAt> queries, Predicate<LookedAt> which) {
        return (int) queries.stream().filter(which).count();
    }

    private static SecondShare share(String bucket, List<LookedAt> queries, int otherHere, double confidence) {
        int second = count(queries, query -> query.found.isFound());
        Proportion share = queries.isEmpty() ? null : Proportion.of(second, queries.size(), confidence);
        return new SecondShare(
                bucket,
                queries.size(),
                second,
                share == null ? null : (Double) share.share(),
                share == null ? null : share.interval(),
                count(queries, query -> query.is(Side.BEFORE)),
                count(queries, query -> query.is(Side.AFTER)),
                otherHere);
    }

    private static final RecordCsv<SecondShare> LINES = new RecordCsv<>(SecondShare.class);

    public static Study study() {
        return new Study(
                "second-evidence-1",
                SecondEvidenceResult.class,
                new Study.Csv("A line for all queries, and for each bucket of their evidence.", LINES),
                null);
    }

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
                .table("Second evidence in " + data.dataset() + ", " + way, shares, notes());
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
        notes.addAll(data.note());
        if (foundBy == null && longSpans > 0) {
            notes.add("spans of more than " + LONG + " words: " + Plural.of(longSpans, "query")
                    + "; a long text seldom stands twice: give --model");
        }
        if (leftOut > 0) {
            notes.add("left out without a span in one relevant passage: " + Plural.of(leftOut, "query"));
        }
        return notes;
    }

    public Table raw() {
        return LINES.table(shares);
    }
}
