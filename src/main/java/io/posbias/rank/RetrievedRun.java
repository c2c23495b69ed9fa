package io.posbias.rank;

/** Rankings of a retriever with its report. */
public record RetrievedRun(Run run, SearchReport report) {
    /** Creates a run of which there is nothing to report. */
    public RetrievedRun(Run run) {
        this(run, SearchReport.NONE);
    }

    /** Keeps the first {@code k} hits of each ranking. */
    public RetrievedRun top(int k) {
        return new RetrievedRun(run.top(k), report);
    }
}
