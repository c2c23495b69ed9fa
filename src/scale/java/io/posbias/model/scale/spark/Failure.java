package io.posbias.model.scale.spark;

import io.posbias.base.text.Printable;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;

/**
 * Why Spark gave a job up, which it says in a text only.
 *
 * @param block which of its blocks failed; -1 where it was none
 * @param reason one line
 * @param finished the blocks that were done
 */
record Failure(int block, String reason, BitSet finished) {
    private static final Pattern TASK =
            Pattern.compile("Task (\\d+) in stage \\S+ failed \\d+ times?, most recent failure: [^(]*\\(TID \\d+\\)"
                    + " \\((\\S+) executor (\\S+)\\): (.*)");
    private static final Pattern EXCEPTION = Pattern.compile("(?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error): (.*)");

    static Failure of(SparkException aborted, BitSet finished) {
        String message = String.valueOf(aborted.getMessage());
        Matcher task = TASK.matcher(message);
        if (!task.find()) {
            return new Failure(-1, Printable.line(message.lines().findFirst().orElse(message)), finished);
        }
        Matcher exception = EXCEPTION.matcher(task.group(4));
        String what = exception.matches() ? exception.group(1) : task.group(4);
        String reason = "executor " + task.group(3) + " on " + task.group(2) + ": " + what;
        return new Failure(Integer.parseInt(task.group(1)), Printable.line(reason), finished);
    }
}
