package io.posbias.scale;

import io.posbias.Printable;
import io.posbias.UsageException;
import io.posbias.encode.Slots;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says of Spark.
 *
 * @param master where executors come from, as Spark writes it; null for what spark-submit says
 * @param conf Spark's own settings, which go before those of posbias
 */
public record SparkSettings(@Nullable String master, Map<String, String> conf) {
    /** A setting of posbias's own: whether files are sent to executors; without it, where one of them does not see the home. */
    public static final String SEND = "spark.posbias.send";

    public static final String TASK_CPUS = "spark.task.cpus";
    private static final String PARALLELISM = "spark.default.parallelism";

    /** As Spark's own patterns: threads, and how often a task may fail. */
    private static final Pattern LOCAL = Pattern.compile("local(?:\\[\\s*([0-9]{1,6}|\\*)\\s*(?:,\\s*[0-9]+\\s*)?])?");

    /** Executors, cores of each, megabytes of each. */
    private static final Pattern LOCAL_CLUSTER =
            Pattern.compile("local-cluster\\[\\s*([0-9]{1,4})\\s*,\\s*([0-9]{1,4})\\s*,\\s*[0-9]+\\s*]");

    /** What Spark assumes of executors at least, and before they come. */
    public static final int LEAST_PARALLELISM = 2;

    public static final String MASTER = "spark.master";

    /** Copies the settings. */
    public SparkSettings {
        conf = Map.copyOf(conf);
    }

    /**
     * What the engine would find, as far as it is told without asking Spark.
     *
     * @param unknown blocks done at once where the master does not say how many, such as spark://, yarn and k8s
     * @param keepVectors whether vectors are where executors may see them
     * @throws UsageException if there is no master, or one that nobody can understand
     */
    public Slots slots(int unknown, boolean keepVectors) {
        String where = setting(MASTER).orElseThrow(SparkSettings::noMaster);
        int cpus = number(TASK_CPUS).orElse(1);
        OptionalInt parallelism = number(PARALLELISM);
        if (parallelism.isEmpty()) {
            parallelism = cores(where);
        }
        int count = parallelism.isPresent() ? parallelism.getAsInt() / Math.max(1, cpus) : unknown;
        boolean local = where.startsWith("local") && !where.startsWith("local-cluster");
        boolean seen = setting(SEND).map(send -> !Boolean.parseBoolean(send)).orElse(local || keepVectors);
        return new Slots(Math.max(1, count), cpus, seen);
    }

    /** The cores of a master in this machine, as Spark counts them once its executors are there. */
    private static OptionalInt cores(String master) {
        if (!master.startsWith("local")) {
            return OptionalInt.empty();
        }
        Matcher threads = LOCAL.matcher(master);
        if (threads.matches()) {
            String number = threads.group(1);
            return OptionalInt.of(
                    number == null
                            ? 1
                            : number.equals("*")
                                    ? Runtime.getRuntime().availableProcessors()
                                    : Integer.parseInt(number));
        }
        Matcher cluster = LOCAL_CLUSTER.matcher(master);
        if (!cluster.matches()) {
            throw new UsageException("--master " + Printable.quoted(master)
                    + " is none that Spark knows: local, local[2], local[*] or local-cluster[2,1,2048]");
        }
        return OptionalInt.of(
                Math.max(LEAST_PARALLELISM, Integer.parseInt(cluster.group(1)) * Integer.parseInt(cluster.group(2))));
    }

    private OptionalInt number(String key) {
        Optional<String> value = setting(key);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(value.get()));
        } catch (NumberFormatException wrong) {
            throw new UsageException(key + " is " + Printable.quoted(value.get()) + ", not a number");
        }
    }

    /** As Spark finds them. */
    private Optional<String> setting(String key) {
        return key.equals(MASTER) && master != null
                ? Optional.of(master)
                : Optional.ofNullable(conf.getOrDefault(key, System.getProperty(key)));
    }

    /** The error of a command line that names no master. */
    public static UsageException noMaster() {
        return new UsageException(
                "--engine spark needs --master, such as local[*] or spark://HOST:7077, or to be started"
                        + " by spark-submit");
    }
}
