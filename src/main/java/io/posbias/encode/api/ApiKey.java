package io.posbias.encode.api;

import io.posbias.UsageException;
import java.util.Map;
import java.util.Optional;

/** A key that does not print itself, and takes itself out of what others print. */
final class ApiKey {
    /** So many characters in a row that are the key's count as a part of it; fewer may be anything. */
    private static final int SHORTEST_PART = 8;

    private final String value;

    ApiKey(String value) {
        this.value = value;
    }

    /**
     * The key that the settings want, from the environment.
     *
     * @return empty when they want none
     */
    static Optional<ApiKey> read(ApiSettings settings, Map<String, String> environment) {
        if (settings.keyVariable().isEmpty()) {
            return Optional.empty();
        }
        String variable = settings.keyVariable().get();
        String value = environment.get(variable);
        if (value == null || value.isBlank()) {
            throw new UsageException(settings.who() + " needs a key: set the environment variable " + variable);
        }
        // Whatever cannot be in a header: the HTTP client would complain and show the whole header.
        if (!value.chars().allMatch(character -> character > ' ' && character < 127)) {
            throw new UsageException("the key in the environment variable " + variable
                    + " holds a line break, a space or a character that is not ASCII");
        }
        if (!"https".equals(settings.endpoint().getScheme()) && !isThisMachine(settings)) {
            throw new UsageException("the key in " + variable + " would travel unencrypted to " + settings.host()
                    + ": give the endpoint as https://, or " + settings.setup().withoutKey);
        }
        return Optional.of(new ApiKey(value));
    }

    private static boolean isThisMachine(ApiSettings settings) {
        String host = settings.endpoint().getHost();
        return host.equalsIgnoreCase("localhost")
                || host.matches("127(\\.[0-9]{1,3}){3}")
                || host.equals("[::1]")
                || host.equals("[0:0:0:0:0:0:0:1]");
    }

    /** The key, for the one header it is meant for. */
    String reveal() {
        return value;
    }

    /** The text without the key, nor any long part of it. */
    String mask(String text) {
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

    /** How many characters from a position on are in the key, too. */
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
