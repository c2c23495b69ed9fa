package io.posbias.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
    private static final String CLEAR = "\r" + " ".repeat(79) + "\r";

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> printed = new ArrayList<>();

    private ProgressLines lines(boolean terminal) {
        return new ProgressLines(terminal, printed::add, nanos::get);
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
                        "search with bm25: 1,200 of 9,600 (12%), 10 s" + end,
                        "search with bm25: 1,200 of 9,600 (12%), 20 s" + end,
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
                        .endsWith("…: 5 of 10 (50%), 10 s" + System.lineSeparator())
                        .hasSize(79 + System.lineSeparator().length()));
    }
}
