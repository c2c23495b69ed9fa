package io.posbias.scale;

import io.posbias.UsageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says of Spark.
 *
 * @param master where executors come from, as Spark writes it; null for what spark-submit says
 * @param conf Spark's own settings, which go before those of posbias
 */
public record SparkSettings(@Nullable String master, Map<String, String> conf) {
    /** POSBIAS_HOME of executors, where they find models; without it, the driver's. */
    public static final String HOME = "spark.executorEnv.POSBIAS_HOME";

    public static final String TASK_CPUS = "spark.task.cpus";
    public static final String MASTER = "spark.master";

    /** Copies the settings. */
    public SparkSettings {
        conf = Map.copyOf(conf);
    }

    /** The error of a command line that names no master. */
    public static UsageException noMaster() {
        return new UsageException(
                "--engine spark needs --master, such as local[*] or spark://HOST:7077, or to be started"
                        + " by spark-submit");
    }
}
