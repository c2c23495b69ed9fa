package io.posbias.probe.redocred;

import io.posbias.probe.Chat;
import io.posbias.probe.ProbeType;
import io.posbias.probe.rag.RagPrompts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The list of probes: a new one is a class and a line here. */
final class Probes {
    private record Kind(ProbeType type, BiFunction<QueryPool, Profile, Probe> make) {}

    private static final List<Kind> KINDS = List.of(
            new Kind(AnswerProbe.TYPE, (pool, profile) -> new AnswerProbe(profile)),
            new Kind(AnswerSingleProbe.TYPE, (pool, profile) -> new AnswerSingleProbe(profile)),
            new Kind(PositionProbe.TYPE, (pool, profile) -> new PositionProbe(profile)),
            new Kind(MovingProbe.TYPE, (pool, profile) -> new MovingProbe(profile)),
            new Kind(LiteralProbe.TYPE, (pool, profile) -> new LiteralProbe(profile)),
            new Kind(BrevityProbe.TYPE, (pool, profile) -> new BrevityProbe(profile)),
            new Kind(RepetitionProbe.TYPE, (pool, profile) -> new RepetitionProbe(profile)),
            new Kind(RepetitionGrid.TYPE, (pool, profile) -> new RepetitionGrid()),
            new Kind(FoilProbe.TYPE, Probes::foil),
            new Kind(
                    PoisonProbe.TYPE,
                    (pool, profile) -> new PoisonProbe(foil(pool, profile), new TypeMatchedAnswers(pool.documents()))));

    private Probes() {}

    private static FoilProbe foil(QueryPool pool, Profile profile) {
        return new FoilProbe(profile, new Donors(pool, profile));
    }

    /** Their names, in the order in which they are built and shown. */
    static Set<String> names() {
        return KINDS.stream().map(kind -> kind.type().name()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** What a probe is; pairs where the name is none of these. */
    static ProbeType type(String name) {
        return kind(name).map(Kind::type).orElseGet(() -> ProbeType.pairs(name));
    }

    private static Optional<Kind> kind(String name) {
        return KINDS.stream().filter(kind -> kind.type().name().equals(name)).findFirst();
    }

    /** The poison probe with wrong answers of a language model. */
    static Probe poison(QueryPool pool, Profile profile, Chat chat) {
        return new PoisonProbe(foil(pool, profile), new LlmAnswers(chat, RagPrompts.bundled(), pool.documents()));
    }

    /** A probe for a pool, by one of the names. */
    static Probe of(String name, QueryPool pool, Profile profile) {
        return kind(name)
                .orElseThrow(() -> new IllegalArgumentException("no probe " + name))
                .make()
                .apply(pool, profile);
    }
}
