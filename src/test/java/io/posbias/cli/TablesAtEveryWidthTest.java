package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.report.leaderboard.Layout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of commands, over stored results where there are some, on terminals of 60 to 140 columns. */
@Tag("slow")
class TablesAtEveryWidthTest {
    private static final int LEAST = 60;
    private static final int MOST = 140;
    /** Commands that compute something each time are tried at each of so many widths; TablePartsTest has all shapes at all. */
    private static final int STRIDE = 16;

    @TempDir
    Path temp;

    private Posbias posbias() {
        return new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
    }

    private List<String> problems(int step, String command) {
        List<String> problems = new ArrayList<>();
        for (int width = LEAST; width <= MOST; width += step) {
            int most = width;
            Object[] words = Stream.concat(
                            Stream.of(command.replace("DIR", temp.toString()).split(" ", -1)),
                            Stream.of("--width", String.valueOf(width)))
                    .toArray();
            Cli.Ended ended = posbias().run(words);
            if (ended.code() != 0) {
                problems.add(command + " at " + width + ": " + ended.err());
                return problems;
            }
            ended.out()
                    .lines()
                    .filter(line -> line.codePointCount(0, line.length()) > most)
                    .findFirst()
                    .ifPresent(line -> problems.add(command + " at " + most + ": " + line));
        }
        return problems;
    }

    @Test
    void noTableIsWiderThanTheTerminal() {
        String eval =
                "eval --model bm25,bm25-lucene --dataset demo --draws 50 --content-fixed 40 --results DIR/results";
        String position =
                "diagnose position --model bm25,bm25-lucene --dataset demo --n 40 --draws 50 --out DIR/position";
        assertThat(problems(MOST, eval)).isEmpty();
        assertThat(problems(MOST, position)).isEmpty();
        List<String> problems = new ArrayList<>();
        Stream.of(
                        "report DIR/results",
                        "report DIR/results --intervals",
                        "models list",
                        "construct list",
                        "data info demo")
                .forEach(command -> problems.addAll(problems(1, command)));
        Layout.names().stream()
                .filter(name -> name.matches("position|direction|drop"))
                .forEach(name -> problems.addAll(problems(1, "report DIR/results --layout " + name)));
        Stream.of(
                        eval + " --intervals --stats --explain",
                        position + " --places-table --stats --explain",
                        "report DIR/results --by words:100",
                        "report DIR/results --baseline bm25",
                        "compare DIR/results/demo --draws 50",
                        "compare DIR/results/demo --draws 50 --details --explain",
                        "models list --known",
                        "data list",
                        "cache info",
                        "score --dataset demo --draws 0 --run DIR/results/demo/bm25/run.trec.gz --out DIR/score --overwrite",
                        "data stats demo",
                        "eval --model bm25 --dataset demo --dry-run --results DIR/none",
                        "mitigate --model bm25 --strategies chunked --dataset demo --draws 50 --results DIR/mitigate",
                        "diagnose moving --model bm25 --dataset demo --n 5",
                        "diagnose needle --model bm25 --dataset demo --n 5",
                        "diagnose evidence --model bm25 --dataset demo --n 5")
                .forEach(command -> problems.addAll(problems(STRIDE, command)));
        assertThat(problems).isEmpty();
    }

    /** At 80 columns every cell of a verdict is on the line of its row. */
    @Test
    void verdictsAreOnTheLineOfTheirRow() {
        posbias()
                .run("eval --model bm25,bm25-lucene --dataset demo --draws 50 --results", temp.resolve("results"))
                .ok();
        for (String command : List.of("eval --model bm25,bm25-lucene --dataset demo --draws 50 --results", "report")) {
            Cli.Ended ended = posbias().run(command, temp.resolve("results")).ok();
            assertThat(ended.out().lines().filter(line -> line.matches("(\\w )?bm25.* (even|open|content)")))
                    .as(ended.out())
                    .hasSize(2);
        }
    }
}
