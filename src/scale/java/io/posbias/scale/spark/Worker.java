package io.posbias.scale.spark;

import io.posbias.Session;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;

/**
 * What an executor is for posbias.
 *
 * @param handshake what it must have in common with the driver
 * @param sent the files that it was sent
 * @param device what its models run on
 * @param threads of a task
 * @param batchTokens as in {@link Engine}
 */
record Worker(Handshake handshake, ArrayList<SentFile> sent, String device, int threads, int batchTokens)
        implements Serializable {
    /** The engine of this process, once both have agreed. */
    Engine engine() {
        Path home = handshake.agree();
        sent.forEach(file -> file.placeIn(home));
        Session session =
                Session.quiet(Map.of("POSBIAS_HOME", home.toString()), Path.of(System.getProperty("user.home")));
        return new Engine(Device.parse(device), threads, batchTokens, false, CallLimit.none(), session);
    }
}
