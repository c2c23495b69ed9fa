package io.posbias.scale.spark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Counts the tasks that Spark ends, by the first word of what their job is called; Spark makes it, of its name. */
public final class CountedTasks extends SparkListener {
    private static final Map<String, AtomicInteger> TASKS = new ConcurrentHashMap<>();

    private final Map<Integer, String> kinds = new ConcurrentHashMap<>();

    /** Begins anew. */
    public static void clear() {
        TASKS.clear();
    }

    /** How many tasks jobs of a kind had. */
    public static int of(String kind) {
        AtomicInteger tasks = TASKS.get(kind);
        return tasks == null ? 0 : tasks.get();
    }

    @Override
    public void onJobStart(SparkListenerJobStart job) {
        String label = job.properties().getProperty("spark.job.description");
        job.stageInfos().foreach(stage -> kinds.put(stage.stageId(), label.split(" ", -1)[0]));
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
        String kind = kinds.getOrDefault(task.stageId(), "none");
        TASKS.computeIfAbsent(kind, first -> new AtomicInteger()).incrementAndGet();
    }
}
