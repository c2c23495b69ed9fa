package io.posbias.model.inside;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Training pairs. Rows may have hard negatives; judgements have none.
 *
 * @param path file or folder of the pairs
 * @param sha256 digest of the files
 * @param pairs in the order of the files
 */
public record TrainingSet(Path path, String sha256, List<Pair> pairs) {
    private static final String TRAIN = "train";
    private static final String ANCHOR = "anchor";
    private static final String QUERY = "query";

    /** Columns of sentence-transformers' mine_hard_negatives. */
    private static final Pattern NEGATIVE = Pattern.compile("negative(_[0-9]+)?");

    /** Readers of row formats, by the field that identifies the format. */
    private static final Map<String, Function<Fields, List<Pair>>> FORMS = Map.of(
            ANCHOR,
            TrainingSet::sentenceTransformers,
            "pos",
            TrainingSet::flagEmbedding,
            "positive_passages",
            TrainingSet::tevatron);

    /**
     * Reads pairs.
     *
     * @param path benchmark folder; or file in the format of sentence-transformers, FlagEmbedding or Tevatron; or
     *     folder with the file {@link TrainingOrder#PAIRS}. A benchmark without the split {@code train} is read with
     *     the split {@code test}.
     * @throws PosbiasException if there are no pairs, or all are from one document
     */
    public static TrainingSet read(Path path) {
        Path file = Files.isRegularFile(path.resolve(TrainingOrder.PAIRS)) ? path.resolve(TrainingOrder.PAIRS) : path;
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

    public long documents() {
        return pairs.stream().map(pair -> pair.passage().document()).distinct().count();
    }

    /** Returns the number of hard negatives of all pairs. */
    public int negatives() {
        return pairs.stream().mapToInt(pair -> pair.negatives().size()).sum();
    }

    private static TrainingSet ofBenchmark(Path folder) {
        DatasetFiles files =
                DatasetFiles.find(folder, DatasetFiles.hasSplit(folder, TRAIN) ? TRAIN : DatasetFiles.TEST);
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
        String digest = Checksums.sha256(sums.entrySet().stream().map(Object::toString));
        return new TrainingSet(folder, digest, pairs);
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
        RowFile.open(file).forEach(row -> pairs.addAll(form(row).apply(row)));
        return new TrainingSet(file, Checksums.sha256(file), pairs);
    }

    private static Function<Fields, List<Pair>> form(Fields row) {
        return FORMS.entrySet().stream()
                .filter(form -> row.has(form.getKey()))
                .findFirst()
                .orElseThrow(() -> row.bad(
                        ANCHOR,
                        "is missing",
                        "rows have anchor and positive, query and pos, or query and positive_passages; fields found: "
                                + String.join(", ", row.names())))
                .getValue();
    }

    private static List<Pair> sentenceTransformers(Fields row) {
        List<String> negatives = row.names().stream()
                .filter(name -> NEGATIVE.matcher(name).matches())
                .map(row::text)
                .toList();
        return List.of(pair(row, row.text(ANCHOR), row.text("positive"), Set.of(), negatives));
    }

    private static List<Pair> flagEmbedding(Fields row) {
        List<String> texts = row.texts("pos");
        return texts.stream()
                .map(text -> pair(row, row.text(QUERY), text, Set.copyOf(texts), row.texts("neg")))
                .toList();
    }

    /** Creates a pair of a format without identifiers; the text serves as identifier. */
    private static Pair pair(Fields row, String query, String passage, Set<String> others, List<String> negatives) {
        return checked(
                row,
                new Pair(
                        query,
                        Pair.Text.unnamed(passage),
                        others,
                        Pair.UNKNOWN,
                        negatives.stream().map(Pair.Text::unnamed).toList()));
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

    private record Tevatron(
            String query,
            @Setting(usual = "[]") List<TevatronPassage> positivePassages,
            @Setting(usual = "[]") List<TevatronPassage> negativePassages) {}

    private record TevatronPassage(
            @Setting(identifier = true) String docid,
            @Setting(usual = "''") String title,
            String text) {
        Pair.Text read() {
            Passage passage = new Passage(docid, title, text);
            return new Pair.Text(passage.content(), docid, passage.document());
        }
    }

    private static List<Pair> tevatron(Fields row) {
        Tevatron found = Json.row(row, Tevatron.class);
        Set<String> ids = new HashSet<>();
        found.positivePassages.forEach(passage -> ids.add(passage.docid));
        List<Pair.Text> negatives =
                found.negativePassages.stream().map(TevatronPassage::read).toList();
        return found.positivePassages.stream()
                .map(own -> checked(row, new Pair(found.query, own.read(), ids, Pair.UNKNOWN, negatives)))
                .toList();
    }
}
