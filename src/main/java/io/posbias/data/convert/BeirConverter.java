package io.posbias.data.convert;

import io.posbias.base.files.Staging;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A set of BEIR (Thakur et al. 2021, arXiv:2104.08663) with evidence from its authors' released sentences: the first
 * listed sentence that a relevant passage contains. Only judged queries are kept. With several relevant passages the
 * query names the passage.
 */
public final class BeirConverter implements Converter {
    private static final String CITATION =
            "Thakur et al. 2021, BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation, arXiv:2104.08663";

    private final BeirInput input;
    private final List<Path> annotations;
    private final GoldSentences evidence;
    private final DatasetCard card;

    private final Map<String, Found> found = new HashMap<>();

    /**
     * @param annotations files of the original release, may be archives
     */
    private BeirConverter(BeirInput input, List<Path> annotations, GoldSentences evidence, DatasetCard card) {
        this.input = input;
        this.annotations = List.copyOf(annotations);
        this.evidence = evidence;
        this.card = card;
    }

    /**
     * Returns the format: BEIR's folder or zip file, then the files of the original release.
     *
     * @param evidence one of {@link GoldSentences#KINDS}; empty for none
     */
    public static PublishedFormat format(String evidence) {
        return new PublishedFormat(
                "beir",
                "Convert a benchmark in BEIR's layout, folder or zip.",
                List.of(),
                "BEIR",
                CITATION,
                (files, card) -> of(
                        new BeirInput(files.getFirst(), "", DatasetFiles.TEST, card.handling()),
                        evidence,
                        files.subList(1, files.size()),
                        card));
    }

    /**
     * @param evidence one of {@link GoldSentences#KINDS}; empty for the input's
     * @param annotations files of the original release, may be archives
     */
    public static Converter of(BeirInput input, String evidence, List<Path> annotations, DatasetCard card) {
        return evidence.isEmpty()
                ? new Copy(input, card)
                : new BeirConverter(input, annotations, GoldSentences.of(evidence), card);
    }

    private record Found(int order, String passage, Evidence evidence) {}

    @Override
    public DatasetCard convert(DatasetWriter out) {
        return opened(input, out, dataset -> {
            Path release = out.folder().resolve("unpacked/release");
            write(dataset, evidence.read(Archives.files(annotations, release)), out);
            DatasetCard own = card.with(
                    DatasetCard.Field.EXCLUDE_SELF,
                    dataset.card().handling().getOrDefault(DatasetCard.Field.EXCLUDE_SELF, ""));
            return counted(own, dataset, out);
        });
    }

    private void write(Dataset dataset, Map<String, List<GoldSentences.Gold>> gold, DatasetWriter out) {
        Map<Integer, List<Query>> queriesOf = new HashMap<>();
        for (Query query : dataset.judgedQueries()) {
            for (int passage : judgments(dataset, query).relevantPassages()) {
                queriesOf.computeIfAbsent(passage, key -> new ArrayList<>()).add(query);
            }
        }
        dataset.passages().inFileOrder((ordinal, passage) -> {
            out.passage(passage);
            List<Query> queries = queriesOf.getOrDefault(ordinal, List.of());
            if (!queries.isEmpty() && !gold.isEmpty()) {
                find(passage, queries, gold);
            }
        });
        for (Query query : dataset.judgedQueries()) {
            SubsetConverter.writeQuery(dataset, withEvidence(dataset, query), out);
        }
        note(dataset, gold, out);
    }

    private static Judgments judgments(Dataset dataset, Query query) {
        return Objects.requireNonNull(dataset.qrels().of(query.id()));
    }

    private void find(Passage passage, List<Query> queries, Map<String, List<GoldSentences.Gold>> gold) {
        SentenceFinder finder = SentenceFinder.in(passage.text());
        String id = SentenceFinder.name(passage.id());
        String title = SentenceFinder.name(passage.title());
        int length = CodePoints.count(passage.text());
        for (Query query : queries) {
            List<GoldSentences.Gold> own = gold.getOrDefault(query.id(), List.of());
            for (int i = 0; i < own.size(); i++) {
                String name = SentenceFinder.name(own.get(i).passage());
                int order = i;
                if (name.equals(id) || name.equals(title)) {
                    finder.find(own.get(i).text())
                            .ifPresent(place -> found.merge(
                                    query.id(),
                                    new Found(order, passage.id(), Evidence.of(place.start(), place.end(), length)),
                                    (one, other) -> one.order() <= other.order() ? one : other));
                }
            }
        }
    }

    private Query withEvidence(Dataset dataset, Query query) {
        Found own = found.get(query.id());
        boolean several = judgments(dataset, query).relevant() > 1;
        return own == null
                ? new Query(query.id(), query.text(), null)
                : new Query(query.id(), query.text(), own.evidence(), several ? own.passage() : null);
    }

    private void note(Dataset dataset, Map<String, List<GoldSentences.Gold>> gold, DatasetWriter out) {
        List<Query> judged = dataset.judgedQueries();
        int others = dataset.queries().size() - judged.size();
        if (others > 0) {
            out.note(Plural.of(others, "query") + " without judgements left out");
        }
        int listed = (int) judged.stream()
                .filter(query -> !gold.getOrDefault(query.id(), List.of()).isEmpty())
                .count();
        int more = (int) judged.stream()
                .filter(query -> found.containsKey(query.id())
                        && gold.getOrDefault(query.id(), List.of()).size() > 1)
                .count();
        out.note(found.size() + " of " + judged.size() + " queries have evidence; " + (judged.size() - listed)
                + " without a released sentence, " + (listed - found.size())
                + " whose sentences are in no relevant passage; of " + more
                + " with several sentences the first listed counts");
    }

    private record Copy(BeirInput input, DatasetCard card) implements Converter {
        @Override
        public DatasetCard convert(DatasetWriter out) {
            return opened(input, out, dataset -> {
                dataset.passages().inFileOrder((ordinal, passage) -> out.passage(passage));
                dataset.queries().forEach(query -> SubsetConverter.writeQuery(dataset, query, out));
                int unjudged =
                        dataset.queries().size() - dataset.judgedQueries().size();
                if (unjudged > 0) {
                    out.note(Plural.of(unjudged, "query") + " without judgement, not scored");
                }
                return counted(card.orElse(dataset.card()), dataset, out);
            });
        }
    }

    private static DatasetCard opened(BeirInput input, DatasetWriter out, Function<Dataset, DatasetCard> convert) {
        Path scratch = out.folder().resolve("unpacked");
        try {
            return convert.apply(input.unpacked(scratch.resolve("beir")).open(input.path()));
        } finally {
            Staging.delete(scratch);
        }
    }

    /** Counts the judgements that were left out. */
    private static DatasetCard counted(DatasetCard card, Dataset dataset, DatasetWriter out) {
        Qrels.Counts counts = dataset.qrels().counts();
        DatasetCard own = card.with(DatasetCard.Field.MISSING_JUDGED, "");
        if (counts.repeated() > 0) {
            out.note(Plural.of(counts.repeated(), "repeated judgement") + " counted once");
        }
        if (counts.absentPassages() + counts.absentQueries() == 0) {
            return own;
        }
        String line = counts.absentPassages() + " of absent passages, " + counts.absentQueries()
                + " of absent queries; " + Plural.of(counts.unanswerable(), "query") + " without a relevant passage";
        out.note("judgements left out: " + line);
        return own.with(DatasetCard.Field.JUDGEMENTS_LEFT_OUT, line);
    }
}
