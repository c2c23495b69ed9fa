package io.posbias.study.probe.rag;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.table.Meaning;
import io.posbias.data.dataset.Query;
import io.posbias.model.chat.ChatReply;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.Ties;
import io.posbias.run.TextScorer;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.rag.PositionQuestions.PositionQuestion;
import io.posbias.study.probe.rag.RagResult.RagVerdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Retrieves passages for each question with its evidence at each place, and asks a language model to answer from the first k. Each
 * query has two prompts: the passages that were found, and the passages among which the evidence's replaces the last one if it was not
 * found. Where it was found, both prompts are equal.
 *
 * @param k passages of a prompt
 * @param right rule by which a reply counts as right
 */
public record PositionAnswers(PositionQuestions questions, int k, PromptPlace place, Right right, RagPrompts prompts) {
    /** Rule by which a reply counts as right. */
    public enum Right {
        /** {@link AnswerMatch#exact}. */
        EXACT,
        /** {@link AnswerMatch#holds}. */
        CONTAINS,
        /** The first judge's verdict. */
        JUDGE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A prompt.
     *
     * @param place of the evidence's passage, from 1; null in a prompt without it
     */
    record Prompted(@Nullable Integer place, String text) {}

    /**
     * The prompts of a query.
     *
     * @param rank of the evidence's passage, from 1; null if it is not among the first k
     * @param passages found, at most k
     * @param given with the evidence's passage in any case
     */
    record PositionPrompts(
            PositionQuestion question,
            Query query,
            @Nullable Integer rank,
            int passages,
            Prompted found,
            Prompted given) {
        int place() {
            return Objects.requireNonNull(query.variant()).place();
        }

        Stream<Prompted> both() {
            return Stream.of(found, given);
        }
    }

    /** A reply and what it is worth. */
    public record Reading(
            @Meaning("place of the evidence's passage in the prompt, from 1; empty in a prompt without it") @Nullable
            Integer promptPlace,

            @Meaning("the reply, unchanged") String answer,
            @JsonUnwrapped AnswerMatch match,

            @Meaning("the judge's verdict, as in `probe rag`; empty without a judge") @Nullable
            RagVerdict verdict,

            @Meaning("the second judge's verdict; empty without one") @Nullable
            RagVerdict secondVerdict,

            @Meaning("the reply is right by --right") boolean right) {}

    public record PositionAnswer(
            @Meaning("identifier of the question") String question,

            @Meaning("place of the evidence in its passage, from 1")
            int place,

            @Meaning("identifier of the query") String query,

            @Meaning("cluster of the question, for intervals and tests")
            String cluster,

            @Meaning("rank of the evidence's passage, from 1; empty if it is not among the first k") @Nullable
            Integer rank,

            @Meaning("number of passages found, at most k") int passages,

            @JsonUnwrapped Reading found,

            @Meaning(
                    "these columns again for the prompt that holds the evidence's passage in any case: if it was not found, it"
                            + " replaces the last one")
            Reading given) {}

    /**
     * Retrieves with a model, and writes the prompts.
     *
     * @return in the order of the questions, place after place
     */
    List<PositionPrompts> retrieved(Recipe recipe, Engine engine) {
        List<Query> queries = questions.queries();
        Run run;
        try (Searcher searcher =
                recipe.retriever().open(questions.dataset(), engine).withoutExcluded()) {
            RetrievedRun found = searcher.search(queries, k);
            run = found.run().top(k);
            found.report().truncations().all().forEach(cut -> TextScorer.reportTruncation(cut, engine));
        }
        Ties.refuseAll(recipe.name(), run);
        Map<Integer, String> texts = texts(queries, run);
        List<PositionPrompts> prompted = new ArrayList<>();
        for (PositionQuestion question : questions.all()) {
            for (Query query : question.queries()) {
                prompted.add(prompts(question, query, run.of(query.id()), texts));
            }
        }
        return prompted;
    }

    private Map<Integer, String> texts(List<Query> queries, Run run) {
        Map<Integer, String> texts = new HashMap<>();
        for (Query query : queries) {
            texts.put(PositionQuestions.relevant(questions.dataset(), query), "");
            for (int passage : run.of(query.id()).passages()) {
                texts.put(passage, "");
            }
        }
        questions
                .dataset()
                .passages()
                .inFileOrder((ordinal, passage) -> texts.computeIfPresent(ordinal, (same, text) -> passage.content()));
        return texts;
    }

    private PositionPrompts prompts(
            PositionQuestion question, Query query, Ranking ranking, Map<Integer, String> texts) {
        int evidence = PositionQuestions.relevant(questions.dataset(), query);
        List<Integer> others = new ArrayList<>();
        Integer rank = null;
        for (int i = 0; i < ranking.size(); i++) {
            if (ranking.passage(i) == evidence) {
                rank = i + 1;
            } else {
                others.add(ranking.passage(i));
            }
        }
        List<Integer> beside = others.size() < k ? others : others.subList(0, k - 1);
        int at = place.of(
                question.start(),
                Objects.requireNonNull(query.variant()).place(),
                rank == null ? k : rank,
                k,
                beside.size() + 1);
        List<Integer> whole = new ArrayList<>(beside);
        whole.add(at - 1, evidence);
        Prompted given = new Prompted(at, prompt(question, whole, texts));
        return new PositionPrompts(
                question,
                query,
                rank,
                ranking.size(),
                rank == null ? new Prompted(null, prompt(question, others, texts)) : given,
                given);
    }

    private String prompt(PositionQuestion question, List<Integer> passages, Map<Integer, String> texts) {
        return prompts.withPassages(
                passages.stream()
                        .map(passage -> texts.getOrDefault(passage, ""))
                        .toList(),
                question.text());
    }

    /**
     * Replies and verdicts by prompt.
     *
     * @param verdicts of each judge, by the judge's prompt
     */
    record Replies(Map<String, ChatReply> answers, List<Map<String, ChatReply>> verdicts) {}

    /** Asks for what is not cached, answers before verdicts. */
    Replies ask(Collection<PositionPrompts> all, Chat reader, List<? extends Chat> judges) {
        Set<String> prompted = new LinkedHashSet<>();
        all.forEach(row -> row.both().forEach(prompt -> prompted.add(prompt.text())));
        Map<String, ChatReply> answers = ask(prompted, reader);
        Set<String> toJudge = new LinkedHashSet<>();
        if (!judges.isEmpty()) {
            all.forEach(row -> row.both()
                    .map(prompt -> toJudge(row.question(), answers.get(prompt.text())))
                    .filter(prompt -> !prompt.isEmpty())
                    .forEach(toJudge::add));
        }
        return new Replies(
                answers, judges.stream().map(judge -> ask(toJudge, judge)).toList());
    }

    private static Map<String, ChatReply> ask(Set<String> prompts, Chat model) {
        List<String> inOrder = List.copyOf(prompts);
        List<ChatReply> replies = inOrder.isEmpty() ? List.of() : model.ask(inOrder);
        Map<String, ChatReply> byPrompt = new LinkedHashMap<>();
        for (int i = 0; i < replies.size(); i++) {
            byPrompt.put(inOrder.get(i), replies.get(i));
        }
        return byPrompt;
    }

    /** The judge's question about a reply; empty for a blank reply, which is not judged. */
    String toJudge(PositionQuestion question, @Nullable ChatReply reply) {
        String text = reply == null ? "" : Spaces.strip(reply.text());
        return text.isEmpty()
                ? ""
                : prompts.judge(
                        question.text(), question.evidence(), question.answers().getFirst(), text);
    }

    List<PositionAnswer> answers(List<PositionPrompts> rows, Replies replies) {
        List<String> clusters = questions.clusterNames();
        List<PositionAnswer> answers = new ArrayList<>();
        for (PositionPrompts row : rows) {
            answers.add(new PositionAnswer(
                    row.question().id(),
                    row.place(),
                    row.query().id(),
                    clusters.get(answers.size()),
                    row.rank(),
                    row.passages(),
                    reading(row.question(), row.found(), replies),
                    reading(row.question(), row.given(), replies)));
        }
        return answers;
    }

    private Reading reading(PositionQuestion question, Prompted prompt, Replies replies) {
        ChatReply reply = replies.answers().get(prompt.text());
        String text = reply == null ? "" : reply.text();
        AnswerMatch match = AnswerMatch.of(text, question.answers(), questions.language());
        String asked = toJudge(question, reply);
        List<RagVerdict> verdicts = replies.verdicts().stream()
                .map(judge -> asked.isEmpty()
                        ? RagVerdict.EMPTY
                        : RagVerdict.of(
                                asked, Objects.requireNonNull(judge.get(asked)).text()))
                .toList();
        boolean isRight = switch (right) {
            case EXACT -> match.exact();
            case CONTAINS -> match.holds();
            case JUDGE -> verdicts.getFirst() == RagVerdict.CORRECT;
        };
        return new Reading(
                prompt.place(),
                text,
                match,
                verdicts.isEmpty() ? null : verdicts.getFirst(),
                verdicts.size() < 2 ? null : verdicts.getLast(),
                isRight);
    }
}
