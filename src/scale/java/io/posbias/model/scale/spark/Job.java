package io.posbias.model.scale.spark;

import io.posbias.model.encode.Workers;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import scala.util.Failure;
import scala.util.Try;

/** Blocks as tasks of one job of Spark, whose outcomes are taken on the calling thread as they come. */
final class Job {
    private static final int PAUSE_MILLIS = 50;

    private Job() {}

    /** The result of a block, which the scheduler passes on at once because it must not wait. */
    private record Outcome<R>(int block, R value) {}

    /** Takes what came of a block. */
    @FunctionalInterface
    interface Sink<R> {
        void accept(int block, R outcome);
    }

    static <R extends Serializable> void run(
            JavaSparkContext context, List<Workers.Block<R>> blocks, Task<R> task, Sink<R> sink)
            throws SparkException, InterruptedException {
        BlockingQueue<Outcome<R>> outcomes = new LinkedBlockingQueue<>();
        ObjIntConsumer<R> put = (value, block) -> outcomes.add(new Outcome<>(block, value));
        SimpleFutureAction<Boolean> job = context.sc()
                .submitJob(
                        context.parallelize(blocks, blocks.size()).rdd(),
                        task,
                        all(blocks.size()),
                        (block, value) -> {
                            put.accept(value, (Integer) block);
                            return BoxedUnit.UNIT;
                        },
                        () -> true);
        int taken = 0;
        while (taken < blocks.size()) {
            boolean ended = job.isCompleted();
            Outcome<R> outcome = outcomes.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            if (outcome != null) {
                taken++;
                sink.accept(outcome.block, outcome.value);
            } else if (ended) {
                refuse(job);
            }
        }
    }

    private static Seq<Object> all(int blocks) {
        List<Object> numbers =
                IntStream.range(0, blocks).<Object>mapToObj(i -> i).toList();
        return CollectionConverters.asScala(numbers).toSeq();
    }

    private static void refuse(SimpleFutureAction<Boolean> job) throws SparkException {
        Try<Boolean> end = job.value().get();
        if (end instanceof Failure<Boolean> failure) {
            Throwable cause = failure.exception();
            throw cause instanceof SparkException known ? known : new SparkException(String.valueOf(cause), cause);
        }
        throw new SparkException("the job ended without all of its outcomes");
    }
}
