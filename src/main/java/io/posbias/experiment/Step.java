package io.posbias.experiment;

import io.posbias.Fields;
import java.util.List;
import java.util.Map;

/**
 * A command line of posbias that an experiment runs before or after its cells. It is finished when what it makes is there.
 *
 * @param words of the command line, without {@code posbias}; {@code {NAME}} stands for a value that is known when it runs
 * @param makes a file or folder that is there when it is done, and not before; empty where it prints a table
 * @param prints the table into which its stdout goes; empty where it makes something else
 */
public record Step(List<String> words, String makes, String prints) {
    private static final List<String> FIELDS = List.of("run", "makes", "prints");

    /** Reads one record, which is a step for each combination of the values that it names. */
    static List<Step> read(Fields fields, Values values) {
        fields.refuseOthers(FIELDS);
        String run = fields.text("run");
        String makes = fields.text("makes", "");
        String prints = fields.text("prints", "");
        if (makes.isEmpty() == prints.isEmpty()) {
            throw fields.bad(
                    "run",
                    makes.isEmpty() ? "has neither makes nor prints" : "has makes and prints",
                    "give the file or folder that is there when it is done, or the table that it prints");
        }
        if (!prints.isEmpty()) {
            Experiment.tableName(fields, "prints", prints);
        }
        return values.combinations(run + makes + prints).stream()
                .map(combination -> new Step(
                        List.of(run.strip().split("\\s+")).stream()
                                .map(word -> Values.filled(word, combination))
                                .toList(),
                        Values.filled(makes, combination),
                        Values.filled(prints, combination)))
                .toList();
    }

    /** The step with the values that are known now. */
    public Step filled(Map<String, String> values) {
        return new Step(
                words.stream().map(word -> Values.filled(word, values)).toList(),
                Values.filled(makes, values),
                Values.filled(prints, values));
    }
}
