package io.posbias.encode.worker;

import java.util.List;

/**
 * How a worker is started.
 *
 * @param model the recipe's name
 * @param command program and arguments
 * @param digest of the command and of the files that it names
 * @param texts at most in one request, at least 1
 * @param seconds that an answer may take
 * @param workers processes, at least 1
 */
public record WorkerSettings(
        String model, List<String> command, Gives gives, String digest, int texts, int seconds, int workers) {
    /** Kind of a worker's answers. */
    public enum Gives {
        DENSE,
        LATE_INTERACTION,
        CROSS_ENCODER
    }

    public WorkerSettings {
        command = List.copyOf(command);
    }
}
