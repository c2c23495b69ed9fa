package io.posbias.report.page;

import io.posbias.data.dataset.Passage;
import io.posbias.report.query.Excerpt;
import io.posbias.report.query.LoadedQuery;
import java.util.List;

/**
 * Excerpts of a query and its relevant passages.
 *
 * @param more number of further relevant passages
 */
public record QueryTexts(Excerpt text, List<Gold> gold, int more) {
    /** The longest excerpt of a passage, in UTF-16 units: most of SQuAD's stay whole, five benchmarks below 1 MB. */
    private static final int PASSAGE = 1500;

    private static final int QUERY = 500;
    private static final int TITLE = 200;
    private static final int PASSAGES = 3;

    public QueryTexts {
        text = text.shown();
        gold = List.copyOf(gold);
    }

    /**
     * A relevant passage.
     *
     * @param title its title, shortened; empty when it has none
     */
    record Gold(String id, Excerpt title, Excerpt text) {
        Gold {
            text = text.shown();
        }
    }

    static QueryTexts of(LoadedQuery loaded) {
        List<Passage> relevant = loaded.relevant();
        List<Gold> gold = relevant.stream()
                .limit(PASSAGES)
                .map(passage -> new Gold(
                        passage.id(), Excerpt.of(passage.title(), null, TITLE), loaded.excerpt(passage, PASSAGE)))
                .toList();
        return new QueryTexts(Excerpt.of(loaded.query().text(), null, QUERY), gold, relevant.size() - gold.size());
    }
}
