package io.posbias.dataset.convert;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.EvidenceFields;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Query;
import io.posbias.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One PosIR benchmark from its published files: {@code queries.parquet}, {@code corpus.parquet} and
 * {@code qrels/test.parquet}. For cross-lingual retrieval queries and judgements come from one language's folder and the
 * corpus from another's (in the paper always English).
 *
 * <p>Judgements of queries that are not there are dropped, as PosIR's own evaluation does. The spans of translated
 * benchmarks may still be measured in the English original; whether they are is decided by comparing
 * {@code pos_char_length} with the passages, and recorded as {@code evidence_text} in dataset.yaml.
 *
 * @param queries {@code queries.parquet}
 * @param qrels {@code qrels/test.parquet} of the same language
 * @param corpus {@code corpus.parquet}; of another language for cross-lingual retrieval
 * @param card name, languages and the like
 */
public record PosirConverter(Path queries, Path qrels, Path corpus, DatasetCard card) implements Converter {
    @Override
    public DatasetCard convert(DatasetWriter out) {
        Map<String, Integer> statedLength = new HashMap<>();
        Set<String> known = new HashSet<>();
        RowFile.open(queries).forEach(row -> {
            Query query = new Query(row.id("_id"), row.text("text"), EvidenceFields.read(row));
            known.add(query.id());
            out.query(query);
            if (query.evidence() != null && query.evidence().textLength() != Evidence.UNKNOWN) {
                statedLength.put(query.id(), query.evidence().textLength());
            }
        });
        Map<String, List<Integer>> lengthsByPassage = new HashMap<>();
        writeJudgments(out, known, statedLength, lengthsByPassage);
        long foreign = writePassages(out, lengthsByPassage);
        if (foreign == 0) {
            return card;
        }
        out.note(foreign + " of " + statedLength.size() + " spans were measured in a text of another length than their"
                + " passage: they keep their relative positions (evidence_text: original)");
        return card.withEvidenceText(DatasetCard.EvidenceText.ORIGINAL);
    }

    private void writeJudgments(
            DatasetWriter out,
            Set<String> known,
            Map<String, Integer> statedLength,
            Map<String, List<Integer>> lengthsByPassage) {
        int[] dropped = {0};
        RowFile.open(qrels).forEach(row -> {
            String query = row.id("query-id");
            if (!known.contains(query)) {
                dropped[0]++;
                return;
            }
            String passage = row.id("corpus-id");
            int grade = row.parsedInteger("score");
            out.judgment(query, passage, grade);
            Integer length = statedLength.get(query);
            if (grade > 0 && length != null) {
                lengthsByPassage
                        .computeIfAbsent(passage, id -> new ArrayList<>())
                        .add(length);
            }
        });
        if (dropped[0] > 0) {
            out.note(dropped[0] + " judgements of queries that are not in the benchmark were dropped");
        }
    }

    /** Copies the corpus and counts the spans that were measured in a text of another length. */
    private long writePassages(DatasetWriter out, Map<String, List<Integer>> lengthsByPassage) {
        Map<String, Long> foreign = new LinkedHashMap<>();
        RowFile.open(corpus).forEach(row -> {
            Passage passage = Passages.read(row);
            out.passage(passage);
            List<Integer> stated = lengthsByPassage.get(passage.id());
            if (stated != null) {
                int length = CodePoints.count(passage.text());
                foreign.put(
                        passage.id(),
                        stated.stream().filter(other -> other != length).count());
            }
        });
        lengthsByPassage.keySet().stream()
                .filter(id -> !foreign.containsKey(id))
                .findFirst()
                .ifPresent(missing -> {
                    throw new BadInputException(
                            Location.of(corpus),
                            "holds no passage \"" + missing + "\", which " + qrels + " judges",
                            "fetch the files again: they do not belong together");
                });
        return foreign.values().stream().mapToLong(Long::longValue).sum();
    }
}
