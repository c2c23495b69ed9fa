package io.posbias.probe;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** The list of probes: a new one is a class and a line here. */
final class Probes {
    private static final Map<String, BiFunction<QueryPool, Profile, Probe>> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put("answer", (pool, profile) -> new AnswerProbe(profile));
        KINDS.put("answer-single", (pool, profile) -> new AnswerSingleProbe(profile));
        KINDS.put("position", (pool, profile) -> new PositionProbe(profile));
        KINDS.put("moving", (pool, profile) -> new MovingProbe(profile));
        KINDS.put("literal", (pool, profile) -> new LiteralProbe(profile));
        KINDS.put("brevity", (pool, profile) -> new BrevityProbe(profile));
        KINDS.put("repetition", (pool, profile) -> new RepetitionProbe(profile));
        KINDS.put("grid", (pool, profile) -> new RepetitionGrid());
        KINDS.put("foil", Probes::foil);
        KINDS.put(
                "poison",
                (pool, profile) -> new PoisonProbe(foil(pool, profile), new TypeMatchedAnswers(pool.documents())));
    }

    private Probes() {}

    private static FoilProbe foil(QueryPool pool, Profile profile) {
        return new FoilProbe(profile, new Donors(pool, profile));
    }

    /** Their names, in the order in which they are built and shown. */
    static Set<String> names() {
        return Collections.unmodifiableSet(KINDS.keySet());
    }

    /** The poison probe with wrong answers of a language model. */
    static Probe poison(QueryPool pool, Profile profile, Chat chat) {
        return new PoisonProbe(foil(pool, profile), new LlmAnswers(chat, RagPrompts.bundled(), pool.documents()));
    }

    /** A probe for a pool, by one of the names. */
    static Probe of(String name, QueryPool pool, Profile profile) {
        BiFunction<QueryPool, Profile, Probe> kind = KINDS.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("no probe " + name);
        }
        return kind.apply(pool, profile);
    }
}
