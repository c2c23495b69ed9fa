package io.posbias.probe.redocred;

/**
 * The queries of the position and brevity probes: the head, and in STRICT the tail, is mentioned in the evidence and in
 * no other sentence, so that moving or leaving out the others takes nothing from the answer.
 */
final class RestFree {
    private RestFree() {}

    static Selection select(QueryPool pool, Profile profile) {
        if (profile == Profile.STRICT) {
            return pool.candidates()
                    .keep("one evidence sentence with head and tail", Filters::evidenceMentionsBoth)
                    .keep(
                            "one relation, rest free of head and tail",
                            query -> Filters.singleRelation(query) && Filters.restIsFree(query));
        }
        return pool.candidates()
                .keep(
                        "one evidence sentence with the only mention of the head",
                        query -> Filters.singleEvidence(query)
                                && Filters.headMentionedOnce(query)
                                && Filters.headOnceInEvidence(query)
                                && Filters.headHasOneName(query))
                .keep("one relation", Filters::singleRelation);
    }
}
