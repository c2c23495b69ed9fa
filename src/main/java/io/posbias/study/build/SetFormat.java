package io.posbias.study.build;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.EvidenceFields;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.RowWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

@FunctionalInterface
interface SetFormat {
    /** The formats by name: the single list. */
    Map<String, SetFormat> ALL = all();

    private static Map<String, SetFormat> all() {
        Map<String, SetFormat> all = new LinkedHashMap<>();
        all.put("benchmark", SetFormat::benchmark);
        all.put("posir", SetFormat::posir);
        all.put("fineweb-posq", SetFormat::finewebPosq);
        all.put("beir", SetFormat::beir);
        all.put("sentence-transformers", pairs(SetFormat::sentenceTransformers));
        all.put("flagembedding", pairs(SetFormat::flagEmbedding));
        all.put("tevatron", pairs(SetFormat::tevatron));
        return Collections.unmodifiableMap(all);
    }

    /** @param folder must be empty */
    void write(QuestionSet set, Path folder);

    private static void benchmark(QuestionSet set, Path folder) {
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            set.corpus().inFileOrder((ordinal, passage) -> out.passage(passage));
            set.questions().accept(question -> {
                out.query(set.query(question));
                out.judgment(question.id(), question.document(), 1);
            });
            out.finish(set.card());
        }
        DatasetReader.open(folder);
    }

    private static void posir(QuestionSet set, Path folder) {
        SequencedMap<String, String> passages = RowWriter.columns("_id", "text");
        RowWriter.parquet(
                folder.resolve("corpus.parquet"),
                passages,
                sink -> set.corpus().inFileOrder((ordinal, passage) -> sink.accept(passage(passage))));
        SequencedMap<String, String> queries = RowWriter.columns("_id", "text");
        queries.put("pos_char_span", "INTEGER[]");
        queries.put("pos_char_length", "INTEGER");
        queries.put("pos_token_length", "INTEGER");
        RowWriter.parquet(folder.resolve("queries.parquet"), queries, questions(set, SetFormat::posirQuery));
        SequencedMap<String, String> qrels = RowWriter.columns("query-id", "corpus-id");
        qrels.put("score", "INTEGER");
        RowWriter.parquet(folder.resolve("qrels/test.parquet"), qrels, questions(set, SetFormat::judgment));
    }

    private static SequencedMap<String, Object> posirQuery(QuestionSet set, Candidate question) {
        Query query = set.query(question);
        SequencedMap<String, Object> row = RowWriter.row("_id", query.id(), "text", query.text());
        if (query.evidence() != null) {
            row.putAll(EvidenceFields.write(query.evidence()));
        }
        return row;
    }

    private static SequencedMap<String, Object> judgment(QuestionSet set, Candidate question) {
        return RowWriter.row("query-id", question.id(), "corpus-id", question.document(), "score", 1);
    }

    private static void finewebPosq(QuestionSet set, Path folder) {
        Set<String> asked = new HashSet<>();
        RowWriter.lines(folder.resolve("rows.jsonl"), sink -> {
            set.questions().accept(question -> {
                asked.add(question.document());
                sink.accept(RowWriter.row(
                        "content", set.text(question),
                        "question", question.text(Candidate.QUESTION),
                        "answer", question.fields().text(Candidate.ANSWER, ""),
                        "question_type", question.fields().text(Candidate.TYPE, ""),
                        "span_class", question.text(Candidate.POSITION)));
            });
            set.corpus().inFileOrder((ordinal, passage) -> {
                if (!asked.contains(passage.id())) {
                    sink.accept(RowWriter.row("content", passage.text(), "question", ""));
                }
            });
        });
    }

    private static void beir(QuestionSet set, Path folder) {
        RowWriter.lines(
                folder.resolve("corpus.jsonl"),
                sink -> set.corpus().inFileOrder((ordinal, passage) -> sink.accept(passage(passage))));
        RowWriter.lines(
                folder.resolve("queries.jsonl"),
                questions(
                        set,
                        (same, question) ->
                                RowWriter.row("_id", question.id(), "text", question.text(Candidate.QUESTION))));
        RowWriter.tabs(folder.resolve("qrels/train.tsv"), questions(set, SetFormat::judgment));
    }

    private static SequencedMap<String, Object> sentenceTransformers(QuestionSet set, Candidate question) {
        SequencedMap<String, Object> row =
                RowWriter.row("anchor", question.text(Candidate.QUESTION), "positive", set.text(question));
        List<String> negatives = set.negatives(question);
        for (int i = 0; i < negatives.size(); i++) {
            row.put(
                    negatives.size() == 1 ? "negative" : "negative_" + (i + 1),
                    set.documents().text(negatives.get(i)));
        }
        return row;
    }

    private static SequencedMap<String, Object> flagEmbedding(QuestionSet set, Candidate question) {
        return RowWriter.row(
                "query", question.text(Candidate.QUESTION),
                "pos", List.of(set.text(question)),
                "neg",
                        set.negatives(question).stream()
                                .map(set.documents()::text)
                                .toList());
    }

    private static SequencedMap<String, Object> tevatron(QuestionSet set, Candidate question) {
        return RowWriter.row(
                "query_id", question.id(),
                "query", question.text(Candidate.QUESTION),
                "positive_passages", List.of(tevatronPassage(set, question.document())),
                "negative_passages",
                        set.negatives(question).stream()
                                .map(negative -> tevatronPassage(set, negative))
                                .toList());
    }

    private static SequencedMap<String, Object> tevatronPassage(QuestionSet set, String document) {
        return RowWriter.row(
                "docid", document, "title", "", "text", set.documents().text(document));
    }

    private static SequencedMap<String, Object> passage(Passage passage) {
        return RowWriter.row("_id", passage.id(), "title", passage.title(), "text", passage.text());
    }

    private static SetFormat pairs(BiFunction<QuestionSet, Candidate, SequencedMap<String, Object>> row) {
        return (set, folder) -> RowWriter.lines(folder.resolve("train.jsonl"), questions(set, row));
    }

    private static RowWriter.Rows questions(
            QuestionSet set, BiFunction<QuestionSet, Candidate, SequencedMap<String, Object>> row) {
        return sink -> set.questions().accept(question -> sink.accept(row.apply(set, question)));
    }

    /**
     * Questions and documents that are written together.
     *
     * @param questions visits all questions in a stable order; their documents exist
     * @param originals texts in which evidence was located: the corpus, or the originals of translations
     * @param tokens per original by identifier; {@link Evidence#UNKNOWN} if not counted
     */
    record QuestionSet(
            DatasetCard card,
            Consumer<Consumer<Candidate>> questions,
            Passages corpus,
            SourceDocuments documents,
            SourceDocuments originals,
            ToIntFunction<String> tokens) {
        /** Returns a part of the questions with their documents alone, under a name in this one's. */
        QuestionSet only(String name, Predicate<Candidate> wanted) {
            Consumer<Consumer<Candidate>> some = visitor -> questions.accept(question -> {
                if (wanted.test(question)) {
                    visitor.accept(question);
                }
            });
            Set<String> asked = new HashSet<>();
            some.accept(question -> asked.add(question.document()));
            return new QuestionSet(
                    card.withName(card.name() + "/" + name),
                    some,
                    documents.passages(asked::contains),
                    documents,
                    originals,
                    tokens);
        }

        String text(Candidate question) {
            return documents.text(question.document());
        }

        List<String> negatives(Candidate question) {
            return question.fields().texts(Candidate.NEGATIVES);
        }

        /**
         * Returns the question with its evidence: the span, or else the part, its position label and the document's
         * length.
         */
        Query query(Candidate question) {
            Optional<Span> place = question.span(Candidate.SPAN).or(() -> question.span(Candidate.PART));
            int length = place.isEmpty() ? Evidence.UNKNOWN : CodePoints.count(originals.text(question.document()));
            Evidence evidence = new Evidence(
                    place.map(Span::start).orElse(Evidence.UNKNOWN),
                    place.map(Span::end).orElse(Evidence.UNKNOWN),
                    length,
                    tokens.applyAsInt(question.document()),
                    question.has(Candidate.POSITION) ? List.of(question.text(Candidate.POSITION)) : List.of(),
                    null);
            return new Query(question.id(), question.text(Candidate.QUESTION), evidence);
        }
    }
}
