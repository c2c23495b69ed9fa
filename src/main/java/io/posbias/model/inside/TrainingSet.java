package io.posbias.model.inside;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.TrainingRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Training pairs. Rows may have hard negatives; judgements have none.
 *
 * @param path file or folder of the pairs
 * @param sha256 digest of the files
 * @param pairs in the order of the files
 */
public record TrainingSet(Path path, String sha256, List<Pair> pairs) {
    /**
     * Reads pairs.
     *
     * @param path benchmark folder; or file of {@link TrainingRow rows}; or {@linkplain TrainingRow#file folder} of one. A
     *     benchmark without the split {@code train} is read with the split {@code test}.
     * @throws PosbiasException if there are no pairs, or all are from one document
     */
    public static TrainingSet read(Path path) {
        Path file = TrainingRow.file(path);
        TrainingSet set = Files.isDirectory(file) ? ofBenchmark(file) : ofRows(file);
        if (set.pairs.isEmpty()) {
            throw new PosbiasException(
                    path + " holds no query with a relevant passage: there is nothing to train with");
        }
        if (set.documents() == 1 && set.negatives() == 0) {
            throw new PosbiasException("all " + set.pairs.size() + " passages of " + path
                    + " are of one document: negatives come from other documents");
        }
        return set;
    }

    /** Returns the digest of the pairs in a file or folder, by which a trained model names its data. */
    public static String digest(Path path) {
        Path file = TrainingRow.file(path);
        return Files.isDirectory(file) ? digest(files(file).checksums()) : Checksums.sha256(file);
    }

    private static String digest(Map<String, String> sums) {
        return Checksums.sha256(sums.entrySet().stream().map(Object::toString));
    }

    private static DatasetFiles files(Path folder) {
        return DatasetFiles.find(folder, DatasetFiles.trainingSplit(folder));
    }

    public long documents() {
        return pairs.stream().map(pair -> pair.passage().document()).distinct().count();
    }

    /** Returns the number of hard negatives of all pairs. */
    public int negatives() {
        return pairs.stream().mapToInt(pair -> pair.negatives().size()).sum();
    }

    private static TrainingSet ofBenchmark(Path folder) {
        DatasetFiles files = files(folder);
        Map<String, String> sums = files.checksums();
        Dataset dataset = DatasetReader.open(files, sums);
        Map<Integer, Passage> relevant = relevant(dataset);
        List<Pair> pairs = new ArrayList<>();
        for (Query query : dataset.judgedQueries()) {
            int[] own = relevant(dataset, query);
            for (int ordinal : own) {
                Passage passage = Objects.requireNonNull(relevant.get(ordinal));
                pairs.add(pair(query, passage, own, dataset.passages().ids()));
            }
        }
        return new TrainingSet(folder, digest(sums), pairs);
    }

    private static int[] relevant(Dataset dataset, Query query) {
        return Objects.requireNonNull(dataset.qrels().of(query.id())).relevantPassages();
    }

    private static Map<Integer, Passage> relevant(Dataset dataset) {
        Set<Integer> wanted = new HashSet<>();
        for (Query query : dataset.judgedQueries()) {
            for (int ordinal : relevant(dataset, query)) {
                wanted.add(ordinal);
            }
        }
        Map<Integer, Passage> found = new HashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (wanted.contains(ordinal)) {
                found.put(ordinal, passage);
            }
        });
        return found;
    }

    private static Pair pair(Query query, Passage passage, int[] relevant, PassageIds ids) {
        Set<String> others = new HashSet<>(query.excluded());
        for (int ordinal : relevant) {
            others.add(ids.id(ordinal));
        }
        Evidence evidence = query.evidence();
        Span span = evidence == null || !isOf(query, passage, relevant) ? null : evidence.span();
        int title = passage.lead();
        Query.Variant variant = query.variant();
        String document = variant == null ? passage.document() : variant.document();
        return new Pair(
                query.text(),
                new Pair.Text(passage.content(), passage.id(), document),
                others,
                span == null ? Pair.UNKNOWN : title + span.end(),
                List.of());
    }

    private static boolean isOf(Query query, Passage passage, int[] relevant) {
        return query.passage() == null ? relevant.length == 1 : passage.id().equals(query.passage());
    }

    private static TrainingSet ofRows(Path file) {
        List<Pair> pairs = new ArrayList<>();
        RowFile.open(file).forEach(row -> pairs.addAll(pairs(row)));
        return new TrainingSet(file, Checksums.sha256(file), pairs);
    }

    private static List<Pair> pairs(Fields fields) {
        TrainingRow row = TrainingRow.of(fields)
                .orElseThrow(() -> fields.bad(
                        TrainingRow.ANCHOR,
                        "is missing",
                        "rows have " + TrainingRow.FORMATS + "; fields found: " + String.join(", ", fields.names())));
        Set<String> relevant =
                row.positives().stream().map(TrainingRow.Text::key).collect(Collectors.toSet());
        List<Pair.Text> negatives =
                row.negatives().stream().map(TrainingSet::text).toList();
        return row.positives().stream()
                .map(own -> checked(fields, new Pair(row.query(), text(own), relevant, Pair.UNKNOWN, negatives)))
                .toList();
    }

    private static Pair.Text text(TrainingRow.Text text) {
        if (text.docid().isEmpty()) {
            return new Pair.Text(text.text(), text.text(), text.text());
        }
        Passage passage = new Passage(text.docid(), text.title(), text.text());
        return new Pair.Text(passage.content(), passage.id(), passage.document());
    }

    private static Pair checked(Fields row, Pair pair) {
        for (Pair.Text negative : pair.negatives()) {
            if (negative.text().equals(pair.passage().text()) || pair.others().contains(negative.id())) {
                throw new BadInputException(
                        row.where(),
                        "a negative is also relevant: " + Printable.quoted(negative.text()),
                        "leave it out of one of them");
            }
        }
        return pair;
    }
}
