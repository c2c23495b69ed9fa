package io.posbias.probe.redocred;

import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.probe.Chat;
import io.posbias.probe.ProbeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds the ColDeR paper's probes (Fayyaz et al. 2025, arXiv:2503.05037) from files of Re-DocRED.
 *
 * @param inputs files of Re-DocRED
 * @param profile which reading of the paper
 * @param templates which relations are asked for
 * @param keepDuplicates whether queries stay that another of the articles answers as well
 * @param probes the names of those to build
 * @param n how many queries each gets; null for the paper's 250, and all for the grid
 * @param seed seed of the samples; null for the authors'
 * @param poisoner the language model that thinks of wrong answers for the poison; null for names of the tail's type
 */
public record RedocredProbes(
        List<Path> inputs,
        Profile profile,
        QuestionTemplates templates,
        boolean keepDuplicates,
        Set<String> probes,
        @Nullable Integer n,
        @Nullable Integer seed,
        @Nullable Chat poisoner) {
    /** The sample size of the paper. */
    public static final int PAPER_N = 250;

    /** The file that says what the others are. */
    public static final String CARD = "probes.yaml";

    /** Copies the lists. */
    public RedocredProbes {
        inputs = List.copyOf(inputs);
        probes = Set.copyOf(probes);
    }

    /** The names of all probes, in the order in which they are built. */
    public static Set<String> names() {
        return Probes.names();
    }

    /** What a probe is, by its name; pairs where it is none of these. */
    public static ProbeType type(String name) {
        return Probes.type(name);
    }

    /** The probe to which language models lend wrong answers. */
    public static String poisoned() {
        return PoisonProbe.TYPE.name();
    }

    /** Whether a file, named relative to a folder of probes, is one that is written there. */
    public static boolean isPart(Path file) {
        String name = file.toString();
        return name.equals(CARD) || names().stream().anyMatch(probe -> name.equals(probe + ".jsonl"));
    }

    /**
     * Writes a file for each probe and {@code probes.yaml}, whole or not at all; the same inputs give the same bytes.
     *
     * @param out the new folder, or one to replace
     * @param lines takes a line for each probe: candidates, and how many were taken
     * @throws PosbiasException if an input is not what it should be, or no query fits any probe
     */
    public void build(Path out, Consumer<String> lines) {
        List<RedocredInput> read = RedocredInput.read(inputs);
        QueryPool pool = QueryPool.of(
                read.stream().flatMap(input -> input.documents().stream()).toList(), templates, keepDuplicates);
        List<ProbeSample> samples = samples(pool);
        if (samples.stream().allMatch(sample -> sample.n() == 0)) {
            throw new PosbiasException(
                    "cannot build probes of " + read.getFirst().file() + ": no query fits; queries: "
                            + pool.selection().steps());
        }
        try (Staging staging = Staging.beside(out)) {
            List<Map<String, Object>> files = new ArrayList<>();
            samples.forEach(sample -> files.add(sample.write(staging.folder())));
            writeCard(staging.folder().resolve(CARD), read, pool, files);
            staging.commitFolder();
        }
        samples.forEach(sample -> lines.accept(sample.line()));
    }

    private List<ProbeSample> samples(QueryPool pool) {
        return names().stream()
                .filter(probes::contains)
                .map(name -> sample(probe(name, pool), pool))
                .toList();
    }

    private Probe probe(String name, QueryPool pool) {
        return poisoner != null && name.equals(poisoned())
                ? Probes.poison(pool, profile, poisoner)
                : Probes.of(name, pool, profile);
    }

    private ProbeSample sample(Probe probe, QueryPool pool) {
        return ProbeSample.draw(probe, pool, n == null ? probe.n() : n, seed == null ? probe.seed() : seed);
    }

    private void writeCard(Path file, List<RedocredInput> read, QueryPool pool, List<Map<String, Object>> files) {
        Map<String, Object> card = new LinkedHashMap<>();
        card.put("schema", "posbias/probes/1");
        card.put("source", "Re-DocRED (Tan et al. 2022, arXiv:2205.12696)");
        card.put("licence", "MIT, that of Re-DocRED; its texts are from Wikipedia, CC BY-SA");
        card.put("citation", "Fayyaz et al. 2025, Collapse of Dense Retrievers, arXiv:2503.05037");
        card.put("profile", profile.toString());
        card.put("templates", templates.toString());
        card.put("duplicates", keepDuplicates ? "kept" : "left out");
        card.put("inputs", read.stream().map(RedocredInput::toMap).toList());
        card.put("queries", pool.selection().steps());
        card.put("probes", files);
        try {
            Files.writeString(file, Json.toYaml(card));
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }
}
