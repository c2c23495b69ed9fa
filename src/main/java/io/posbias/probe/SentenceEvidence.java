package io.posbias.probe;

import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sentence of a passage that scores highest with a query, taken for the evidence where nobody has marked it.
 *
 * @param sentences the passage's
 * @param best the number of the sentence with the highest score, from 0; of equal ones the first
 * @param tied how many sentences have that score, 1 or more
 */
public record SentenceEvidence(Sentences sentences, int best, int tied) {
    /** The probe's name. */
    public static final String PROBE = "evidence";

    /** One item for each sentence of a passage, in their order. */
    public static List<ProbeItem> items(Query query, Sentences sentences) {
        List<ProbeItem> items = new ArrayList<>();
        for (String sentence : sentences.all()) {
            Map<String, String> tags = Map.of("sentence", String.valueOf(items.size() + 1));
            items.add(new ProbeItem(PROBE, query.id(), query.text(), sentence, null, tags));
        }
        return items;
    }

    /**
     * Looks for the best.
     *
     * @param scored the {@link #items} of the passage with their scores, at least one
     */
    public static SentenceEvidence of(Sentences sentences, List<ScoredItem> scored) {
        int best = 0;
        int tied = 0;
        for (int i = 0; i < scored.size(); i++) {
            int order = Double.compare(scored.get(i).score1(), scored.get(best).score1());
            if (order > 0) {
                best = i;
            }
            tied = order > 0 ? 1 : order == 0 ? tied + 1 : tied;
        }
        return new SentenceEvidence(sentences, best, tied);
    }

    /** Whether the scores tell sentences apart; a single sentence needs no telling. */
    public boolean isTold() {
        return sentences.size() == 1 || tied < sentences.size();
    }

    /** Where the best sentence lies. */
    public Evidence evidence() {
        String text = sentences.text();
        Span span = sentences.span(best);
        return new Evidence(
                text.codePointCount(0, span.start()),
                text.codePointCount(0, span.end()),
                CodePoints.count(text),
                Evidence.UNKNOWN,
                List.of(),
                span);
    }

    /** Whether the best sentence is one of some in a row. */
    public boolean isIn(Sentences.Range range) {
        return range.from() <= best && best < range.to();
    }
}
