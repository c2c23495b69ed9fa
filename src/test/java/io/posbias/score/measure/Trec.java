package io.posbias.score.measure;

import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.input.TextInput;
import io.posbias.rank.Ranking;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads trec_eval's own files for tests: judgements in four columns, a run in six, its output in three. */
final class Trec {
    final Map<String, Judgments> judgments = new LinkedHashMap<>();
    final Map<String, Ranking> rankings = new LinkedHashMap<>();

    private Trec() {}

    static List<String[]> lines(Path file) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(TextInput.open(file), StandardCharsets.UTF_8))) {
            return reader.lines().map(line -> line.strip().split("\\s+")).toList();
        }
    }

    static Trec read(Path qrels, Path run) throws IOException {
        List<String[]> judged = lines(qrels);
        List<String[]> found = lines(run);
        Set<String> ids = new LinkedHashSet<>();
        judged.forEach(line -> ids.add(line[2]));
        found.forEach(line -> ids.add(line[2]));
        PassageIds passages = new PassageIds(ids);
        Trec trec = new Trec();
        Map<String, Map<Integer, Integer>> grades = new LinkedHashMap<>();
        judged.forEach(line -> grades.computeIfAbsent(line[0], id -> new LinkedHashMap<>())
                .put(passages.ordinal(line[2]), Integer.parseInt(line[3])));
        grades.forEach((query, of) -> trec.judgments.put(query, Judgments.of(of)));
        Map<String, List<String[]>> hits = new LinkedHashMap<>();
        found.forEach(
                line -> hits.computeIfAbsent(line[0], id -> new ArrayList<>()).add(line));
        hits.forEach((query, of) -> {
            float[] scores = new float[of.size()];
            for (int i = 0; i < scores.length; i++) {
                scores[i] = (float) Double.parseDouble(of.get(i)[4]);
            }
            int[] ordinals =
                    of.stream().mapToInt(line -> passages.ordinal(line[2])).toArray();
            trec.rankings.put(query, Ranking.of(ordinals, scores));
        });
        return trec;
    }

    /** trec_eval's name for a measure; empty for one that it does not have. */
    static String name(Measure measure) {
        String name = measure.toString();
        String k = name.contains("@") ? name.substring(name.indexOf('@') + 1) : "";
        if (measure.kind().stem().equals("nDCG")) {
            return k.isEmpty() ? "ndcg" : "ndcg_cut_" + k;
        }
        if (measure.kind().stem().equals("AP")) {
            return k.isEmpty() ? "map" : "map_cut_" + k;
        }
        if (measure.kind().stem().equals("RR")) {
            return k.isEmpty() ? "recip_rank" : "";
        }
        return (measure.kind().stem().equals("R") ? "recall_" : "P_") + k;
    }
}
