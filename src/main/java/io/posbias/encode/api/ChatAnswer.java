package io.posbias.encode.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON of OpenAI's chat completions and of servers that talk alike; only the first choice is asked for. */
record ChatAnswer(@Nullable List<@Nullable Choice> choices, Usage.@Nullable Tokens usage) {
    /** Reasons to end that explain an answer without words, and that would be the same the next time. */
    private static final Set<String> WORDLESS = Set.of("length", "content_filter");

    record Choice(@Nullable Message message, @Nullable String finishReason) {}

    /** Its words, or those with which the model refuses. */
    record Message(@Nullable String content, @Nullable String refusal) {}

    /** The words. What refuses or ends without words is an answer, too; a message without both is none. */
    Reply<ChatReply> reply() throws WrongAnswerException {
        Choice choice = choices == null || choices.isEmpty() ? null : choices.getFirst();
        if (choice == null) {
            throw WrongAnswerException.forNow("no choices");
        }
        if (choice.message == null) {
            throw WrongAnswerException.forNow("a choice without a message");
        }
        Usage used = Usage.of(usage, null);
        return new Reply<>(
                List.of(new Reply.Item<>(0, new ChatReply(words(choice, choice.message), used.tokens()))), used);
    }

    private static String words(Choice choice, Message message) throws WrongAnswerException {
        if (message.content != null) {
            return message.content;
        }
        if (message.refusal != null) {
            return message.refusal;
        }
        if (choice.finishReason != null && WORDLESS.contains(choice.finishReason)) {
            return "";
        }
        throw WrongAnswerException.forNow("a message without content");
    }
}
