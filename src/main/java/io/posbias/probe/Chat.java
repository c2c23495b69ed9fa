package io.posbias.probe;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A language model that is asked one question at a time, each by itself; wherever it runs. */
public interface Chat {
    /**
     * What it answered.
     *
     * @param text as it came, which may be empty
     * @param tokens of question and answer together; empty where nobody says
     */
    record Reply(String text, OptionalLong tokens) {}

    /** The model's name. */
    String model();

    /** The reply to a question that need not be asked again. */
    Optional<Reply> known(String prompt);

    /**
     * The replies to questions, in their order.
     *
     * @throws io.posbias.PosbiasException if one cannot be had
     */
    List<Reply> ask(List<String> prompts);
}
