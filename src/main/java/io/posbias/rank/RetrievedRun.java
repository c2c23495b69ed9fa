package io.posbias.rank;

/** Rankings of a retriever with its report. */
public record RetrievedRun(Run run, SearchReport report) {}
