package io.posbias.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLinesTest {
    private static final String CLEAR = "\r" + " ".repeat(79) + "\r";

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> printed = new ArrayList<>();

    private ProgressLines lines(boolean terminal) {
        return lines(terminal, 80);
    }

    private ProgressLines lines(boolean terminal, int width) {
        return new ProgressLines(terminal, width, printed::add, nanos::get);
    }

    private void seconds(ProgressLines lines, int count) {
        for (int second = 0; second < count; second++) {
            nanos.addAndGet(1_000_000_000L);
            lines.show();
        }
    }

    @Test
    void aFileGetsALineEveryTenSeconds() {
        ProgressLines lines = lines(false);
        try (Progress.Step step = lines.start("search with bm25", 9600)) {
            step.advance(1200);
            seconds(lines, 25);
        }
        lines.say("done");
        String end = System.lineSeparator();
        assertThat(printed)
                .containsExactly(
                        "search with bm25: 1,200 of 9,600 (12%), 10 s, 70 s left" + end,
                        "search with bm25: 1,200 of 9,600 (12%), 20 s, 2 min left" + end,
                        "done" + end);
    }

    @Test
    void shortWorkSaysNothing() {
        ProgressLines lines = lines(false);
        for (int i = 0; i < 20; i++) {
            try (Progress.Step step = lines.start("short", -1)) {
                step.advance(1);
                seconds(lines, 1);
            }
        }
        assertThat(printed).isEmpty();
    }

    @Test
    void aTerminalHasOneLineThatChanges() {
        ProgressLines lines = lines(true);
        try (Progress.Step outer = lines.start("posbias eval", -1)) {
            outer.advance(0);
            seconds(lines, 2);
            try (Progress.Step inner = lines.start("read", -1)) {
                inner.advance(5);
                seconds(lines, 1);
                lines.say("a line");
            }
            seconds(lines, 1);
        }
        assertThat(printed)
                .containsExactly(
                        CLEAR + "posbias eval, 2 s",
                        CLEAR + "read: 5, 1 s",
                        CLEAR,
                        "a line" + System.lineSeparator(),
                        CLEAR + "posbias eval, 4 s",
                        CLEAR);
    }

    @Test
    void longLabelsFitTheLineAndEscapeWhatATerminalObeys() {
        ProgressLines lines = lines(false);
        try (Progress.Step step = lines.start("\u001b[2J" + "x".repeat(200), 10)) {
            step.advance(5);
            seconds(lines, 10);
        }
        assertThat(printed)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("\\u001b[2Jxxx")
                        .endsWith("…: 5 of 10 (50%), 10 s, 10 s left" + System.lineSeparator())
                        .hasSize(79 + System.lineSeparator().length()));
    }

    /** A longer line would go on in the next one, and stay there. */
    @ParameterizedTest
    @ValueSource(ints = {10, 20, 40, 60, 200})
    void aLineIsNarrowerThanTheTerminal(int width) {
        ProgressLines lines = lines(true, width);
        try (Progress.Step step = lines.start("search 数据集 with a model of a long name", 9600)) {
            step.advance(1200);
            seconds(lines, 3);
        }
        assertThat(printed)
                .hasSize(3)
                .allSatisfy(text -> assertThat(text.substring(text.lastIndexOf('\r') + 1)
                                .codePoints()
                                .map(character -> character >= 0x4E00 && character < 0xA000 ? 2 : 1)
                                .sum())
                        .isLessThan(width));
        assertThat(printed.getFirst()).startsWith("\r" + " ".repeat(width - 1) + "\r");
    }

    @Test
    void nothingIsPrintedBehindTheLastLine() {
        ProgressLines lines = lines(true);
        try (Progress.Step step = lines.start("posbias eval", 100)) {
            seconds(lines, 2);
            lines.last("interrupted");
            step.advance(50);
            seconds(lines, 10);
            lines.say("a file is gone");
        }
        assertThat(printed)
                .containsExactly(
                        CLEAR + "posbias eval: 0 of 100 (0%), 2 s", CLEAR, "interrupted" + System.lineSeparator());
    }
}
