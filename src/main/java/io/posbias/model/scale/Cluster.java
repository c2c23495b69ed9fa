package io.posbias.model.scale;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.fetch.jars.AddOn;
import io.posbias.model.encode.Engine;
import java.util.function.Function;

/**
 * Executors on other machines. The implementation on Apache Spark is in {@code src/scale} and is found through {@link AddOn}.
 */
public interface Cluster {
    /** Message of a build without Spark. */
    String MISSING = "--engine spark needs Apache Spark, which is not included in this build of posbias: build it with"
            + " 'mvn -Pspark package', or use a released archive (docs/install.md)";

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
    static Cluster find(Session session) {
        return AddOn.SPARK.service(Cluster.class, session).orElseThrow(() -> new PosbiasException(MISSING));
    }
}
