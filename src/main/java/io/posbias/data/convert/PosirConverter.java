package io.posbias.data.convert;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.EvidenceFields;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A PosIR benchmark: {@code queries.parquet}, {@code corpus.parquet} and {@code qrels/test.parquet}. For
 * cross-lingual retrieval the corpus comes from another language's folder (English in the paper).
 *
 * <p>Judgements of absent queries are dropped, as in PosIR's evaluation. Spans of translated benchmarks may refer to
 * the English original; comparing {@code pos_char_length} with the passages decides, and dataset.yaml records it as
 * {@code evidence_text}.
 */
public record PosirConverter(Path queries, Path qrels, Path corpus, DatasetCard card) implements Converter {
    public static final PublishedFormat FORMAT = new PublishedFormat(
            "posir",
            "Convert one benchmark of PosIR, a folder LANG/DOMAIN.",
            List.of(
                    "The folder has queries.parquet, corpus.parquet and qrels/test.parquet. For cross-lingual retrieval name the languages of queries and corpus.",
                    "",
                    "Examples:",
                    "  posbias data build posir --input PosIR/eng-Latn/law_judiciary --out law",
                    "  posbias data build posir --input PosIR/eng-Latn/law_judiciary \\",
                    "      --queries fra-Latn --corpus eng-Latn --out law-fra-eng"),
            "infgrad/PosIR-Benchmark-v1",
            "Zeng et al. 2026, PosIR: Position-Aware Heterogeneous Information Retrieval Benchmark, arXiv:2601.08363",
            (files, card) -> new PosirConverter(
                    files.get(0), files.get(1), files.get(2), card.orBucketing(DatasetCard.POSIR_BUCKETS)));

    @Override
    public DatasetCard convert(DatasetWriter out) {
        Map<String, Integer> statedLengths = new HashMap<>();
        RowFile.open(queries).forEach(row -> {
            Query query = new Query(row.id("_id"), row.text("text"), EvidenceFields.read(row));
            Evidence evidence = query.evidence();
            out.query(query);
            statedLengths.put(query.id(), evidence == null ? Evidence.UNKNOWN : evidence.textLength());
        });
        long foreign = writePassages(out, writeJudgments(out, statedLengths));
        if (foreign == 0) {
            return card;
        }
        long stated = statedLengths.values().stream()
                .filter(length -> length != Evidence.UNKNOWN)
                .count();
        out.note(foreign + " of " + stated + " spans were measured in a text of another length than their"
                + " passage: they keep their relative positions (evidence_text: original)");
        return card.with(DatasetCard.Field.EVIDENCE_TEXT, DatasetCard.ORIGINAL);
    }

    private Map<String, List<Integer>> writeJudgments(DatasetWriter out, Map<String, Integer> statedLengths) {
        Map<String, List<Integer>> lengthsByPassage = new HashMap<>();
        int[] dropped = {0};
        RowFile.open(qrels).forEach(row -> {
            String query = row.id("query-id");
            Integer length = statedLengths.get(query);
            if (length == null) {
                dropped[0]++;
                return;
            }
            String passage = row.id("corpus-id");
            int grade = row.parsedInteger("score");
            out.judgment(query, passage, grade);
            if (grade > 0 && length != Evidence.UNKNOWN) {
                lengthsByPassage
                        .computeIfAbsent(passage, id -> new ArrayList<>())
                        .add(length);
            }
        });
        if (dropped[0] > 0) {
            out.note("left out " + Plural.of(dropped[0], "judgement") + " of queries that are not in the benchmark");
        }
        return lengthsByPassage;
    }

    private long writePassages(DatasetWriter out, Map<String, List<Integer>> lengthsByPassage) {
        long[] foreign = {0};
        RowFile.open(corpus).forEach(row -> {
            Passage passage = Passages.read(row);
            out.passage(passage);
            List<Integer> stated = lengthsByPassage.remove(passage.id());
            if (stated != null) {
                int length = CodePoints.count(passage.text());
                foreign[0] += stated.stream().filter(other -> other != length).count();
            }
        });
        lengthsByPassage.keySet().stream().findFirst().ifPresent(missing -> {
            throw new BadInputException(
                    Location.of(corpus),
                    "holds no passage " + Printable.quoted(missing) + ", which " + qrels + " judges",
                    "fetch the files again: they do not belong together");
        });
        return foreign[0];
    }
}
