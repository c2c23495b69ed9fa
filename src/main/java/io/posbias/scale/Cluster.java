package io.posbias.scale;

import io.posbias.PosbiasException;
import io.posbias.encode.Engine;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * Executors on other machines. The implementation for Apache Spark is in {@code src/scale}, compiled with {@code
 * -Pspark} and found through {@link ServiceLoader}.
 */
public interface Cluster {
    String MISSING = "--engine spark needs Apache Spark, which is not included in this build: build posbias"
            + " with 'mvn -Pspark package' (docs/scale.md)";

    /**
     * Runs an action with an engine whose blocks of work go to executors.
     *
     * @param here engine of this process
     * @throws PosbiasException if Spark is missing or its master does not answer
     */
    <T> T on(SparkSettings settings, Engine here, Function<Engine, T> work);

    /**
     * Returns the cluster of this build.
     *
     * @throws PosbiasException with the way to get one
     */
    static Cluster find() {
        try {
            return ServiceLoader.load(Cluster.class).findFirst().orElseThrow(() -> new PosbiasException(MISSING));
        } catch (ServiceConfigurationError left) {
            // target/ may have resources of an earlier build with the profile.
            throw new PosbiasException(MISSING, left);
        }
    }
}
