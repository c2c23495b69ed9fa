package io.posbias.cli.common;

import io.posbias.encode.Engine;
import io.posbias.scale.Cluster;
import io.posbias.scale.SparkSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where blocks of work are done; shared by the commands that encode, search or re-rank much. */
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
            description = "local: this process; spark: executors of Apache Spark, with the same results "
                    + "(default: ${DEFAULT-VALUE}). docs/scale.md")
    private Place engine = Place.LOCAL;

    @BelongsTo(SPARK)
    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master: local[*], local-cluster[2,1,2048], spark://HOST:7077, yarn, k8s://.. "
                    + "(default: what spark-submit says).")
    private @Nullable String master;

    @BelongsTo(SPARK)
    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "A setting of Spark, such as spark.executor.memory=8g. May be repeated.")
    private Map<String, String> conf = new LinkedHashMap<>();

    /** Does something with an engine that gives blocks of its work away, if it was asked to. */
    public <T> T on(Engine here, Function<Engine, T> work) {
        return engine == Place.LOCAL
                ? work.apply(here)
                : Cluster.find().on(new SparkSettings(master, conf), here, work);
    }
}
