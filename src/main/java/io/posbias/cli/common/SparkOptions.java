package io.posbias.cli.common;

import io.posbias.model.encode.Engine;
import io.posbias.model.scale.Cluster;
import io.posbias.model.scale.SparkSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(optionListHeading = "More machines:")
public final class SparkOptions {
    private static final String SPARK = "--engine spark";

    private enum Place {
        LOCAL,
        SPARK;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "Engine: local (this process) or spark (executors of Apache Spark, same results; "
                    + "docs/scale.md) (default: ${DEFAULT-VALUE}).")
    private Place engine = Place.LOCAL;

    @BelongsTo(SPARK)
    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark master: local[*], local-cluster[2,1,2048], spark://HOST:7077, yarn, k8s://.. "
                    + "(default: spark-submit's).")
    private @Nullable String master;

    @BelongsTo(SPARK)
    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "Spark setting, for example spark.executor.memory=8g. Repeatable.")
    private Map<String, String> conf = new LinkedHashMap<>();

    public boolean areGiven() {
        return engine == Place.SPARK;
    }

    /** Runs work on the local engine or on Spark. */
    public <T> T on(Engine here, Function<Engine, T> work) {
        return engine == Place.LOCAL
                ? work.apply(here)
                : Cluster.find(here.session()).on(new SparkSettings(master, conf), here, work);
    }
}
