package io.posbias.retrieve;

import io.posbias.dataset.PassageIds;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lines of a piece of a TREC run, parsed without looking at the rest of it. */
final class TrecRunBlock {
    private static final int COLUMNS = 6;
    private static final int QUERY = 0;
    private static final int PASSAGE = 2;
    private static final int SCORE = 4;

    private final byte[] bytes;
    private final Set<String> queries;
    private final PassageIds passages;
    private final int[] starts = new int[COLUMNS];
    private final int[] ends = new int[COLUMNS];
    private final List<Hits> groups = new ArrayList<>();
    private long lines;
    private long negative;

    private @Nullable Hits group;
    private int groupStart;
    private int groupEnd;

    private TrecRunBlock(byte[] bytes, Set<String> queries, PassageIds passages) {
        this.bytes = bytes;
        this.queries = queries;
        this.passages = passages;
    }

    /** Hits of one query, in the order of their lines. */
    static final class Hits {
        private final String query;
        private int[] passages = new int[128];
        private float[] scores = new float[128];
        private int size;

        private Hits(String query) {
            this.query = query;
        }

        String query() {
            return query;
        }

        void add(int passage, float score) {
            if (size == passages.length) {
                passages = Arrays.copyOf(passages, 2 * size);
                scores = Arrays.copyOf(scores, 2 * size);
            }
            passages[size] = passage;
            scores[size++] = score;
        }

        void add(Hits others) {
            for (int i = 0; i < others.size; i++) {
                add(others.passages[i], others.scores[i]);
            }
        }

        Ranking ranking() {
            return Ranking.of(Arrays.copyOf(passages, size), Arrays.copyOf(scores, size));
        }
    }

    /** A line that no run should hold. */
    static final class RefusedLine extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** Counted from 1 within the block. */
        final long line;

        final String found;
        final String advice;

        RefusedLine(long line, String found, String advice) {
            super(found);
            this.line = line;
            this.found = found;
            this.advice = advice;
        }
    }

    /**
     * Parses whole lines.
     *
     * @throws RefusedLine at the first line that is wrong
     */
    static TrecRunBlock parse(byte[] bytes, Set<String> queries, PassageIds passages) {
        TrecRunBlock block = new TrecRunBlock(bytes, queries, passages);
        int position = 0;
        while (position < bytes.length) {
            int end = position;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            block.addLine(position, end);
            position = end + 1;
        }
        return block;
    }

    /** The hits by query; a query whose lines do not follow each other has several groups. */
    List<Hits> groups() {
        return groups;
    }

    /** How many lines the block has, blank ones included. */
    long lines() {
        return lines;
    }

    /** How many scores are below zero. */
    long negative() {
        return negative;
    }

    private void addLine(int from, int to) {
        lines++;
        int columns = split(from, to);
        if (columns == 0) {
            return;
        }
        if (columns != COLUMNS) {
            throw refused(columns + " columns", "a TREC run has six: query Q0 passage rank score tag");
        }
        Hits hits = groupOfLine();
        int passage = passages.ordinal(column(PASSAGE));
        if (passage < 0) {
            throw refused(
                    "passage \"" + column(PASSAGE) + "\" is not in the corpus", "is this a run of another dataset?");
        }
        float score = score();
        if (!Float.isFinite(score)) {
            throw refused("score \"" + column(SCORE) + "\"", "scores are finite numbers");
        }
        if (score < 0) {
            negative++;
        }
        hits.add(passage, score);
    }

    /** The group of the previous line when this one is of the same query, else a new one. */
    private Hits groupOfLine() {
        Hits current = group;
        if (current != null && Arrays.equals(bytes, groupStart, groupEnd, bytes, starts[QUERY], ends[QUERY])) {
            return current;
        }
        String query = column(QUERY);
        if (!queries.contains(query)) {
            throw refused("query \"" + query + "\" is not in the benchmark", "is this a run of another dataset?");
        }
        Hits fresh = new Hits(query);
        groups.add(fresh);
        group = fresh;
        groupStart = starts[QUERY];
        groupEnd = ends[QUERY];
        return fresh;
    }

    /** Notes where the columns of a line start and end; returns how many there are. */
    private int split(int from, int to) {
        int columns = 0;
        int i = from;
        while (true) {
            while (i < to && isSpace(bytes[i])) {
                i++;
            }
            if (i == to) {
                return columns;
            }
            int start = i;
            while (i < to && !isSpace(bytes[i])) {
                i++;
            }
            if (columns < COLUMNS) {
                starts[columns] = start;
                ends[columns] = i;
            }
            columns++;
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private String column(int column) {
        return new String(bytes, starts[column], ends[column] - starts[column], StandardCharsets.UTF_8);
    }

    /** The score as trec_eval holds it, a double cut to a float; NaN when it is no number. */
    private float score() {
        try {
            return (float) Double.parseDouble(column(SCORE));
        } catch (NumberFormatException notNumber) {
            return Float.NaN;
        }
    }

    private RefusedLine refused(String found, String advice) {
        return new RefusedLine(lines, found, advice);
    }
}
