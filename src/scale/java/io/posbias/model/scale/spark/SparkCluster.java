package io.posbias.model.scale.spark;

import io.posbias.model.encode.Engine;
import io.posbias.model.scale.Cluster;
import io.posbias.model.scale.SparkSettings;
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
