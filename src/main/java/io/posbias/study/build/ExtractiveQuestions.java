package io.posbias.study.build;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.AskableSentence;
import io.posbias.study.build.text.ClozeQuestion;
import io.posbias.study.build.text.Draw;
import io.posbias.study.build.text.KeyTerms;
import io.posbias.study.build.text.TextSentences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Questions without a language model: in each part the sentence with the heaviest key terms ({@link KeyTerms}) is
 * the evidence. {@code keyword} queries are four to six key terms in the sentence's order; {@code cloze} queries are
 * the core of the sentence with one key term replaced by {@code ____}.
 */
final class ExtractiveQuestions {
    private static final String KEYWORD = "keyword";
    private static final String CLOZE = "cloze";
    private static final int LEAST_TERMS = 4;
    private static final int MOST_TERMS = 6;

    /** Documents that are looked at for a template, and least share of their sentences with words of their own. */
    private static final int SAMPLE = 200;

    private static final double OWN_WORDS = 0.1;

    /** Reason for sentences of words that many documents have. */
    static final String TEMPLATE = "fewer than " + LEAST_TERMS + LostDocuments.FEW_TERMS;

    /** From the farthest to the nearest to a question. */
    private static final List<String> REASONS = Stream.concat(
                    Arrays.stream(AskableSentence.Refusal.values()).map(Object::toString), Stream.of(TEMPLATE))
            .toList();

    private final int most;
    private final long seed;
    private final StageContext context;
    private final KeyTerms terms;
    private final boolean isTemplate;
    private @Nullable Source source;

    ExtractiveQuestions(int most, long seed, StageContext context) {
        this.most = most;
        this.seed = seed;
        this.context = context;
        this.terms = new KeyTerms(context.documents().passages(), context.language(), context.unspacedWords());
        this.isTemplate = isTemplate();
        if (isTemplate) {
            context.session()
                    .say("note: the documents repeat a template (few sentences have " + LEAST_TERMS
                            + " words that are rare among them): questions have common words, too");
        }
    }

    /** Returns true if hardly a sentence of the first documents has words of its own. */
    private boolean isTemplate() {
        SourceDocuments documents = context.documents();
        PassageIds ids = documents.passages().ids();
        int all = 0;
        int own = 0;
        for (int i = 0; i < Math.min(SAMPLE, ids.size()); i++) {
            String text = documents.text(ids.id(i));
            Map<String, Integer> words = terms.counts(text);
            for (Span span : TextSentences.of(text, context.language())) {
                String sentence = span.of(text);
                if (refusal(sentence).isEmpty()) {
                    all++;
                    own += terms.of(sentence, words, false).size() < LEAST_TERMS ? 0 : 1;
                }
            }
        }
        return own < OWN_WORDS * all;
    }

    private Optional<AskableSentence.Refusal> refusal(String sentence) {
        return AskableSentence.refusal(sentence, terms.words(sentence).count(), context.language());
    }

    private record Source(
            String id, String text, List<Span> sentences, List<Span> points, Map<String, Integer> counts) {
        static Source of(String id, KeyTerms terms, StageContext context) {
            String text = context.documents().text(id);
            List<Span> sentences = TextSentences.of(text, context.language());
            return new Source(id, text, sentences, CodePoints.fromUtf16(text, sentences), terms.counts(text));
        }
    }

    private record Target(String text, Span points, List<KeyTerms.Term> terms) {
        double weight() {
            return KeyTerms.heaviest(terms, MOST_TERMS).stream()
                    .mapToDouble(KeyTerms.Term::weight)
                    .sum();
        }
    }

    static Object inputs(StageContext context) {
        return context.unspacedWords()
                .map(words -> "extractive, words of " + words.source())
                .orElse("extractive");
    }

    /** Writes the questions of a candidate, or drops it, with the reason of the sentence that came nearest. */
    void write(Candidate candidate, Candidates.Sink out) {
        List<Target> targets = new ArrayList<>();
        NavigableSet<String> reasons = new TreeSet<>(Comparator.comparingInt(REASONS::indexOf));
        findTargets(candidate, targets, reasons);
        if (targets.isEmpty()) {
            out.drop(candidate, reasons.isEmpty() ? LostDocuments.NO_SENTENCE : reasons.last());
        }
        for (int i = 0; i < Math.min(most, targets.size()); i++) {
            out.keep(question(candidate.child("q" + (i + 1)), targets.get(i)));
        }
    }

    private void findTargets(Candidate candidate, List<Target> targets, Set<String> reasons) {
        Source document = source;
        if (document == null || !document.id().equals(candidate.document())) {
            document = Source.of(candidate.document(), terms, context);
            source = document;
        }
        Span part = candidate.requiredSpan(Candidate.PART);
        for (int i = 0; i < document.sentences().size(); i++) {
            Span points = document.points().get(i);
            String sentence = document.sentences().get(i).of(document.text());
            if (points.start() < part.start() || points.end() > part.end()) {
                continue;
            }
            Optional<AskableSentence.Refusal> refusal = refusal(sentence);
            List<KeyTerms.Term> found =
                    refusal.isEmpty() ? terms.of(sentence, document.counts(), isTemplate) : List.of();
            if (found.size() >= LEAST_TERMS) {
                targets.add(new Target(sentence, points, found));
            } else {
                reasons.add(refusal.map(Object::toString).orElse(TEMPLATE));
            }
        }
        targets.sort(Comparator.comparingDouble(Target::weight).reversed());
    }

    private Candidate question(Candidate candidate, Target target) {
        Optional<ClozeQuestion> cloze = Draw.of(2, seed, candidate.id() + " style") == 0
                ? Optional.empty()
                : ClozeQuestion.of(target.text(), target.terms());
        int n = LEAST_TERMS + Draw.of(MOST_TERMS - LEAST_TERMS + 1, seed, candidate.id() + " terms");
        String keywords = KeyTerms.heaviest(target.terms(), n).stream()
                .map(KeyTerms.Term::word)
                .collect(Collectors.joining(" "));
        return candidate
                .with(Candidate.QUESTION, cloze.map(ClozeQuestion::question).orElse(keywords))
                .with(Candidate.ANSWER, cloze.map(ClozeQuestion::answer).orElse(target.text()))
                .with(Candidate.TYPE, cloze.isPresent() ? CLOZE : KEYWORD)
                .with(Candidate.REFERENCE, target.text())
                .with(Candidate.SPAN, target.points());
    }
}
