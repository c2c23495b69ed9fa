package io.posbias.model.chat;

import io.posbias.base.net.AnswerException;
import io.posbias.model.encode.api.Reply;
import io.posbias.model.encode.api.Usage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answer of OpenAI's chat completions and of servers that talk alike; only the first choice is asked for. */
record ChatAnswer(@Nullable List<ChatAnswer.@Nullable Choice> choices, Usage.@Nullable Tokens usage) {
    /** Reasons to end that explain an answer without words, and that would be the same the next time. */
    private static final Set<String> WORDLESS = Set.of("length", "content_filter");

    record Choice(@Nullable Message message, @Nullable String finishReason) {}

    /** Words of the model, or those with which it refuses. */
    record Message(@Nullable String content, @Nullable String refusal) {}

    /** Reads words. A refusal, and an end without words, is an answer too; a message without both is none. */
    static Reply<ChatReply> read(byte[] json) throws AnswerException {
        ChatAnswer answer = Reply.read(json, ChatAnswer.class);
        Choice choice = answer.choices == null || answer.choices.isEmpty() ? null : answer.choices.getFirst();
        if (choice == null) {
            throw AnswerException.forNow("no choices");
        }
        if (choice.message == null) {
            throw AnswerException.forNow("a choice without a message");
        }
        Usage used = Usage.of(answer.usage, null);
        return new Reply<>(
                List.of(new Reply.Item<>(0, new ChatReply(words(choice, choice.message), used.tokens()))), used);
    }

    private static String words(Choice choice, Message message) throws AnswerException {
        if (message.content != null) {
            return message.content;
        }
        if (message.refusal != null) {
            return message.refusal;
        }
        if (choice.finishReason != null && WORDLESS.contains(choice.finishReason)) {
            return "";
        }
        throw AnswerException.forNow("a message without content");
    }
}
