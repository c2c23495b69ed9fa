package io.posbias.scale;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Session;
import io.posbias.Temporary;
import io.posbias.UsageException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;

/**
 * What Spark is told.
 *
 * @param master where executors come from, as Spark writes it; null for what spark-submit says
 * @param conf Spark's own settings, which go before those of posbias
 */
public record SparkSettings(@Nullable String master, Map<String, String> conf) {
    /** A setting of posbias's own: whether files are sent to executors; without it, where one of them does not see the home. */
    static final String SEND = "spark.posbias.send";

    private static final String CONTEXT = "org.apache.spark.SparkContext";
    private static final String MASTER = "spark.master";
    private static final String CLASS_PATH = "spark.executor.extraClassPath";
    private static final String JAVA_OPTIONS = "spark.executor.extraJavaOptions";
    private static final String SPARK_HOME = "SPARK_HOME";

    /** Copies the settings. */
    public SparkSettings {
        conf = Map.copyOf(conf);
    }

    /**
     * Makes sure that Spark is there; {@link SparkWorkers} cannot even be loaded without.
     *
     * @throws PosbiasException how to get it, in one line
     */
    public static void require() {
        try {
            Class.forName(CONTEXT, false, SparkSettings.class.getClassLoader());
        } catch (ClassNotFoundException absent) {
            throw new PosbiasException(
                    "--engine spark needs Apache Spark, which this build of posbias has not: build it with"
                            + " 'mvn -Pspark package' (docs/scale.md)",
                    absent);
        }
    }

    SparkConf toConf(Session session) {
        // With the properties that spark-submit sets.
        SparkConf all = new SparkConf();
        conf.forEach(all::set);
        if (master != null) {
            all.setMaster(master);
        }
        if (!all.contains(MASTER)) {
            throw new UsageException(
                    "--engine spark needs --master, such as local[*] or spark://HOST:7077, or to be started"
                            + " by spark-submit");
        }
        all.setIfMissing("spark.app.name", "posbias");
        // What comes of blocks is kept at once, however much it is in all.
        all.setIfMissing("spark.driver.maxResultSize", "0");
        all.setIfMissing("spark.ui.showConsoleProgress", "false");
        all.setIfMissing("spark.local.dir", Temporary.folder("spark").toString());
        all.set(JAVA_OPTIONS, (all.get(JAVA_OPTIONS, "") + " --enable-native-access=ALL-UNNAMED").strip());
        ownInstallation(all, session);
        return all;
    }

    /** Executors of a stand-alone master run what is installed at the same path as here, unless they are sent something. */
    private static void ownInstallation(SparkConf all, Session session) {
        String where = all.get(MASTER);
        boolean cluster = where.startsWith("local-cluster");
        if ((cluster || where.startsWith("spark://")) && !all.contains("spark.jars")) {
            all.setIfMissing(CLASS_PATH, classPath());
        }
        if (cluster) {
            all.setIfMissing("spark.executorEnv.JAVA_HOME", System.getProperty("java.home"));
            all.setIfMissing("spark.executorEnv.SPARK_SCALA_VERSION", "2.13");
            prepareWorkers(session);
        }
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(part -> Path.of(part).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Spark's workers look for a folder of jars in SPARK_HOME; with the class path above it may be empty. */
    private static void prepareWorkers(Session session) {
        Path home = session.folder(SPARK_HOME)
                .orElseThrow(() -> new PosbiasException("--master local-cluster needs " + SPARK_HOME
                        + ", a folder for what its workers write: scripts/posbias and bin/posbias set it"));
        Path jars = home.resolve("jars");
        Problems.tried("make", jars, () -> Files.createDirectories(jars));
    }
}
