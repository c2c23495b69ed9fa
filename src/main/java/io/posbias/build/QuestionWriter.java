package io.posbias.build;

import java.util.List;
import java.util.Set;

/** Who writes the questions of {@link AskStage}. */
interface QuestionWriter {
    /** Fields that candidates must have. */
    Set<String> needs();

    /** Fields that its questions have besides the question, its answer and its type. */
    Set<String> makes();

    /** What its questions depend on besides settings and candidates. */
    Object inputs(Workshop workshop);

    /** What it would take to write about so many candidates. */
    Forecast forecast(Forecast before, Workshop workshop);

    /**
     * Writes about some candidates, in their order: each question is a {@linkplain Candidate#child child} of its candidate,
     * called {@code q1}, {@code q2} and so on; a candidate without questions is dropped.
     */
    void write(List<Candidate> candidates, StageSink out, Workshop workshop);
}
