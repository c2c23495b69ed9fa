package io.posbias.model.scale;

import io.posbias.base.process.UsageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of Spark on the command line.
 *
 * @param master as Spark writes it; null for spark-submit's
 * @param conf settings of Spark, which override those of posbias
 */
public record SparkSettings(@Nullable String master, Map<String, String> conf) {
    /** POSBIAS_HOME of executors, with their models; the driver's by default. */
    public static final String HOME = "spark.executorEnv.POSBIAS_HOME";

    public static final String TASK_CPUS = "spark.task.cpus";
    public static final String MASTER = "spark.master";

    public SparkSettings {
        conf = Map.copyOf(conf);
    }

    /** Returns the error of a missing master. */
    public static UsageException noMaster() {
        return new UsageException(
                "--engine spark needs --master, for example local[*] or spark://HOST:7077, or a start by"
                        + " spark-submit");
    }
}
