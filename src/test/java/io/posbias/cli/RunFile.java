package io.posbias.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

final class RunFile {
    private RunFile() {}

    /** Query to passage to score. */
    static Map<String, Map<String, Double>> read(Path folder) throws IOException {
        Map<String, Map<String, Double>> run = new LinkedHashMap<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(folder.resolve("run.trec.gz"))), StandardCharsets.UTF_8))) {
            reader.lines().forEach(line -> {
                String[] cells = line.split("\\s+", -1);
                run.computeIfAbsent(cells[0], query -> new LinkedHashMap<>())
                        .put(cells[2], Double.parseDouble(cells[4]));
            });
        }
        return run;
    }
}
