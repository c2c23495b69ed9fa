package io.posbias.study.probe.rag;

import io.posbias.model.chat.ChatReply;
import io.posbias.model.encode.CallEstimate;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.rag.RagItem.RagDocument;
import io.posbias.study.probe.rag.RagResult.RagVerdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Asks a language model the same questions with a poisoned document, a foil, no document and the evidence, and a judge for the
 * correctness: Table 5 of "Collapse of Dense Retrievers" (Fayyaz et al. 2025, arXiv:2503.05037).
 */
public record RagProbe(List<RagItem> items, RagPrompts prompts) {
    /**
     * Number of calls.
     *
     * @param answers distinct questions to the reader
     * @param known cached answers
     * @param verdicts largest number of distinct questions to the judge; empty answers are not judged
     * @param judged cached verdicts
     * @param tokens of unsent questions, by {@link CallEstimate}; excludes unknown answers
     */
    public record RagCalls(int answers, int known, int verdicts, int judged, long tokens) {
        /** Largest number of missing calls. */
        public int most() {
            return answers - known + verdicts - judged;
        }
    }

    private record RagQuestion(RagItem item, RagDocument document, String prompt) {}

    private List<RagQuestion> asked() {
        List<RagQuestion> asked = new ArrayList<>();
        for (RagItem item : items) {
            for (RagDocument document : item.documents()) {
                asked.add(new RagQuestion(item, document, document.prompt(prompts, item)));
            }
        }
        return asked;
    }

    /** Counts calls without sending any. */
    public RagCalls calls(Chat reader, Chat judge) {
        Set<String> questions = new LinkedHashSet<>();
        Set<String> known = new LinkedHashSet<>();
        Set<String> verdicts = new LinkedHashSet<>();
        int unknownVerdicts = 0;
        long tokens = 0;
        for (RagQuestion asked : asked()) {
            questions.add(asked.prompt);
            Optional<ChatReply> answer = reader.known(asked.prompt);
            if (answer.isEmpty()) {
                unknownVerdicts++;
                tokens += CallEstimate.tokens(prompts.judge(asked.item, ""));
            } else {
                known.add(asked.prompt);
                toJudge(asked.item, answer.get()).ifPresent(verdicts::add);
            }
        }
        int judged = (int) verdicts.stream()
                .filter(prompt -> judge.known(prompt).isPresent())
                .count();
        tokens += Stream.concat(
                        questions.stream().filter(prompt -> !known.contains(prompt)),
                        verdicts.stream().filter(prompt -> judge.known(prompt).isEmpty()))
                .mapToLong(CallEstimate::tokens)
                .sum();
        return new RagCalls(questions.size(), known.size(), verdicts.size() + unknownVerdicts, judged, tokens);
    }

    /** The judge's question about an answer; empty for an empty answer. */
    private Optional<String> toJudge(RagItem item, ChatReply answer) {
        String text = Spaces.strip(answer.text());
        return text.isEmpty() ? Optional.empty() : Optional.of(prompts.judge(item, text));
    }

    /** Sends all missing calls, answers before verdicts. */
    public RagResult run(Chat reader, Chat judge, double confidence) {
        List<RagQuestion> asked = asked();
        List<ChatReply> replies =
                reader.ask(asked.stream().map(RagQuestion::prompt).toList());
        Map<String, ChatReply> verdicts = verdicts(asked, replies, judge);
        List<RagResult.RagAnswer> answers = new ArrayList<>();
        Map<String, ChatReply> read = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            RagQuestion one = asked.get(i);
            read.put(one.prompt, replies.get(i));
            answers.add(answer(one, replies.get(i), verdicts));
        }
        return RagResult.of(answers, effort(read.values()), effort(verdicts.values()), confidence);
    }

    private Map<String, ChatReply> verdicts(List<RagQuestion> asked, List<ChatReply> replies, Chat judge) {
        Set<String> questions = new LinkedHashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            toJudge(asked.get(i).item, replies.get(i)).ifPresent(questions::add);
        }
        List<String> inOrder = List.copyOf(questions);
        List<ChatReply> judged = judge.ask(inOrder);
        return IntStream.range(0, judged.size()).boxed().collect(Collectors.toMap(inOrder::get, judged::get));
    }

    private RagResult.RagAnswer answer(RagQuestion asked, ChatReply reply, Map<String, ChatReply> verdicts) {
        Optional<String> question = toJudge(asked.item, reply);
        ChatReply judged = question.map(verdicts::get).orElse(new ChatReply("", OptionalLong.empty()));
        RagVerdict verdict =
                question.map(prompt -> RagVerdict.of(prompt, judged.text())).orElse(RagVerdict.EMPTY);
        return new RagResult.RagAnswer(asked.item.id(), asked.document, verdict, reply.text(), judged.text());
    }

    static RagResult.RagEffort effort(Collection<ChatReply> replies) {
        return new RagResult.RagEffort(
                replies.size(),
                replies.stream().mapToLong(reply -> reply.tokens().orElse(0)).sum(),
                (int) replies.stream().filter(reply -> reply.tokens().isEmpty()).count());
    }
}
