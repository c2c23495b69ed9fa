package io.posbias.model.scale.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.model.encode.LastModel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Workers;
import io.posbias.model.scale.SparkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks in Spark's own process: what comes back, and what is said of those that fail. */
@Timeout(120)
@Tag("slow")
@ResourceLock("SparkContext") // of which a process has one
class SparkWorkersTest {
    private static final Map<String, String> NO_PAGE = Map.of("spark.ui.enabled", "false");

    @TempDir
    Path temp;

    private Engine engine = Engine.quiet(1, Sessions.in(Path.of("nowhere")));
    private @Nullable SparkWorkers workers;

    @BeforeEach
    void start() {
        engine = new Engine(Device.CPU, 2, 0, true, CallLimit.none(), Sessions.in(temp));
    }

    @AfterEach
    void stop() {
        if (workers != null) {
            workers.close();
        }
    }

    /** Nobody else needs to reach a driver whose executors are threads of it, or processes beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"local[2]", "local-cluster[2,1,1024]"})
    void aLocalMasterListensOnLoopbackAlone(String master) {
        Session session = Sessions.in(temp, Map.of("SPARK_HOME", temp.toString()), line -> {});
        SparkConf conf = SparkConfs.of(new SparkSettings(master, Map.of()), session);
        assertThat(conf.get("spark.driver.bindAddress")).isEqualTo("127.0.0.1");
        assertThat(conf.get("spark.driver.host")).isEqualTo("127.0.0.1");
        assertThat(conf.get("spark.ui.enabled")).isEqualTo("false");
        SparkConf asked = SparkConfs.of(
                new SparkSettings("spark://HOST:7077", Map.of("spark.ui.enabled", "true")), session);
        assertThat(asked.contains("spark.driver.host")).isFalse();
        assertThat(asked.get("spark.ui.enabled")).isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jars/evil.jar", "conf/java-opts"})
    void plantedFilesThatWorkersWouldRunAreRefused(String planted) throws IOException {
        Path own = Sessions.in(temp).home().resolve("spark");
        Path file = own.resolve(planted);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "-javaagent:evil.jar");
        SparkSettings settings = new SparkSettings("local-cluster[2,1,1024]", Map.of());
        assertThatThrownBy(() -> SparkConfs.of(settings, Sessions.in(temp, Map.of("SPARK_HOME", own.toString()), line -> {})))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(file.toString(), "SPARK_HOME");
        Path other = Files.move(own, temp.resolve("theirs"));
        Session theirs = Sessions.in(temp, Map.of("SPARK_HOME", other.toString()), line -> {});
        assertThat(SparkConfs.of(settings, theirs).contains("spark.executor.extraClassPath")).isTrue();
    }

    private SparkWorkers open() {
        SparkWorkers opened = SparkWorkers.open(new SparkSettings("local[2]", NO_PAGE), engine);
        workers = opened;
        return opened;
    }

    /** Squares of numbers; one number fails. */
    private record Squares(ArrayList<Integer> numbers, int fails)
            implements Workers.Block<ArrayList<Integer>> {
        @Override
        public String name() {
            return "the numbers " + numbers;
        }

        @Override
        public ArrayList<Integer> run(Engine worker, LastModel last) {
            assertThat(worker.home()).isAbsolute();
            if (numbers.contains(fails)) {
                throw new PosbiasException("bad luck");
            }
            ArrayList<Integer> squares = new ArrayList<>();
            numbers.forEach(number -> squares.add(number * number + 7));
            return squares;
        }

        @Override
        public List<Squares> pieces() {
            return numbers.size() == 1
                    ? List.of()
                    : numbers.stream()
                            .map(number -> new Squares(new ArrayList<>(List.of(number)), fails))
                            .toList();
        }
    }

    private static List<Squares> blocks(int fails) {
        return IntStream.range(0, 5)
                .mapToObj(block -> new Squares(new ArrayList<>(List.of(2 * block, 2 * block + 1)), fails))
                .toList();
    }

    @Test
    void whatComesOfEachBlockIsHandedOverOnce() {
        List<Integer> all = new ArrayList<>();
        assertThat(open().slots()).isEqualTo(2);
        square(all, -1);
        assertThat(all).containsExactlyInAnyOrder(7, 8, 11, 16, 23, 32, 43, 56, 71, 88);
    }

    private void square(List<Integer> into, int fails) {
        Objects.requireNonNull(workers).run("square", blocks(fails), into::addAll);
    }

    @Test
    void theSmallestPieceThatFailsIsNamed() {
        List<Integer> all = new ArrayList<>();
        open();
        assertThatThrownBy(() -> square(all, 5))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("square", "[5]", "executor driver", "bad luck");
    }

    @Test
    void aFailureWhereOutcomesAreKeptEndsTheWork() {
        open();
        assertThatThrownBy(() -> Objects.requireNonNull(workers).run("square", blocks(-1), squares -> {
                    throw new PosbiasException("the disk is full");
                }))
                .hasMessage("the disk is full");
    }

    @Test
    void whoeverHasAnotherBuildIsRefused() {
        Worker own = Worker.of(engine, temp.toString(), 2);
        assertThat(own.engine().threads()).isEqualTo(2);
        Worker other = new Worker("0.0.1 (abc)", own.home(), own.device(), 2, 0);
        assertThatThrownBy(other::engine).hasMessageContainingAll("0.0.1 (abc)", "same jar");
    }

    /** Says which home it is given. */
    private record Home() implements Workers.Block<String> {
        @Override
        public String name() {
            return "home";
        }

        @Override
        public String run(Engine worker, LastModel last) {
            return worker.home().toString();
        }
    }

    @Test
    void executorsReadModelsInTheDriversHomeOrInOneOfTheirOwn() {
        List<String> homes = new ArrayList<>();
        open().run("look", List.of(new Home()), homes::add);
        stop();
        SparkWorkers others = SparkWorkers.open(
                new SparkSettings(
                        "local[2]",
                        Map.of("spark.ui.enabled", "false", SparkSettings.HOME, "theirs")),
                engine);
        workers = others;
        others.run("look", List.of(new Home()), homes::add);
        assertThat(homes)
                .containsExactly(
                        temp.toAbsolutePath().toString(),
                        Path.of("theirs").toAbsolutePath().toString());
    }

    @Test
    void aMasterIsNeeded() {
        assertThatThrownBy(() -> SparkWorkers.open(new SparkSettings(null, NO_PAGE), engine))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--engine spark needs --master");
        assertThatThrownBy(() -> SparkWorkers.open(new SparkSettings("mars", NO_PAGE), engine))
                .hasMessageContainingAll("Spark", "mars", "master");
        assertThatThrownBy(() -> SparkWorkers.open(new SparkSettings("local-cluster[1,1,1024]", NO_PAGE), engine))
                .hasMessageContaining("needs SPARK_HOME");
    }
}
