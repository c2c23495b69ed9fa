package io.posbias.scale;

import io.posbias.PosbiasException;
import io.posbias.encode.Engine;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * Executors of other machines. The implementation on Apache Spark is in {@code src/scale}, which {@code -Pspark} compiles, and is
 * found through {@link ServiceLoader}.
 */
public interface Cluster {
    /** How a build without Spark gets it. */
    String MISSING = "--engine spark needs Apache Spark, which this build of posbias has not: build it with"
            + " 'mvn -Pspark package' (docs/scale.md)";

    /**
     * Does something with an engine that gives blocks of its work to executors.
     *
     * @param here the engine that runs where nothing is given away
     * @throws PosbiasException if Spark is missing or its master does not answer
     */
    <T> T on(SparkSettings settings, Engine here, Function<Engine, T> work);

    /**
     * Returns the cluster of this build.
     *
     * @throws PosbiasException how to get one, in one line
     */
    static Cluster find() {
        try {
            return ServiceLoader.load(Cluster.class).findFirst().orElseThrow(() -> new PosbiasException(MISSING));
        } catch (ServiceConfigurationError left) {
            // target/ still has the resources of a build with the profile.
            throw new PosbiasException(MISSING, left);
        }
    }
}
