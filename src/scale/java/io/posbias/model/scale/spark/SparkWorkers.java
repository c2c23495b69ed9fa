package io.posbias.model.scale.spark;

import org.apache.spark.broadcast.Broadcast;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Workers;
import io.posbias.model.scale.SparkSettings;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;

/** Executors of Apache Spark. A block is a task; one that fails or whose executor is lost is done again elsewhere. */
public final class SparkWorkers implements Workers, AutoCloseable {
    private final JavaSparkContext context;
    private final Broadcast<Executor> worker;
    private final int cpus;
    private final AtomicInteger jobs = new AtomicInteger();

    private SparkWorkers(JavaSparkContext context, Engine engine) {
        this.context = context;
        this.cpus = context.getConf().getInt(SparkSettings.TASK_CPUS, 1);
        String home = engine.home().toAbsolutePath().normalize().toString();
        this.worker = context.broadcast(
                new Executor(Worker.of(engine, context.getConf().get(SparkSettings.HOME, home), cpus)));
    }

    /**
     * Connects to a master.
     *
     * @param engine what runs where nothing is given away, and says what executors' models run on
     * @throws PosbiasException if the master does not answer
     */
    public static SparkWorkers open(SparkSettings settings, Engine engine) {
        return engine.session().step("connect to Spark", () -> connect(settings, engine));
    }

    private static SparkWorkers connect(SparkSettings settings, Engine engine) {
        SparkConf conf = SparkConfs.of(settings, engine.session());
        String master = conf.get(SparkSettings.MASTER);
        try {
            JavaSparkContext context = new JavaSparkContext(conf);
            refuseStopped(context);
            return new SparkWorkers(context, engine);
        } catch (PosbiasException known) {
            throw known;
        } catch (Exception refused) {
            // Scala throws what it does not declare.
            String reason = String.valueOf(refused.getMessage());
            throw new PosbiasException(
                    "cannot start Spark on " + master + ": "
                            + (reason.contains("Could not parse Master URL")
                                    ? "not a master of this Spark; yarn and k8s need spark-submit of a distribution"
                                    : reason.lines().findFirst().orElse(reason)),
                    refused);
        }
    }

    private static void refuseStopped(JavaSparkContext context) {
        if (context.sc().isStopped()) {
            throw new PosbiasException("Spark has stopped: its master "
                    + context.getConf().get(SparkSettings.MASTER) + " does not answer, or ended the application");
        }
    }

    @Override
    public int slots() {
        refuseStopped(context);
        return Math.max(1, context.defaultParallelism() / cpus);
    }

    @Override
    public <R extends Serializable> void run(String label, List<? extends Block<R>> blocks, Consumer<R> done) {
        refuseStopped(context);
        attempt(label, blocks, done).ifPresent(failure -> failed(label, blocks, done, failure));
    }

    /** Does what failed piece by piece, to name the piece that does, and what had not been done yet. */
    private <R extends Serializable> void failed(
            String label, List<? extends Block<R>> blocks, Consumer<R> done, Failure failure) {
        if (failure.block() < 0) {
            throw new PosbiasException(label + ": " + failure.reason());
        }
        Block<R> poisoned = blocks.get(failure.block());
        List<? extends Block<R>> pieces = poisoned.pieces();
        Optional<Failure> found =
                pieces.isEmpty() ? Optional.of(failure) : attempt(label + ", one by one", pieces, done);
        if (found.isPresent()) {
            Failure last = found.get();
            String name = (pieces.isEmpty() || last.block() < 0 ? poisoned : pieces.get(last.block())).name();
            throw new PosbiasException(label + ": " + name + " failed " + attempts() + ": " + last.reason());
        }
        List<Block<R>> left = IntStream.range(0, blocks.size())
                .filter(i -> i != failure.block() && !failure.finished().get(i))
                .<Block<R>>mapToObj(blocks::get)
                .toList();
        if (!left.isEmpty()) {
            attempt(label, left, done).ifPresent(next -> failed(label, left, done, next));
        }
    }

    private String attempts() {
        int times = context.isLocal() ? 1 : context.getConf().getInt("spark.task.maxFailures", 4);
        return times == 1 ? "once" : times + " times";
    }

    private <R extends Serializable> Optional<Failure> attempt(
            String label, List<? extends Block<R>> blocks, Consumer<R> done) {
        String group = "posbias-" + jobs.incrementAndGet();
        context.setJobGroup(group, label, false);
        context.setCallSite(label);
        BitSet finished = new BitSet();
        try {
            Job.run(context, new ArrayList<Block<R>>(blocks), new Task<>(worker), (place, outcome) -> {
                finished.set(place);
                done.accept(outcome);
            });
            return Optional.empty();
        } catch (SparkException aborted) {
            return Optional.of(Failure.of(aborted, finished));
        } catch (InterruptedException stopped) {
            context.cancelJobGroup(group);
            Thread.currentThread().interrupt();
            throw new PosbiasException("interrupted", stopped);
        } catch (RuntimeException | Error failure) {
            // What came of a block could not be kept: the others would be done in vain.
            context.cancelJobGroup(group);
            throw failure;
        } finally {
            context.clearJobGroup();
            context.clearCallSite();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
