package io.posbias.model.encode.worker;

import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** posbias's side of {@code scripts/bench/run worker}: tasks are files, questions or passages. */
public final class WorkerBench {
    private WorkerBench() {}

    /** Arguments: the model's folder, the folder of texts, posbias's home, threads, Python, texts per request. */
    public static void main(String[] args) throws Exception {
        List<String> command = List.of(args[4], WorkerSettings.OWN, "--model", args[0]);
        WorkerSettings settings = new WorkerSettings(
                WorkerSettings.Gives.DENSE, command, Integer.parseInt(args[5]), 600, 1, false, false);
        Engine engine = Engine.quiet(Integer.parseInt(args[3]), Sessions.in(Path.of(args[2])));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (WorkerEncoder encoder = new WorkerEncoder("bench", settings, engine)) {
            System.out.println("ready");
            for (String task = in.readLine(); task != null; task = in.readLine()) {
                List<String> texts = Files.readAllLines(Path.of(args[1], task + ".txt"));
                Role role = task.equals("questions") ? Role.QUERY : Role.PASSAGE;
                long start = System.nanoTime();
                encoder.prepare(texts, role).run(batch -> {});
                System.out.println((System.nanoTime() - start) / 1e9 + " " + texts.size());
            }
        }
    }
}
