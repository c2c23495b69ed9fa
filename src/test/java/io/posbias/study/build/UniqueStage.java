package io.posbias.study.build;

import io.posbias.base.json.Setting;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Drops questions that were asked before.
 *
 * @param most times that a question may be asked
 */
public record UniqueStage(@Setting(usual = "1", least = 1) int most) implements Stage {
    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, Integer> asked = new HashMap<>();
        candidates.forEach(candidate -> {
            if (asked.merge(candidate.text(Candidate.QUESTION), 1, Integer::sum) > most) {
                out.drop(candidate, "asked before");
            } else {
                out.keep(candidate);
            }
        });
    }
}
