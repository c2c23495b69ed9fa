package io.posbias.study.probe.redocred;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.Checksums;
import io.posbias.study.probe.NumpyPermutation;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sample of a probe with its records.
 *
 * @param asked requested number of queries
 * @param steps remaining queries after each filter; the last are the candidates
 * @param drawn number of drawn queries
 * @param records by query
 * @param details null if there are none
 */
record ProbeSample(
        String probe,
        int seed,
        int asked,
        SequencedMap<String, Integer> steps,
        int drawn,
        List<List<ProbeRecord>> records,
        WrongAnswers.@Nullable Details details) {
    static final int ALL = Integer.MAX_VALUE;

    static ProbeSample draw(ProbeType type, Probe probe, QueryPool pool, int asked, int seed) {
        Selection candidates = probe.select(pool);
        List<ProbeQuery> drawn = NumpyPermutation.draw(candidates.queries(), asked, seed);
        probe.prepare(drawn);
        List<List<ProbeRecord>> records = drawn.stream()
                .map(probe::records)
                .filter(made -> !made.isEmpty())
                .toList();
        return new ProbeSample(type.name(), seed, asked, candidates.steps(), drawn.size(), records, probe.details());
    }

    int n() {
        return records.size();
    }

    int candidates() {
        return steps.lastEntry().getValue();
    }

    String line() {
        StringBuilder line = new StringBuilder(probe).append(": ").append(n());
        line.append(" of ").append(candidates()).append(" candidates");
        if (candidates() == 0) {
            line.append("; its file is empty");
        } else if (drawn < asked && asked != ALL) {
            line.append("; all are taken, fewer than the ").append(asked).append(" asked for");
        }
        if (n() < drawn) {
            line.append("; ").append(drawn - n()).append(" left out because no record can be built");
        }
        if (details != null && !details.proposalsLeftOut().isEmpty()) {
            line.append(details.proposalsLeftOut().entrySet().stream()
                    .map(reason -> reason.getValue() + " " + reason.getKey())
                    .collect(Collectors.joining(", ", "; proposals that cannot be used: ", "")));
        }
        return line.toString();
    }

    /**
     * A probe in {@code probes.yaml}.
     *
     * @param asked a number, or "all"
     * @param queries those with records
     */
    record SampleEntry(
            String probe,
            String file,
            String sha256,
            SequencedMap<String, Integer> steps,
            int candidates,
            Object asked,
            int seed,
            int drawn,
            int queries,
            int records,
            @JsonUnwrapped WrongAnswers.@Nullable Details details) {}

    SampleEntry write(Path folder) {
        List<ProbeRecord> lines = records.stream().flatMap(List::stream).toList();
        String name = ProbeFolder.write(folder, probe, lines);
        Object all = asked == ALL ? "all" : asked;
        String sha256 = Checksums.sha256(folder.resolve(name));
        return new SampleEntry(probe, name, sha256, steps, candidates(), all, seed, drawn, n(), lines.size(), details);
    }
}
