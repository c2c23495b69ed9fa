package io.posbias.model.inside.torch;

import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes scripts/peers/training-java.json: the losses of this engine, for the worker's trainer to equal. */
@Tag("slow")
class RecordLosses {
    @TempDir
    Path temp;

    private final List<Object> cases = new ArrayList<>();
    private int number;

    @Test
    void record() throws IOException {
        for (boolean minilm : new boolean[] {false, true}) {
            Map<String, Object> own = minilm
                    ? Map.of("batch", 8, "epochs", 2, "learning-rate", 2e-4)
                    : Map.of("batch", 8, "epochs", 2, "learning-rate", 1e-2);
            add("plain", minilm, plain(minilm), changes(own));
            add("documents", minilm, tevatron(minilm, 0), changes(own, "warm-up", 0));
            add("documents, hard negatives", minilm, tevatron(minilm, 3), changes(own, "negatives", 1));
            add("documents, two hard negatives", minilm, tevatron(minilm, 3),
                    changes(own, "negatives", 2, "warm-up", 0, "clip", 0.5, "scale", 10, "weight-decay", 0.1));
            add("hard negatives left out", minilm, tevatron(minilm, 3), changes(own, "negatives", 0, "seed", 7));
            add("texts without names", minilm, flagEmbedding(minilm), changes(own, "query-tokens", 4, "max-tokens", 6));
        }
        add("judgements", false, Map.of(), changes(Map.of("batch", 8, "epochs", 2, "learning-rate", 1e-2)));
        Files.write(Path.of("scripts/peers/training-java.json"), Json.toBytes(Map.of("cases", cases)));
    }

    private static Map<String, Object> changes(Map<String, Object> own, Object... more) {
        Map<String, Object> changes = new LinkedHashMap<>(own);
        for (int i = 0; i < more.length; i += 2) {
            changes.put((String) more[i], more[i + 1]);
        }
        return changes;
    }

    private void add(String name, boolean minilm, Map<String, List<Object>> files, Map<String, Object> changes) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("case-" + number++));
        Map<String, Object> written = new LinkedHashMap<>();
        Map<String, List<Object>> all = files.isEmpty() ? benchmark() : files;
        for (Map.Entry<String, List<Object>> file : all.entrySet()) {
            StringBuilder lines = new StringBuilder();
            for (Object line : file.getValue()) {
                lines.append(line instanceof String text ? text : Json.mapper().writeValueAsString(line)).append('\n');
            }
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, lines);
            written.put(file.getKey(), lines.toString());
        }
        Engine engine = Engine.quiet(2, Sessions.in(temp));
        Recipe recipe = minilm ? RecipeBook.find("all-minilm-l6-v2") : TinyModels.writeGraph(temp);
        Path out = temp.resolve("out-" + number);
        PairTraining.of(recipe, List.of(new TrainingOrder(folder, "paper", changes, out)), engine).getFirst().run();
        TrainingRecord record = Json.bind(Json.readJson(out.resolve("train.json")), TrainingRecord.class);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", name);
        row.put("model", minilm ? "all-minilm-l6-v2" : "tiny");
        row.put("files", written);
        row.put("settings", changes);
        row.put("data", record.data());
        row.put("losses", record.losses());
        cases.add(row);
    }

    private static String text(boolean minilm, Random random, int words) {
        String[] all = minilm
                ? "the river castle was built by an old king near a green garden where music teachers wrote letters about winter storms"
                        .split(" ")
                : "a b c d e f g h".split(" ");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ").append(all[random.nextInt(all.length)]);
        }
        return text.toString();
    }

    private static String text(List<Map<String, Object>> passages, int i) {
        return String.valueOf(passages.get(i).get("text"));
    }

    private static String id(List<Map<String, Object>> passages, int i) {
        return String.valueOf(passages.get(i).get("_id"));
    }

    private static Map<String, List<Object>> plain(boolean minilm) {
        Random random = new Random(1);
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String query = text(minilm, random, 2 + i % 3);
            rows.add(Map.of("anchor", query, "positive", query + " " + text(minilm, random, 3 + i % 7)));
        }
        return Map.of("train.jsonl", rows);
    }

    /** Pairs with equal documents, texts, queries, and passages that are judged for other pairs' queries. */
    private static Map<String, List<Object>> tevatron(boolean minilm, int negatives) {
        Random random = new Random(2);
        List<Map<String, Object>> passages = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            int from = i % 4 * 10;
            String text = i % 5 == 4 ? text(passages, i - 4) : text(minilm, random, 4 + i % 8);
            passages.add(Map.of("docid", "d" + i / 4 + ":" + from + "-" + (from + 9), "title", i % 3 == 0 ? "h g" : "", "text", text));
        }
        List<Object> rows = new ArrayList<>();
        String query = "";
        for (int i = 0; i < 18; i++) {
            query = i % 6 == 5 ? query : text(minilm, random, 2 + i % 3);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("query_id", "q" + i);
            row.put("query", query);
            row.put("positive_passages", i % 4 == 1
                    ? List.of(passages.get(i % 16), passages.get((i + 5) % 16))
                    : List.of(passages.get(i % 16)));
            List<Object> hard = new ArrayList<>();
            for (int k = 0; k < i % (negatives + 1); k++) {
                int at = (i + 7 + 2 * k) % 16;
                // Some are windows of other pairs, some of documents of their own.
                boolean isOther = k == 1 || text(passages, at).equals(text(passages, i % 16))
                        || text(passages, at).equals(text(passages, (i + 5) % 16));
                hard.add(isOther ? Map.of("docid", "n" + i + k, "title", "", "text", text(minilm, random, 5 + k)) : passages.get(at));
            }
            row.put("negative_passages", hard);
            rows.add(row);
        }
        return Map.of("train.jsonl", rows);
    }

    private static Map<String, List<Object>> flagEmbedding(boolean minilm) {
        Random random = new Random(3);
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            String query = text(minilm, random, 2 + i % 5);
            List<String> pos = new ArrayList<>(List.of(query + " " + text(minilm, random, 4)));
            if (i % 3 == 0) {
                pos.add(text(minilm, random, 9));
            }
            List<String> neg = new ArrayList<>();
            for (int k = 0; k < i % 3; k++) {
                neg.add("n " + text(minilm, random, 5));
            }
            rows.add(Map.of("query", query, "pos", pos, "neg", neg));
        }
        return Map.of("train.jsonl", rows);
    }

    private static Map<String, List<Object>> benchmark() {
        Random random = new Random(4);
        List<Map<String, Object>> corpus = new ArrayList<>();
        List<Object> queries = new ArrayList<>();
        List<Object> qrels = new ArrayList<>(List.of("query-id\tcorpus-id\tscore"));
        for (int i = 0; i < 16; i++) {
            int from = i % 2 * 10;
            corpus.add(Map.of("_id", "d" + i / 2 + ":" + from + "-" + (from + 9), "title", "", "text", text(false, random, 4 + i % 9)));
        }
        for (int i = 0; i < 16; i++) {
            Map<String, Object> query = new LinkedHashMap<>();
            query.put("_id", "q" + i);
            query.put("text", text(false, random, 3));
            query.put("pos_char_span", List.of(0, 5));
            query.put("pos_char_length", text(corpus, i).length());
            query.put("excluded_ids", List.of(id(corpus, (i + 3) % 16)));
            queries.add(query);
            qrels.add("q" + i + "\t" + id(corpus, i) + "\t1");
        }
        return Map.of("corpus.jsonl", List.copyOf(corpus), "queries.jsonl", queries, "qrels/train.tsv", qrels);
    }
}
