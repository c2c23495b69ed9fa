package io.posbias.study.build;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes and counts the candidates of a stage as JSON lines. For one thread. */
public final class StageSink {
    private final OutputStream out;
    private final Progress.Step step;
    private final Map<String, Long> dropped = new TreeMap<>();
    private final Map<String, Long> positions = new TreeMap<>();
    private final SequencedMap<String, Object> notes = new LinkedHashMap<>();
    private long kept;

    StageSink(OutputStream out, Progress.Step step) {
        this.out = out;
        this.step = step;
    }

    public void keep(Candidate candidate) {
        kept++;
        if (candidate.has(Candidate.POSITION)) {
            positions.merge(candidate.text(Candidate.POSITION), 1L, Long::sum);
        }
        write(candidate.toMap());
    }

    /**
     * Drops a candidate.
     *
     * @param why a fixed phrase; candidates are counted by it
     */
    public void drop(Candidate candidate, String why) {
        dropped.merge(why, 1L, Long::sum);
        write(candidate.with(Candidate.DROPPED, why).toMap());
    }

    /**
     * Drops a candidate.
     *
     * @param why a fixed phrase; candidates are counted by it
     * @param detail free text for readers
     */
    public void drop(Candidate candidate, String why, String detail) {
        drop(candidate.with(Candidate.DETAIL, detail), why);
    }

    /** Records a finding for {@code pipeline.yaml} and {@code construct show}, as it is read from there. */
    public void note(String name, Object value) {
        notes.put(name, Json.mapper().readValue(Json.toLine(value), Object.class));
    }

    PipelineRecord.Counts counts() {
        return new PipelineRecord.Counts(kept, dropped, positions, notes);
    }

    private void write(SequencedMap<String, @Nullable Object> values) {
        try {
            out.write(Json.toLine(values));
        } catch (IOException refused) {
            throw new PosbiasException("cannot write a stage: " + refused.getMessage(), refused);
        }
        step.advance(1);
    }
}
