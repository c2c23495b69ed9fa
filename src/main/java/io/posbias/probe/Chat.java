package io.posbias.probe;

import io.posbias.encode.api.ChatReply;
import java.util.List;
import java.util.Optional;

/** A language model that is asked one question at a time, each by itself; wherever it runs. */
public interface Chat {
    /** The model's name. */
    String model();

    /** The reply to a question that need not be asked again. */
    Optional<ChatReply> known(String prompt);

    /**
     * The replies to questions, in their order.
     *
     * @throws io.posbias.PosbiasException if one cannot be had
     */
    List<ChatReply> ask(List<String> prompts);
}
