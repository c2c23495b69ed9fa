package io.posbias.study.probe.redocred;

import io.posbias.base.text.Plural;
import io.posbias.data.convert.Converter;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The retrieval set of ColDeR's Table A.3: every article is a passage; every label with evidence and without a duplicate is a
 * query, over all 94 questions, whose relevant passage is its article. From Re-DocRED's test, dev and training files and
 * DocRED's {@code train_distant.json} the paper has 105,925 passages and 32,793, 18,170 and finally 7,170 queries.
 *
 * @param inputs files with queries
 * @param corpus files without queries
 */
public record RedocredBenchmark(List<Path> inputs, List<Path> corpus, DatasetCard card) implements Converter {
    @Override
    public DatasetCard convert(DatasetWriter out) {
        List<RedocredDocument> asking = RedocredInput.read(inputs).stream()
                .flatMap(input -> input.documents().stream())
                .toList();
        RedocredCorpus others = RedocredCorpus.of(corpus, asking);
        QueryPool pool = QueryPool.of(asking, QuestionTemplates.ALL, false, others);
        Map<String, String> ids = new HashMap<>();
        Map<String, Integer> numbers = new HashMap<>();
        asking.forEach(document -> ids.put(document.title(), write(document, numbers, out)));
        others.forEach(document -> write(document, numbers, out));
        pool.queries().forEach(query -> {
            out.query(new Query(query.id(), query.text(), evidence(query)));
            out.judgment(query.id(), ids.getOrDefault(query.title(), ""), 1);
        });
        pool.selection().steps().forEach((step, left) -> out.note("queries, " + step + ": " + left));
        long several =
                pool.queries().stream().filter(query -> !query.singleEvidence()).count();
        out.note(Plural.of(several, "query") + " with several evidence sentences, and so without a position");
        return card;
    }

    /** Identifiers are file and number, because titles have spaces, which runs cannot hold. */
    private static String write(RedocredDocument document, Map<String, Integer> numbers, DatasetWriter out) {
        int number = numbers.merge(document.split(), 1, Integer::sum) - 1;
        String id = document.split() + "-article" + number;
        out.passage(new Passage(id, document.title(), document.text()));
        return id;
    }

    /** The evidence's span in the text; null for several evidence sentences. */
    private static @Nullable Evidence evidence(ProbeQuery query) {
        if (!query.singleEvidence()) {
            return null;
        }
        RedocredDocument document = query.document();
        int start = document.sentences().subList(0, query.evidence()).stream()
                .mapToInt(sentence -> CodePoints.count(sentence) + 1)
                .sum();
        int end = start + CodePoints.count(document.sentence(query.evidence()));
        int length = CodePoints.count(document.text());
        return Evidence.of(start, end, length);
    }
}
