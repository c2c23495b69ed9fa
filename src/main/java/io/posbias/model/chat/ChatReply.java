package io.posbias.model.chat;

import io.posbias.model.encode.TextEncoder;
import java.util.OptionalLong;

/**
 * Answer of a language model.
 *
 * @param text as it came, which may be empty; halves of characters are question marks, because UTF-8 has none
 * @param tokens of question and answer together; empty where the service does not say
 */
public record ChatReply(String text, OptionalLong tokens) {
    /** Makes the text one that can be written and read again. */
    public ChatReply {
        text = TextEncoder.encodable(text);
    }
}
