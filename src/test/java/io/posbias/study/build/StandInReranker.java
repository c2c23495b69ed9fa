package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.net.StandInServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Rerankers behind an API like Jina's, whose scores follow a rule: the share of the question's terms that a text has, to the
 * power of the model's number, and up to a tenth more the more often it has them. Scores are between 0 and 1.
 */
public final class StandInReranker extends StandInServer {
    private final Map<String, Map<String, Long>> words = new ConcurrentHashMap<>();

    public StandInReranker() {
        super(0);
        serve((exchange, request) -> sendJson(exchange, 200, Json.mapper().writeValueAsBytes(answer(request))));
    }

    public List<String> recipes(Path folder, int models) {
        List<String> files = new ArrayList<>();
        for (int power = 1; power <= models; power++) {
            String recipe = "name: stand-in-" + power + "\nkind: rerank-api\nservice: jina\nmodel: power-" + power
                    + "\nendpoint: " + address()
                    + "/v1/rerank\nmax-tokens: 100000\ndocuments-per-call: 100\nfirst-stage: bm25\ndepth: 100\n";
            files.add(Pipelines.write(folder.resolve("stand-in-" + power + ".yaml"), recipe)
                    .toString());
        }
        return files;
    }

    double score(String question, String text, int power) {
        Set<String> terms = new HashSet<>(StandInModel.words(question));
        terms.removeAll(Set.of("what", "about"));
        Map<String, Long> counts = words.computeIfAbsent(
                text,
                unseen -> StandInModel.words(unseen).stream()
                        .collect(Collectors.groupingBy(word -> word, Collectors.counting())));
        long there = terms.stream().filter(counts::containsKey).count();
        long occurrences =
                terms.stream().mapToLong(term -> counts.getOrDefault(term, 0L)).sum();
        return Math.pow(there / (double) terms.size(), power) * (1 - 0.1 / (1 + occurrences));
    }

    private Map<String, Object> answer(Seen request) {
        Fields asked = request.fields();
        String model = asked.text("model");
        int power = Integer.parseInt(model.substring(model.lastIndexOf('-') + 1));
        List<String> documents = asked.texts("documents");
        List<Map<String, Object>> results = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            double score = score(asked.text("query"), documents.get(i), power);
            results.add(Map.of("index", i, "relevance_score", score));
        }
        return Map.of("results", results, "usage", Map.of("total_tokens", 1));
    }
}
