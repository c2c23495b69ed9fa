package io.posbias.model.scale.spark;

import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.files.IoErrors;
import io.posbias.base.process.Session;
import io.posbias.model.scale.SparkSettings;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;

/** Settings of Spark, made of those of the command line and those that posbias needs. */
final class SparkConfs {
    private static final String CLASS_PATH = "spark.executor.extraClassPath";
    private static final String JAVA_OPTIONS = "spark.executor.extraJavaOptions";
    private static final String SPARK_HOME = "SPARK_HOME";
    private static final String LOOPBACK = "127.0.0.1";

    private SparkConfs() {}

    /** Spark's own form of settings, with the properties that spark-submit sets. */
    static SparkConf of(SparkSettings settings, Session session) {
        SparkConf all = new SparkConf();
        settings.conf().forEach(all::set);
        if (settings.master() != null) {
            all.setMaster(settings.master());
        }
        if (!all.contains(SparkSettings.MASTER)) {
            throw SparkSettings.noMaster();
        }
        all.setIfMissing("spark.app.name", "posbias");
        // What comes of blocks is kept at once, however much it is in all.
        all.setIfMissing("spark.driver.maxResultSize", "0");
        all.setIfMissing("spark.ui.showConsoleProgress", "false");
        all.setIfMissing("spark.ui.enabled", "false");
        if (all.get(SparkSettings.MASTER).startsWith("local")) {
            // Nobody else has to reach it.
            all.setIfMissing("spark.driver.bindAddress", LOOPBACK);
            all.setIfMissing("spark.driver.host", LOOPBACK);
        }
        all.setIfMissing("spark.local.dir", Staging.temporary("spark", session.shutdown()).folder().toString());
        all.set(JAVA_OPTIONS, (all.get(JAVA_OPTIONS, "") + " --enable-native-access=ALL-UNNAMED").strip());
        ownInstallation(all, session);
        return all;
    }

    /** Executors of a stand-alone master run what is installed at the same path as here, unless they are sent something. */
    private static void ownInstallation(SparkConf all, Session session) {
        String where = all.get(SparkSettings.MASTER);
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
        Stream<String> own = SparkConfs.class.getClassLoader() instanceof URLClassLoader addOn
                ? Arrays.stream(addOn.getURLs()).map(url -> Path.of(URI.create(url.toString())).toString())
                : Stream.empty();
        return Stream.concat(
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .map(part -> Path.of(part).toAbsolutePath().toString()),
                        own)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Spark's workers look for a folder of jars in SPARK_HOME; with the class path above it may be empty. */
    private static void prepareWorkers(Session session) {
        Path home = session.folder(SPARK_HOME)
                .orElseThrow(() -> new PosbiasException("--master local-cluster needs " + SPARK_HOME
                        + ", a folder for what its workers write: scripts/posbias and bin/posbias set it"));
        Path jars = home.resolve("jars");
        IoErrors.run("make", jars, () -> {
            Files.createDirectories(jars);
            Path own = session.home().resolve("spark");
            if (Files.isDirectory(own) && Files.isSameFile(home, own)) {
                refuseFiles(jars);
                refuseFiles(home.resolve("conf"));
            }
        });
    }

    /** Workers run jars in {@code jars} and what {@code conf/java-opts} names; posbias writes neither. */
    private static void refuseFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.findFirst().ifPresent(file -> {
                throw new PosbiasException(
                        file + " is not of posbias, and Spark's workers would run it: delete it, or name a Spark of your own"
                                + " with " + SPARK_HOME);
            });
        }
    }
}
