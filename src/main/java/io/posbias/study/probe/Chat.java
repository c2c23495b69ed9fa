package io.posbias.study.probe;

import io.posbias.base.text.Plural;
import io.posbias.model.chat.CachedChat;
import io.posbias.model.chat.ChatReply;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Language model that answers independent prompts. */
public interface Chat {
    String model();

    /** The cached reply to a prompt; empty if it must be requested. */
    Optional<ChatReply> known(String prompt);

    /**
     * The replies to prompts, in order.
     *
     * @throws io.posbias.base.process.PosbiasException if a reply cannot be obtained
     */
    List<ChatReply> ask(List<String> prompts);

    /**
     * A language model with progress lines.
     *
     * @param replies names the replies in messages
     * @param say receives a line with the number of calls
     */
    public record AskedModel(CachedChat chat, String model, String replies, Consumer<String> say) implements Chat {
        @Override
        public Optional<ChatReply> known(String prompt) {
            return chat.known(prompt);
        }

        @Override
        public List<ChatReply> ask(List<String> prompts) {
            Set<String> distinct = new LinkedHashSet<>(prompts);
            long missing = distinct.size() - there(distinct);
            say.accept("calls: " + missing + " of " + distinct.size() + " " + replies + "; the others are on disk");
            try {
                return chat.ask(prompts);
            } catch (CallLimit.ReachedException reached) {
                throw reached.withMessage(
                        reached.isEstimate()
                                ? estimate(distinct, missing)
                                : "stopped by " + reached.option() + ": " + there(distinct) + " of " + distinct.size()
                                        + " " + replies + " of " + model
                                        + " are cached; rerun the command to continue");
            }
        }

        private String estimate(Set<String> prompts, long missing) {
            long tokens = prompts.stream()
                    .filter(prompt -> known(prompt).isEmpty())
                    .mapToLong(CallEstimate::tokens)
                    .sum();
            return "estimate: " + Plural.of(missing, "call") + ", with about " + Plural.of(tokens, "token")
                    + " besides those of the replies; nothing was sent; " + CallEstimate.BASIS;
        }

        private long there(Set<String> prompts) {
            return prompts.stream().filter(prompt -> known(prompt).isPresent()).count();
        }
    }
}
