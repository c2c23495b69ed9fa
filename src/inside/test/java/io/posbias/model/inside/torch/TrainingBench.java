package io.posbias.model.inside.torch;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.retrieve.Recipe;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** posbias's side of {@code scripts/bench/run training}: a task is the passages' number of tokens; work is counted in tokens. */
public final class TrainingBench {
    private static final int VOCABULARY = 30_522;

    private TrainingBench() {}

    /** Arguments: pairs of a step, tokens of a query, steps, threads, posbias's home. */
    public static void main(String[] args) throws Exception {
        int pairs = Integer.parseInt(args[0]);
        int queryTokens = Integer.parseInt(args[1]);
        int steps = Integer.parseInt(args[2]);
        Engine engine = Engine.quiet(
                Integer.parseInt(args[3]),
                Sessions.in(Path.of(args[4])));
        List<Pair> batch = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            batch.add(new Pair("q" + i, "q" + i, Pair.Text.unnamed("p" + i), Set.of(), Pair.UNKNOWN));
        }
        // One encoding, as in plain PyTorch; a clip of 1, as torch_train.py has.
        Trainee.Limits limits = new Trainee.Limits(1024, Integer.MAX_VALUE, 0.01, 1);
        Random random = new Random(7);
        try (Trainee trainee = Trainee.open(RecipeBook.find("all-minilm-l6-v2"), limits, engine)) {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println("ready");
            for (String task = in.readLine(); task != null; task = in.readLine()) {
                int tokens = Integer.parseInt(task);
                long start = System.nanoTime();
                for (int step = 0; step < steps; step++) {
                    step(trainee, batch, queryTokens, tokens, random);
                }
                System.out.println(
                        (System.nanoTime() - start) / 1e9 + " " + (long) steps * pairs * (queryTokens + tokens));
            }
        }
    }

    private static void step(Trainee trainee, List<Pair> batch, int queryTokens, int tokens, Random random) {
        int n = batch.size();
        List<TokenRow> rows = new ArrayList<>();
        for (int i = 0; i < 2 * n; i++) {
            int size = i < n ? queryTokens : tokens;
            rows.add(new TokenRow(random.ints(size, 0, VOCABULARY).toArray(), new int[size], 0, 0, TokenRow.WHOLE));
        }
        float[][] vectors = trainee.vectors(rows);
        InfoNce loss = InfoNce.of(batch, Arrays.copyOf(vectors, n), Arrays.copyOfRange(vectors, n, 2 * n), 20);
        double length = trainee.learn(Stream.concat(Arrays.stream(loss.toQueries()), Arrays.stream(loss.toPassages()))
                .toArray(float[][]::new));
        trainee.update(2e-5, length);
    }
}
