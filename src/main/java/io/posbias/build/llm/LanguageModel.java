package io.posbias.build.llm;

import io.posbias.Printable;
import io.posbias.encode.api.CachedChat;
import io.posbias.encode.api.ChatReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A language model as a stage asks it: replies that cannot be read are asked for once more. */
public final class LanguageModel {
    private final CachedChat chat;
    private final String name;

    public LanguageModel(CachedChat chat, String name) {
        this.chat = chat;
        this.name = name;
    }

    /**
     * What a reply says.
     *
     * @param value what was read; empty where it cannot be read
     * @param problem why it cannot be read, one of few phrases; empty where it can
     * @param reply its beginning, for whoever looks for the reason
     */
    public record Answer<T>(Optional<T> value, String problem, String reply) {
        /** A reply that was read. */
        public static <T> Answer<T> of(T value) {
            return new Answer<>(Optional.of(value), "", "");
        }

        /** A reply that cannot be read. */
        public static <T> Answer<T> problem(String problem) {
            return new Answer<>(Optional.empty(), problem, "");
        }

        private Answer<T> said(String text) {
            return new Answer<>(value, problem, Printable.cut(text));
        }
    }

    /** The model's name at its service. */
    public String name() {
        return name;
    }

    /**
     * Asks, and where a reply cannot be read, asks once more and says what was wrong.
     *
     * @param read reads a reply
     * @return one answer per prompt, in their order
     */
    public <T> List<Answer<T>> ask(List<String> prompts, Function<String, Answer<T>> read) {
        List<Answer<T>> answers = new ArrayList<>();
        for (ChatReply reply : chat.ask(prompts)) {
            answers.add(read.apply(reply.text()).said(reply.text()));
        }
        List<Integer> wrong = new ArrayList<>();
        List<String> again = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).value().isEmpty()) {
                wrong.add(i);
                again.add(prompts.get(i) + "\n\nAn earlier reply to this could not be used: "
                        + answers.get(i).problem() + ". Reply in the requested form and with nothing else.");
            }
        }
        List<ChatReply> replies = chat.ask(again);
        for (int i = 0; i < wrong.size(); i++) {
            String text = replies.get(i).text();
            answers.set(wrong.get(i), read.apply(text).said(text));
        }
        return answers;
    }
}
