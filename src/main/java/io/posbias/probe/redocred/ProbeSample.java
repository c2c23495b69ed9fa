package io.posbias.probe.redocred;

import io.posbias.Checksums;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.probe.NumpyPermutation;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The queries that were drawn for a probe, and their records.
 *
 * @param probe the probe's name
 * @param seed seed of the draw
 * @param asked how many queries were asked for
 * @param steps how many queries were left after each step of the choice; the last are the candidates
 * @param drawn how many were drawn: all candidates, where there are no more than asked for
 * @param records the records of each query for which they could be made
 * @param refused how many queries have none, by reason, as far as reasons are known
 * @param details what else {@code probes.yaml} says
 */
record ProbeSample(
        String probe,
        int seed,
        int asked,
        SequencedMap<String, Integer> steps,
        int drawn,
        List<List<ProbeRecord>> records,
        Map<String, Integer> refused,
        Map<String, Object> details) {
    /** Asks for all candidates. */
    static final int ALL = Integer.MAX_VALUE;

    /** Draws queries and makes their records. */
    static ProbeSample draw(Probe probe, QueryPool pool, int asked, int seed) {
        Selection candidates = probe.select(pool);
        List<ProbeQuery> drawn = NumpyPermutation.draw(candidates.queries(), asked, seed);
        probe.prepare(drawn);
        List<List<ProbeRecord>> records = new ArrayList<>();
        for (ProbeQuery query : drawn) {
            List<ProbeRecord> made = probe.records(query);
            if (!made.isEmpty()) {
                records.add(made);
            }
        }
        return new ProbeSample(
                probe.name(), seed, asked, candidates.steps(), drawn.size(), records, probe.refused(), probe.details());
    }

    /** How many queries have records. */
    int n() {
        return records.size();
    }

    int candidates() {
        return steps.lastEntry().getValue();
    }

    /** One line that says how many there are, and whether they are fewer than asked for. */
    String line() {
        StringBuilder line = new StringBuilder(probe).append(": ").append(n());
        line.append(" of ").append(candidates()).append(" candidates");
        if (candidates() == 0) {
            line.append("; its file is empty");
        } else if (drawn < asked && asked != ALL) {
            line.append("; all are taken, fewer than the ").append(asked).append(" asked for");
        }
        if (n() < drawn) {
            line.append("; ").append(drawn - n()).append(" left out, as no record can be made of them");
        }
        if (!refused.isEmpty()) {
            List<String> reasons = new ArrayList<>();
            new TreeMap<>(refused).forEach((reason, count) -> reasons.add(count + " " + reason));
            line.append("; proposals that cannot be used: ").append(String.join(", ", reasons));
        }
        return line.toString();
    }

    /** Writes the records, one a line, and gives what {@code probes.yaml} says of the file. */
    Map<String, Object> write(Path folder) {
        Path file = folder.resolve(probe + ".jsonl");
        int lines = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (ProbeRecord record : records.stream().flatMap(List::stream).toList()) {
                out.write(Json.mapper().writeValueAsBytes(record.toMap()));
                out.write('\n');
                lines++;
            }
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
        return toMap(file, lines);
    }

    private Map<String, Object> toMap(Path file, int lines) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("probe", probe);
        map.put("file", String.valueOf(file.getFileName()));
        map.put("sha256", Checksums.sha256(file));
        map.put("steps", steps);
        map.put("candidates", candidates());
        map.put("asked", asked == ALL ? "all" : asked);
        map.put("seed", seed);
        map.put("drawn", drawn);
        map.put("queries", n());
        map.put("records", lines);
        map.putAll(details);
        return map;
    }
}
