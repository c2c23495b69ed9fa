package io.posbias.scale;

import io.posbias.PosbiasException;
import io.posbias.encode.Engine;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executors of other machines. The implementation on Apache Spark is in {@code src/scale}, which {@code -Pspark} compiles, and is
 * found through {@link ServiceLoader}.
 */
public interface Cluster {
    /** How a build without Spark gets it. */
    String MISSING = "--engine spark needs Apache Spark, which this build of posbias has not: build it with"
            + " 'mvn -Pspark package' (docs/scale.md)";

    /**
     * Where finished cells, vectors and scores are copied.
     *
     * @param address a folder that Hadoop's client reaches
     * @param cells the folder of finished cells; null to copy vectors and scores alone
     * @param seal the last file of each cell
     */
    record Copies(String address, @Nullable Path cells, String seal) {}

    /**
     * Does something with an engine that gives blocks of its work to executors.
     *
     * @param here the engine that runs where nothing is given away
     * @param copies null for none
     * @throws PosbiasException if Spark is missing or its master does not answer
     */
    <T> T on(SparkSettings settings, Engine here, @Nullable Copies copies, Function<Engine, T> work);

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
