package io.posbias.retrieve.trec;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.Parallel;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import io.posbias.dataset.RowFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
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
final class TrecRunReader {
    private static final int BLOCK = 1 << 19;
    private static final int COLUMNS = 6;

    private final Path file;
    private final PassageIds passages;
    private final Set<String> queries;
    private final RunHits hits;
    private long lines;

    private TrecRunReader(Path file, Dataset dataset) {
        this.file = file;
        this.passages = dataset.passages().ids();
        this.queries = dataset.queries().stream().map(Query::id).collect(Collectors.toSet());
        this.hits = new RunHits(passages, queries);
    }

    /**
     * Reads a run.
     *
     * @param file a run, gzipped when its name ends with {@code .gz}
     * @param dataset the benchmark it answers
     * @param threads how many threads parse
     */
    static RunReader.Read read(Path file, Dataset dataset, int threads) {
        TrecRunReader reader = new TrecRunReader(file, dataset);
        try (InputStream in = RowFile.inflate(file)) {
            Blocks blocks = new Blocks(in);
            Parallel.mapInOrder(threads, blocks::next, text -> reader.new Block(text), reader::add);
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        } catch (UncheckedIOException problem) {
            throw RowFile.unreadable(file, Objects.requireNonNull(problem.getCause()));
        }
        return reader.hits.read(file);
    }

    /** Blocks come back in order, so the lines counted so far are those before this block. */
    private void add(Block block) {
        lines += block.lines;
        if (block.refusal != null) {
            throw new BadInputException(new Location(file, lines), block.refusal.found(), block.refusal.advice());
        }
        hits.add(block.hits);
    }

    /** Lines of the file, parsed without looking at the rest of it, up to the first that is wrong. */
    private final class Block {
        private final RunHits hits = new RunHits(passages, queries);
        private long lines;
        private RunHits.@Nullable Refusal refusal;

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

        private RunHits.@Nullable Refusal add(String text, int count) {
            if (count == 0) {
                return null;
            }
            if (count != COLUMNS) {
                return new RunHits.Refusal(count + " columns", "a TREC run has six: query Q0 passage rank score tag");
            }
            return hits.add(column(text, 0), column(text, 2), column(text, 4));
        }

        private String column(String text, int number) {
            return text.substring(begins[number], ends[number]);
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
