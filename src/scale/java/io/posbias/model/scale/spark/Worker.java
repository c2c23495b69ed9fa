package io.posbias.model.scale.spark;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Version;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import java.io.Serializable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * An executor, as posbias uses it.
 *
 * @param build posbias's version and the digest of its jar, which executors must have in common with the driver
 * @param home POSBIAS_HOME of executors, where they find models
 * @param device of its models
 * @param threads of a task
 * @param batchTokens as in {@link Engine}
 */
record Worker(String build, String home, String device, int threads, int batchTokens) implements Serializable {
    /** Executors that read models in a home, for an engine of this build. */
    static Worker of(Engine engine, String home, int threads) {
        return new Worker(Build.TEXT, home, engine.device().toString(), threads, engine.batchTokens());
    }

    /**
     * The engine of this process.
     *
     * @throws PosbiasException if it runs another build than the driver, whose numbers may differ
     */
    Engine engine() {
        if (!Build.TEXT.equals(build)) {
            throw new PosbiasException(
                    "it runs posbias " + Build.TEXT + ", the driver " + build + ": both need the same jar");
        }
        Path absolute = Path.of(home).toAbsolutePath().normalize();
        Session session = Session.quiet(Map.of("POSBIAS_HOME", absolute.toString()), absolute);
        return new Engine(Device.parse(device), threads, batchTokens, false, CallLimit.none(), session);
    }

    /** The build of this process, read once. */
    private static final class Build {
        static final String TEXT = Version.text() + digest();

        /** Classes in a folder belong to the only build under development, and need no digest. */
        private static String digest() {
            try {
                Path jar = Path.of(Json.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
                return Files.isRegularFile(jar)
                        ? " (" + Checksums.sha256(jar).substring(0, 12) + ")"
                        : "";
            } catch (URISyntaxException unreadable) {
                return "";
            }
        }
    }
}
