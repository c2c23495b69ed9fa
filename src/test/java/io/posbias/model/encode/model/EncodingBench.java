package io.posbias.model.encode.model;

import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** posbias's side of {@code scripts/bench/run encoding}: tasks are FILE-MAXTOKENS, such as passages-256. */
public final class EncodingBench {
    private static final Map<String, String> RECIPES = Map.of("256", "all-minilm-l6-v2", "512", "all-minilm-l6-v2-512");

    private EncodingBench() {}

    /** Arguments: the folder of texts, posbias's home, threads. */
    public static void main(String[] args) throws Exception {
        Engine engine = Engine.quiet(Integer.parseInt(args[2]), Sessions.in(Path.of(args[1])));
        Map<String, DenseEncoder> encoders = new HashMap<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String task = in.readLine(); task != null; task = in.readLine()) {
            String[] parts = task.split("-", -1);
            DenseEncoder encoder = encoders.computeIfAbsent(parts[1], tokens -> {
                Recipe recipe = RecipeBook.find(Objects.requireNonNull(RECIPES.get(tokens), tokens));
                return new DenseEncoder(StandIns.dense(recipe.settings()), engine);
            });
            List<String> texts = Files.readAllLines(Path.of(args[0], parts[0] + ".txt"));
            Role role = parts[0].equals("questions") ? Role.QUERY : Role.PASSAGE;
            long start = System.nanoTime();
            encoder.prepare(texts, role).run(batch -> {});
            System.out.println((System.nanoTime() - start) / 1e9 + " " + texts.size());
        }
    }
}
