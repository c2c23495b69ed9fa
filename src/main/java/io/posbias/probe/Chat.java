package io.posbias.probe;

import io.posbias.encode.api.ChatReply;
import java.util.List;
import java.util.Optional;

/** Language model that answers independent prompts. */
public interface Chat {
    String model();

    /** The cached reply to a prompt; empty if it must be requested. */
    Optional<ChatReply> known(String prompt);

    /**
     * The replies to prompts, in order.
     *
     * @throws io.posbias.PosbiasException if a reply cannot be obtained
     */
    List<ChatReply> ask(List<String> prompts);
}
