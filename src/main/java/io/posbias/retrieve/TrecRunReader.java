package io.posbias.retrieve;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.dataset.RowFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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

    private final Path file;
    private final PassageIds passages;
    private final Set<String> queries;
    private final Map<String, TrecRunBlock.Hits> hits = new LinkedHashMap<>();
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
            Parallel.mapInOrder(
                    threads,
                    blocks::next,
                    block -> TrecRunBlock.parse(block, reader.queries, reader.passages),
                    reader::add);
        } catch (TrecRunBlock.RefusedLine refused) {
            // Blocks come back in order, so the lines counted so far are those before this block.
            Location where = new Location(file, reader.lines + refused.line);
            throw new BadInputException(where, refused.found, refused.advice, refused);
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        } catch (UncheckedIOException problem) {
            throw RowFile.unreadable(file, Objects.requireNonNull(problem.getCause()));
        }
        return reader.finish();
    }

    private void add(TrecRunBlock block) {
        for (TrecRunBlock.Hits group : block.groups()) {
            TrecRunBlock.Hits known = hits.putIfAbsent(group.query(), group);
            if (known != null) {
                known.add(group);
            }
        }
        lines += block.lines();
        negative += block.negative();
    }

    private Read finish() {
        if (hits.isEmpty()) {
            throw new BadInputException(Location.of(file), "holds no line", "a run has one line for each hit");
        }
        List<Ranking> rankings = new ArrayList<>(hits.size());
        for (TrecRunBlock.Hits found : hits.values()) {
            try {
                rankings.add(found.ranking());
            } catch (Ranking.DuplicateException twice) {
                throw new BadInputException(
                        Location.of(file),
                        "ranks passage \"" + passages.id(twice.passage) + "\" twice for query \"" + found.query()
                                + "\"",
                        "each passage may be found once",
                        twice);
            }
        }
        return new Read(new Run(passages, List.copyOf(hits.keySet()), rankings), negative);
    }

    /** Cuts a stream into blocks at line ends. */
    private static final class Blocks {
        private final InputStream in;
        private byte[] rest = new byte[0];

        Blocks(InputStream in) {
            this.in = in;
        }

        byte @Nullable [] next() {
            try {
                byte[] block = Arrays.copyOf(rest, rest.length + BLOCK);
                int length = rest.length + in.readNBytes(block, rest.length, BLOCK);
                if (length < block.length) {
                    rest = new byte[0];
                    return length == 0 ? null : Arrays.copyOf(block, length);
                }
                int end = length;
                while (end > 0 && block[end - 1] != '\n') {
                    end--;
                }
                if (end == 0) {
                    throw new IOException("a line of more than " + BLOCK + " bytes");
                }
                rest = Arrays.copyOfRange(block, end, length);
                return Arrays.copyOf(block, end);
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }
    }
}
