package io.posbias.study.build.llm;

import io.posbias.base.text.Printable;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A language model that is asked once more after an unreadable reply. */
public final class LanguageModel {
    private final CachedChat chat;
    private final String name;

    public LanguageModel(CachedChat chat, String name) {
        this.chat = chat;
        this.name = name;
    }

    /**
     * A parsed reply.
     *
     * @param value empty if unreadable
     * @param problem a fixed phrase; empty if readable
     * @param reply its beginning, for readers
     */
    public record Answer<T>(Optional<T> value, String problem, String reply) {
        public static <T> Answer<T> of(T value) {
            return new Answer<>(Optional.of(value), "", "");
        }

        public static <T> Answer<T> problem(String problem) {
            return new Answer<>(Optional.empty(), problem, "");
        }

        private Answer<T> said(String text) {
            return new Answer<>(value, problem, Printable.cut(text));
        }
    }

    public String name() {
        return name;
    }

    /**
     * Asks; an unreadable reply is asked for once more with its problem.
     *
     * @return one answer per prompt, in order
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
