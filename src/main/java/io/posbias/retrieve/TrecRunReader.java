package io.posbias.retrieve;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.dataset.RowFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a TREC run made by any system: {@code query Q0 passage rank score tag}, separated by spaces or tabs, plain or
 * gzipped. Like trec_eval it looks at scores only, never at the order of lines or the rank column.
 *
 * <p>Refused with file and line: a line without six columns, a query or passage that the benchmark lacks, a score that
 * is no finite number, a passage ranked twice for a query. Negative scores are fine (logits are) and counted.
 */
public final class TrecRunReader {
    private static final int BLOCK = 1 << 19;
    private static final int COLUMNS = 6;

    private final Path file;
    private final PassageIds passages;
    private final Set<String> queries;
    private final Map<String, Hits> hits = new LinkedHashMap<>();
    private long lines;
    private long negative;

    private TrecRunReader(Path file, Dataset dataset) {
        this.file = file;
        this.passages = dataset.passages().ids();
        this.queries = dataset.queries().stream().map(Query::id).collect(Collectors.toSet());
    }

    /**
     * What was read.
     *
     * @param run the rankings, queries in the order of their first line
     * @param negative how many scores are below zero
     */
    public record Read(Run run, long negative) {}

    /**
     * Reads a run.
     *
     * @param file a run, gzipped when its name ends with {@code .gz}
     * @param dataset the benchmark it answers
     * @param threads how many threads parse
     */
    public static Read read(Path file, Dataset dataset, int threads) {
        if (!Files.isRegularFile(file)) {
            throw new PosbiasException("cannot read " + file + ": no such file");
        }
        TrecRunReader reader = new TrecRunReader(file, dataset);
        try (InputStream in = RowFile.inflate(file)) {
            Blocks blocks = new Blocks(in);
            Parallel.mapInOrder(threads, blocks::next, text -> reader.new Block(text), reader::add);
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        } catch (UncheckedIOException problem) {
            throw RowFile.unreadable(file, Objects.requireNonNull(problem.getCause()));
        }
        return reader.finish();
    }

    /** Blocks come back in order, so the lines counted so far are those before this block. */
    private void add(Block block) {
        lines += block.lines;
        negative += block.negative;
        if (block.refusal != null) {
            throw new BadInputException(new Location(file, lines), block.refusal.found, block.refusal.advice);
        }
        block.hits.forEach((query, found) -> hits.merge(query, found, Hits::plus));
    }

    private Read finish() {
        if (hits.isEmpty()) {
            throw new BadInputException(Location.of(file), "holds no line", "a run has one line for each hit");
        }
        List<Ranking> rankings = new ArrayList<>(hits.size());
        hits.forEach((query, found) -> {
            try {
                rankings.add(found.ranking());
            } catch (Ranking.DuplicateException twice) {
                throw new BadInputException(
                        Location.of(file),
                        "ranks passage " + Printable.quoted(passages.id(twice.passage)) + " twice for query "
                                + Printable.quoted(query),
                        "each passage may be found once",
                        twice);
            }
        });
        return new Read(new Run(passages, List.copyOf(hits.keySet()), rankings), negative);
    }

    /** Hits of one query, in the order of their lines. */
    private record Hits(IntStream.Builder passages, DoubleStream.Builder scores) {
        Hits plus(Hits others) {
            others.passages.build().forEach(passages);
            others.scores.build().forEach(scores);
            return this;
        }

        Ranking ranking() {
            double[] wide = scores.build().toArray();
            float[] narrow = new float[wide.length];
            for (int i = 0; i < narrow.length; i++) {
                narrow[i] = (float) wide[i];
            }
            return Ranking.of(passages.build().toArray(), narrow);
        }
    }

    private record Refusal(String found, String advice) {}

    /** Lines of the file, parsed without looking at the rest of it, up to the first that is wrong. */
    private final class Block {
        private final Map<String, Hits> hits = new LinkedHashMap<>();
        private long lines;
        private long negative;
        private @Nullable Refusal refusal;

        /** Where the columns of the line at hand begin and end. */
        private final int[] begins = new int[COLUMNS];

        private final int[] ends = new int[COLUMNS];

        Block(String text) {
            int end;
            for (int from = 0; from < text.length() && refusal == null; from = end + 1) {
                int feed = text.indexOf('\n', from);
                end = feed < 0 ? text.length() : feed;
                lines++;
                refusal = add(text, columns(text, from, end));
            }
        }

        /** How many columns a line has; finds the first six. Only those that are used become strings: runs are large. */
        private int columns(String text, int from, int to) {
            int count = 0;
            boolean inside = false;
            for (int i = from; i <= to; i++) {
                boolean space = i == to || " \t\r".indexOf(text.charAt(i)) >= 0;
                if (inside && space && count <= COLUMNS) {
                    ends[count - 1] = i;
                } else if (!inside && !space && count++ < COLUMNS) {
                    begins[count - 1] = i;
                }
                inside = !space;
            }
            return count;
        }

        private @Nullable Refusal add(String text, int count) {
            if (count == 0) {
                return null;
            }
            if (count != COLUMNS) {
                return new Refusal(count + " columns", "a TREC run has six: query Q0 passage rank score tag");
            }
            String query = text.substring(begins[0], ends[0]);
            if (!queries.contains(query)) {
                return new Refusal(
                        "query " + Printable.quoted(query) + " is not in the benchmark",
                        "is this a run of another dataset?");
            }
            String id = text.substring(begins[2], ends[2]);
            int passage = passages.ordinal(id);
            if (passage < 0) {
                return new Refusal(
                        "passage " + Printable.quoted(id) + " is not in the corpus",
                        "is this a run of another dataset?");
            }
            String number = text.substring(begins[4], ends[4]);
            float score = score(number);
            if (!Float.isFinite(score)) {
                return new Refusal("score " + Printable.quoted(number), "scores are finite numbers");
            }
            negative += score < 0 ? 1 : 0;
            Hits found = hits.computeIfAbsent(query, own -> new Hits(IntStream.builder(), DoubleStream.builder()));
            found.passages.add(passage);
            found.scores.add(score);
            return null;
        }

        /** The score as trec_eval holds it, a double cut to a float; NaN when it is no number. */
        private static float score(String number) {
            try {
                return (float) Double.parseDouble(number);
            } catch (NumberFormatException notNumber) {
                return Float.NaN;
            }
        }
    }

    private static final class Blocks {
        private final InputStream in;
        private byte[] rest = new byte[0];

        Blocks(InputStream in) {
            this.in = in;
        }

        @Nullable
        String next() {
            try {
                byte[] block = Arrays.copyOf(rest, rest.length + BLOCK);
                int length = rest.length + in.readNBytes(block, rest.length, BLOCK);
                int end = length;
                while (length == block.length && end > 0 && block[end - 1] != '\n') {
                    end--;
                }
                if (length > 0 && end == 0) {
                    throw new IOException("a line of more than " + BLOCK + " bytes");
                }
                rest = Arrays.copyOfRange(block, end, length);
                return length == 0 ? null : new String(block, 0, end, StandardCharsets.UTF_8);
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }
    }
}
