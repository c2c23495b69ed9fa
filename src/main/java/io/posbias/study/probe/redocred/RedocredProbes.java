package io.posbias.study.probe.redocred;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.rag.RagPrompts;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import io.posbias.study.probe.redocred.WrongAnswers.LlmAnswers;
import io.posbias.study.probe.redocred.WrongAnswers.TypeMatchedAnswers;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the ColDeR paper's probes (Fayyaz et al. 2025, arXiv:2503.05037) from files of Re-DocRED.
 *
 * @param corpus further files, searched for answers to the queries
 * @param n queries per probe; null for the paper's 250, and all for the grid
 * @param seed null for the authors'
 * @param poisoner writes wrong answers for the poison; null for names of the tail's type
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
    /** The paper's sample size. */
    public static final int PAPER_N = Probe.PAPER_N;

    public static final String CARD = "probes.yaml";

    private record ProbeKind(ProbeType type, Function<QueryPool, Probe> make) {}

    /** Registry of probes: a new one is a class and a line. */
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
            new ProbeKind(PoisonProbe.TYPE, pool -> new PoisonProbe(pool, new TypeMatchedAnswers(pool.documents()))),
            new ProbeKind(RelationProbe.TYPE, pool -> new RelationProbe()));

    public static Set<String> names() {
        return KINDS.stream().map(kind -> kind.type().name()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The type of a probe; pairs for an unknown name. */
    public static ProbeType type(String name) {
        return Stream.concat(KINDS.stream().map(ProbeKind::type), Stream.of(LiteralProbe.SHORT))
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseGet(() -> ProbeType.pairs(name));
    }

    /** The probe that accepts wrong answers of a language model. */
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
        return new PoisonProbe(pool, new LlmAnswers(chat, RagPrompts.bundled(), pool.documents()));
    }

    /** Returns true if a relative path is a file of a probe folder. */
    public static boolean isPart(Path file) {
        String name = file.toString();
        return name.equals(CARD)
                || Stream.concat(names().stream(), Stream.of(LiteralProbe.SHORT.name()))
                        .anyMatch(probe -> name.equals(probe + ".jsonl"));
    }

    /**
     * Writes one file per probe and {@code probes.yaml} atomically and reproducibly.
     *
     * @throws PosbiasException if an input is invalid or no query fits any probe
     */
    public void build(Staging staging, Session session) {
        List<RedocredInput> read = session.step("read Re-DocRED", () -> RedocredInput.read(inputs));
        List<RedocredDocument> documents =
                read.stream().flatMap(input -> input.documents().stream()).toList();
        QueryPool pool = session.step(
                "write questions",
                () -> QueryPool.of(documents, templates, keepDuplicates, RedocredCorpus.of(corpus, documents)));
        List<ProbeSample> samples = samples(pool, session);
        if (samples.stream().allMatch(sample -> sample.n() == 0)) {
            throw new PosbiasException(
                    "cannot build probes of " + read.getFirst().file() + ": no query fits; queries: "
                            + pool.selection().steps());
        }
        List<ProbeSample.SampleEntry> files =
                samples.stream().map(sample -> sample.write(staging.folder())).toList();
        ProbeFolder.describe(staging.folder(), card(read, pool, files));
        staging.commitFolder();
        samples.forEach(sample -> session.say(sample.line()));
    }

    private List<ProbeSample> samples(QueryPool pool, Session session) {
        return names().stream()
                .filter(probes::contains)
                .map(name -> session.step("build " + name, () -> sample(name, pool)))
                .toList();
    }

    private ProbeSample sample(String name, QueryPool pool) {
        Probe probe = poisoner != null && name.equals(poisoned()) ? poison(pool, poisoner) : of(name, pool);
        int own = seed == null ? probe.seed() : seed;
        return ProbeSample.draw(type(name), probe, pool, n == null ? probe.n() : n, own);
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
