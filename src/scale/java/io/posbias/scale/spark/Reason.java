package io.posbias.scale.spark;

import io.posbias.Printable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;

/**
 * Why Spark gave a job up, which it says in a text only.
 *
 * @param task which of the job's tasks failed; -1 where it was none
 * @param text one line
 */
record Reason(int task, String text) {
    private static final Pattern TASK =
            Pattern.compile("Task (\\d+) in stage \\S+ failed \\d+ times?, most recent failure: [^(]*\\(TID \\d+\\)"
                    + " \\((\\S+) executor (\\S+)\\): (.*)");
    private static final Pattern EXCEPTION = Pattern.compile("(?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error): (.*)");

    static Reason of(SparkException aborted) {
        String message = String.valueOf(aborted.getMessage());
        Matcher task = TASK.matcher(message);
        if (!task.find()) {
            return new Reason(-1, Printable.line(message.lines().findFirst().orElse(message)));
        }
        Matcher exception = EXCEPTION.matcher(task.group(4));
        String what = exception.matches() ? exception.group(1) : task.group(4);
        return new Reason(
                Integer.parseInt(task.group(1)),
                Printable.line("executor " + task.group(3) + " on " + task.group(2) + ": " + what));
    }
}
