package io.posbias.scale.spark;

import io.posbias.encode.Engine;
import io.posbias.scale.Cluster;
import io.posbias.scale.SparkSettings;
import java.util.function.Function;

/** Executors of Apache Spark. */
public final class SparkCluster implements Cluster {
    @Override
    public <T> T on(SparkSettings settings, Engine here, Function<Engine, T> work) {
        try (SparkWorkers workers = SparkWorkers.open(settings, here)) {
            return work.apply(here.with(workers));
        }
    }
}
