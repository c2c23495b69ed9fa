package io.posbias.scale.spark;

import io.posbias.encode.Engine;
import io.posbias.scale.Cluster;
import io.posbias.scale.SparkSettings;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Executors of Apache Spark. */
public final class SparkCluster implements Cluster {
    @Override
    public <T> T on(SparkSettings settings, Engine here, @Nullable Copies copies, Function<Engine, T> work) {
        try (SparkWorkers workers = SparkWorkers.open(settings, here)) {
            if (copies == null) {
                return work.apply(here.with(workers));
            }
            Optional<Mirror.Cells> cells =
                    Optional.ofNullable(copies.cells()).map(folder -> new Mirror.Cells(folder, copies.seal()));
            try (Mirror mirror = workers.mirror(copies.address(), cells)) {
                return mirror.during(() -> work.apply(here.with(workers)));
            }
        }
    }
}
