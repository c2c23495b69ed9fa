package io.posbias.base.net;

import io.posbias.base.process.UsageException;
import java.net.URI;

/**
 * A key or token: does not print itself, redacts itself in other texts, and travels encrypted or within this
 * machine.
 */
public final class Secret {
    /** So many characters in a row that are the secret's count as a part of it; fewer may be anything. */
    private static final int SHORTEST_PART = 8;

    private final String name;
    private final String value;

    /**
     * A secret that is checked before it is sent.
     *
     * @param name what errors call it, for example "the key in the environment variable OPENAI_API_KEY"
     * @param value not blank
     */
    public Secret(String name, String value) {
        this.name = name;
        this.value = value;
    }

    /**
     * Refuses what cannot be in a header (the HTTP client would complain and show the whole header), and a server that
     * the secret would reach unencrypted.
     *
     * @param remedy what else can be done than to use https
     * @throws UsageException if it cannot be sent, or others could read it on its way
     */
    public void checkGoesTo(URI address, String remedy) {
        if (!value.chars().allMatch(character -> character > ' ' && character < 127)) {
            throw new UsageException(name + " holds a line break, a space or a character that is not ASCII");
        }
        if (!"https".equalsIgnoreCase(address.getScheme()) && !Addresses.isLoopback(address)) {
            throw new UsageException(name + " would travel unencrypted to " + Addresses.host(address)
                    + ": give the address as https://, or " + remedy);
        }
    }

    /** The secret, for the one header it is meant for. */
    String reveal() {
        return value;
    }

    /** The text without the secret, nor any long part of it. */
    public String mask(String text) {
        StringBuilder masked = new StringBuilder();
        int position = 0;
        while (position < text.length()) {
            int part = longestPart(text, position);
            if (part >= Math.min(SHORTEST_PART, value.length())) {
                masked.append("***");
                position += part;
            } else {
                masked.append(text.charAt(position));
                position++;
            }
        }
        return masked.toString();
    }

    /** Length of the match with the secret from a position. */
    private int longestPart(String text, int position) {
        int end = position;
        while (end < text.length() && value.contains(text.substring(position, end + 1))) {
            end++;
        }
        return end - position;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
