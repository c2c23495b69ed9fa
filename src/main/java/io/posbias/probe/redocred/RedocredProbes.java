package io.posbias.probe.redocred;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.Staging;
import io.posbias.probe.Chat;
import io.posbias.probe.ProbeType;
import io.posbias.probe.rag.RagPrompts;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the ColDeR paper's probes (Fayyaz et al. 2025, arXiv:2503.05037) from files of Re-DocRED.
 *
 * @param inputs files of Re-DocRED
 * @param corpus files whose articles ask nothing, and in which answers to the queries are looked for
 * @param templates which relations are asked for
 * @param keepDuplicates whether queries stay that another of the articles answers as well
 * @param probes the names of those to build
 * @param n how many queries each gets; null for the paper's 250, and all for the grid
 * @param seed seed of the samples; null for the authors'
 * @param poisoner the language model that thinks of wrong answers for the poison; null for names of the tail's type
 */
public record RedocredProbes(
        List<Path> inputs,
        List<Path> corpus,
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

    private record ProbeKind(ProbeType type, Function<QueryPool, Probe> make) {}

    /** The list of probes: a new one is a class and a line here. */
    private static final List<ProbeKind> KINDS = List.of(
            new ProbeKind(AnswerProbe.TYPE, pool -> new AnswerProbe(false)),
            new ProbeKind(AnswerProbe.SINGLE, pool -> new AnswerProbe(true)),
            new ProbeKind(PositionProbe.TYPE, pool -> new PositionProbe()),
            new ProbeKind(MovingProbe.TYPE, pool -> new MovingProbe()),
            new ProbeKind(LiteralProbe.TYPE, pool -> new LiteralProbe()),
            new ProbeKind(BrevityProbe.TYPE, pool -> new BrevityProbe()),
            new ProbeKind(RepetitionProbe.TYPE, pool -> new RepetitionProbe()),
            new ProbeKind(RepetitionGrid.TYPE, pool -> new RepetitionGrid()),
            new ProbeKind(FoilProbe.TYPE, FoilProbe::new),
            new ProbeKind(
                    PoisonProbe.TYPE,
                    pool -> new PoisonProbe(new FoilProbe(pool), new TypeMatchedAnswers(pool.documents()))));

    /** The names of all probes, in the order in which they are built and shown. */
    public static Set<String> names() {
        return KINDS.stream().map(kind -> kind.type().name()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** What a probe is, by its name; pairs where it is none of these. */
    public static ProbeType type(String name) {
        return Stream.concat(KINDS.stream().map(ProbeKind::type), Stream.of(LiteralProbe.SHORT))
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseGet(() -> ProbeType.pairs(name));
    }

    /** The probe to which language models lend wrong answers. */
    public static String poisoned() {
        return PoisonProbe.TYPE.name();
    }

    static Probe of(String name, QueryPool pool) {
        return KINDS.stream()
                .filter(kind -> kind.type().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no probe " + name))
                .make()
                .apply(pool);
    }

    static Probe poison(QueryPool pool, Chat chat) {
        return new PoisonProbe(new FoilProbe(pool), new LlmAnswers(chat, RagPrompts.bundled(), pool.documents()));
    }

    /** Whether a file, named relative to a folder of probes, is one that is written there. */
    public static boolean isPart(Path file) {
        String name = file.toString();
        return name.equals(CARD)
                || Stream.concat(names().stream(), Stream.of(LiteralProbe.SHORT.name()))
                        .anyMatch(probe -> name.equals(probe + ".jsonl"));
    }

    /**
     * Writes a file for each probe and {@code probes.yaml}, whole or not at all; the same inputs give the same bytes.
     *
     * @param staging for the new folder, or one to replace
     * @param lines takes a line for each probe: candidates, and how many were taken
     * @throws PosbiasException if an input is not what it should be, or no query fits any probe
     */
    public void build(Staging staging, Consumer<String> lines) {
        List<RedocredInput> read = RedocredInput.read(inputs);
        List<RedocredDocument> documents =
                read.stream().flatMap(input -> input.documents().stream()).toList();
        QueryPool pool = QueryPool.of(documents, templates, keepDuplicates, RedocredCorpus.of(corpus, documents));
        List<ProbeSample> samples = samples(pool);
        if (samples.stream().allMatch(sample -> sample.n() == 0)) {
            throw new PosbiasException(
                    "cannot build probes of " + read.getFirst().file() + ": no query fits; queries: "
                            + pool.selection().steps());
        }
        List<ProbeSample.SampleEntry> files =
                samples.stream().map(sample -> sample.write(staging.folder())).toList();
        ProbeFolder.describe(staging.folder(), card(read, pool, files));
        staging.commitFolder();
        samples.forEach(sample -> lines.accept(sample.line()));
    }

    private List<ProbeSample> samples(QueryPool pool) {
        return names().stream()
                .filter(probes::contains)
                .map(name -> {
                    Probe probe = poisoner != null && name.equals(poisoned()) ? poison(pool, poisoner) : of(name, pool);
                    int own = seed == null ? probe.seed() : seed;
                    return ProbeSample.draw(type(name), probe, pool, n == null ? probe.n() : n, own);
                })
                .toList();
    }

    private Map<String, String> corpusDigests() {
        Map<String, String> digests = new LinkedHashMap<>();
        corpus.forEach(file -> digests.put(String.valueOf(file.getFileName()), Checksums.sha256(file)));
        return digests;
    }

    private record RedocredCard(
            String schema,
            String source,
            String licence,
            String citation,
            String templates,
            String duplicates,
            List<RedocredInput.RedocredFile> inputs,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> corpus,
            Map<String, Integer> queries,
            List<ProbeSample.SampleEntry> probes) {}

    private RedocredCard card(List<RedocredInput> read, QueryPool pool, List<ProbeSample.SampleEntry> files) {
        return new RedocredCard(
                "posbias/probes/1",
                "Re-DocRED (Tan et al. 2022, arXiv:2205.12696)",
                "MIT, that of Re-DocRED; its texts are from Wikipedia, CC BY-SA",
                "Fayyaz et al. 2025, Collapse of Dense Retrievers, arXiv:2503.05037",
                templates.toString(),
                keepDuplicates ? "kept" : "left out",
                read.stream().map(RedocredInput::entry).toList(),
                corpusDigests(),
                pool.selection().steps(),
                files);
    }
}
