package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Questions of the input benchmarks on the documents that remain: candidates without a language model. A question counts if its
 * evidence has a span, or a label, in one known passage.
 *
 * @param of {@code spans}; {@code labels}, whose label is the position; or {@code windows} for input of {@code data build
 *     windows --places 3 --variants}, where each question has its evidence at the beginning, middle and end of three documents;
 *     the place is the target
 */
record QuestionsStage(
        @Setting(words = {"spans", WINDOWS, LABELS}) String of) implements Stage {
    private static final String WINDOWS = "windows";
    private static final String LABELS = "labels";

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.TEXT);
    }

    @Override
    public Set<String> producedFields() {
        return switch (of) {
            case WINDOWS -> Set.of(Candidate.QUESTION, Candidate.SPAN, Candidate.TARGET);
            case LABELS -> Set.of(Candidate.QUESTION, Candidate.POSITION);
            default -> Set.of(Candidate.QUESTION, Candidate.SPAN);
        };
    }

    @Override
    public Object inputs(StageContext context) {
        return folders(context).stream()
                .map(folder -> DatasetFiles.find(folder).checksums())
                .toList();
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        return Forecast.of(
                questions(context).values().stream().mapToInt(List::size).sum());
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Map<String, List<Query>> questions = questions(context);
        candidates.forEach(candidate -> {
            Candidate document = candidate.without(Candidate.TEXT);
            List<Query> own = questions.getOrDefault(candidate.document(), List.of());
            if (own.isEmpty()) {
                out.drop(document, "no question on it");
                return;
            }
            int length = CodePoints.count(candidate.text(Candidate.TEXT));
            own.forEach(query -> {
                Evidence evidence = query.evidence();
                Candidate question = document.child(query.id()).with(Candidate.QUESTION, query.text());
                if (of.equals(LABELS)) {
                    labelled(question, evidence, out);
                } else if (evidence == null || evidence.textLength() != length) {
                    out.drop(question, "its span is of another text");
                } else {
                    out.keep(placed(question.with(Candidate.SPAN, new Span(evidence.start(), evidence.end())), query));
                }
            });
        });
    }

    private static void labelled(Candidate question, @Nullable Evidence evidence, Candidates.Sink out) {
        List<String> labels = evidence == null ? List.of() : evidence.labels();
        if (labels.size() == 1 && Candidate.POSITIONS.contains(labels.getFirst())) {
            out.keep(question.with(Candidate.POSITION, labels.getFirst()));
        } else {
            out.drop(question, "not one label of " + String.join(", ", Candidate.POSITIONS), String.join(", ", labels));
        }
    }

    private Candidate placed(Candidate question, Query query) {
        Query.Variant variant = query.variant();
        if (!of.equals(WINDOWS)) {
            return question;
        }
        if (variant == null || variant.place() > Candidate.POSITIONS.size()) {
            throw new UsageException(
                    "query " + Printable.quoted(query.id()) + " is not a window at one of three places: make"
                            + " the input with 'posbias data build windows --places 3 --variants'");
        }
        return question.with(Candidate.SAME_AS, variant.of())
                .with(Candidate.TARGET, Candidate.POSITIONS.get(variant.place() - 1));
    }

    private static List<Path> folders(StageContext context) {
        for (Path input : context.inputs()) {
            if (!DatasetFiles.isDataset(input)) {
                throw new UsageException("--input " + input
                        + " is not a benchmark: stage questions takes questions from" + " benchmarks with evidence");
            }
        }
        return context.inputs();
    }

    private Map<String, List<Query>> questions(StageContext context) {
        Map<String, List<Query>> questions = new HashMap<>();
        for (Path folder : folders(context)) {
            Dataset dataset = DatasetReader.open(folder);
            if (dataset.card().isOfOriginal()) {
                throw new UsageException("--input " + folder
                        + ": its spans were measured in the originals of translations (evidence_text: original)");
            }
            for (Query query : dataset.judgedQueries()) {
                passage(query, dataset)
                        .ifPresent(passage -> questions
                                .computeIfAbsent(passage, id -> new ArrayList<>())
                                .add(query));
            }
        }
        return questions;
    }

    private Optional<String> passage(Query query, Dataset dataset) {
        Evidence evidence = query.evidence();
        Judgments judgments = dataset.qrels().of(query.id());
        if (evidence == null || !(of.equals(LABELS) || evidence.isPlaced()) || judgments == null) {
            return Optional.empty();
        }
        int[] relevant = judgments.relevantPassages();
        return Optional.ofNullable(query.passage())
                .or(() -> relevant.length == 1
                        ? Optional.of(dataset.passages().ids().id(relevant[0]))
                        : Optional.empty());
    }
}
