package io.posbias.study.probe.rag;

import io.posbias.model.chat.ChatReply;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.DiagnosisRunner;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.rag.PositionAnswers.PositionAnswer;
import io.posbias.study.probe.rag.PositionAnswers.PositionPrompts;
import io.posbias.study.probe.rag.PositionAnswers.Replies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The prompts of several retrievers, which share replies.
 *
 * @param prompts by retriever
 */
public record PositionStudy(PositionAnswers method, SequencedMap<EvaluatedModel, List<PositionPrompts>> prompts) {
    public static PositionStudy retrieve(PositionAnswers method, List<Recipe> recipes, Engine engine) {
        ModelStore store = new ModelStore(engine.session());
        SequencedMap<EvaluatedModel, List<PositionPrompts>> prompts = new LinkedHashMap<>();
        for (Recipe recipe : recipes) {
            store.require(recipe);
            String on = method.questions().queries().size() + " queries of "
                    + method.questions().dataset().name();
            List<PositionPrompts> found =
                    DiagnosisRunner.timed(recipe, engine, own -> on, () -> method.retrieved(recipe, engine));
            long few = found.stream().filter(row -> row.passages() < method.k()).count();
            if (few > 0) {
                engine.say("note: " + recipe.name() + " finds fewer than " + method.k() + " passages for " + few
                        + " of " + on + ", whose prompts are shorter");
            }
            prompts.put(store.identified(recipe), found);
        }
        return new PositionStudy(method, prompts);
    }

    private List<PositionPrompts> all() {
        return prompts.values().stream().flatMap(List::stream).toList();
    }

    /** Counts calls and tokens without sending any. */
    public PositionCalls calls(Chat reader, List<? extends Chat> judges) {
        return PositionCalls.of(method, all(), reader, judges);
    }

    /**
     * Answers with a retriever.
     *
     * @param judges usage of each judge
     */
    public record Found(
            EvaluatedModel model,
            List<PositionAnswer> answers,
            PositionResult result,
            RagResult.RagEffort reader,
            List<RagResult.RagEffort> judges) {}

    /** Sends all missing calls, and compares the answers. */
    public List<Found> ask(Chat reader, List<? extends Chat> judges, Settings settings) {
        Replies replies = method.ask(all(), reader, judges);
        List<Found> found = new ArrayList<>();
        prompts.forEach((model, rows) -> {
            List<PositionAnswer> answers = method.answers(rows, replies);
            Set<String> asked = rows.stream()
                    .flatMap(row -> row.both().map(PositionAnswers.Prompted::text))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            Set<String> judged = rows.stream()
                    .flatMap(row -> row.both()
                            .map(prompt -> method.toJudge(
                                    row.question(), replies.answers().get(prompt.text()))))
                    .filter(prompt -> !prompt.isEmpty())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            found.add(new Found(
                    model,
                    answers,
                    PositionResult.of(answers, method.questions().places(), method.k(), settings),
                    RagProbe.effort(replies(asked, replies.answers()::get)),
                    IntStream.range(0, judges.size())
                            .mapToObj(judge -> RagProbe.effort(
                                    replies(judged, replies.verdicts().get(judge)::get)))
                            .toList()));
        });
        return found;
    }

    private static List<ChatReply> replies(Set<String> prompts, Function<String, @Nullable ChatReply> replies) {
        return prompts.stream().map(replies).filter(Objects::nonNull).toList();
    }
}
