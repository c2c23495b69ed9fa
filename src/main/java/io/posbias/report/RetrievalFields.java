package io.posbias.report;

import io.posbias.Fields;
import io.posbias.measure.PoolRecall;
import io.posbias.measure.Truncation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields {@code truncation}, {@code first_stage}, {@code search} and {@code effort} of a result; each is left out when
 * there is nothing to tell.
 */
final class RetrievalFields {
    private RetrievalFields() {}

    /** Adds them to a result's record. */
    static void write(Retrieval retrieval, Map<String, @Nullable Object> map) {
        if (!retrieval.truncations().isEmpty()) {
            map.put(
                    "truncation",
                    retrieval.truncations().stream()
                            .map(RetrievalFields::truncation)
                            .toList());
        }
        PoolRecall pool = retrieval.firstStage();
        if (pool != null) {
            map.put("first_stage", firstStage(pool));
        }
        if (!retrieval.figures().isEmpty()) {
            map.put("search", retrieval.figures());
        }
        if (!retrieval.effort().isEmpty()) {
            map.put("effort", retrieval.effort());
        }
    }

    private static Map<String, Object> truncation(Truncation truncation) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("stage", truncation.stage());
        map.put("max_tokens", truncation.maxTokens());
        map.put("known", truncation.known());
        map.put("unit", truncation.unit());
        map.put("total", truncation.total());
        map.put("cut", truncation.cut());
        map.put("queries_cut", truncation.queriesCut());
        map.put("evidence_starts_past_cut", truncation.startsPast());
        map.put("evidence_ends_past_cut", truncation.endsPast());
        map.put(
                "buckets",
                truncation.buckets().stream()
                        .map(bucket -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("bucket", bucket.bucket());
                            one.put("starts_past_cut", bucket.startsPast());
                            one.put("ends_past_cut", bucket.endsPast());
                            return one;
                        })
                        .toList());
        return map;
    }

    private static Map<String, Object> firstStage(PoolRecall pool) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", pool.model());
        map.put("depth", pool.depth());
        map.put("first_stage_recall", pool.recall());
        map.put(
                "missed",
                pool.buckets().stream()
                        .map(bucket -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("bucket", bucket.bucket());
                            one.put("queries", bucket.missed());
                            return one;
                        })
                        .toList());
        return map;
    }

    /** Reads them back. */
    static Retrieval read(Fields result) {
        List<Truncation> truncations = result.records("truncation").stream()
                .map(RetrievalFields::readTruncation)
                .toList();
        PoolRecall pool = result.has("first_stage") ? readFirstStage(result.record("first_stage")) : null;
        return new Retrieval(truncations, pool, numbers(result.record("search")), numbers(result.record("effort")));
    }

    private static Truncation readTruncation(Fields fields) {
        return new Truncation(
                fields.text("stage"),
                fields.integer("max_tokens", 0),
                fields.text("unit"),
                (long) fields.number("total"),
                (long) fields.number("cut"),
                (long) fields.number("queries_cut"),
                !Boolean.FALSE.equals(fields.raw("known")),
                fields.integer("evidence_starts_past_cut"),
                fields.integer("evidence_ends_past_cut"),
                fields.records("buckets").stream()
                        .map(one -> new Truncation.Bucket(
                                one.text("bucket"), one.integer("starts_past_cut"), one.integer("ends_past_cut")))
                        .toList());
    }

    private static PoolRecall readFirstStage(Fields fields) {
        return new PoolRecall(
                fields.text("model"),
                fields.integer("depth"),
                fields.number("first_stage_recall"),
                fields.records("missed").stream()
                        .map(one -> new PoolRecall.Bucket(one.text("bucket"), one.integer("queries")))
                        .toList());
    }

    private static Map<String, Double> numbers(Fields fields) {
        Map<String, Double> map = new LinkedHashMap<>();
        fields.names().forEach(name -> map.put(name, fields.number(name)));
        return map;
    }
}
