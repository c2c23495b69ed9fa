package io.posbias.faults;

import io.posbias.data.dataset.ParquetFiles;
import io.posbias.faults.StructuredMutator.Change;
import io.posbias.faults.StructuredMutator.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Changes one value, row or column of a Parquet file. */
final class ParquetMutator {
    private static final List<String> CODECS = List.of("uncompressed", "snappy", "gzip", "zstd");

    private final SplittableRandom random;
    private final Path sound;

    /**
     * @param sound a copy that stays
     */
    ParquetMutator(SplittableRandom random, Path sound) {
        this.random = random;
        this.sound = sound;
    }

    private record Drawn(String select, Oracle oracle, String what) {}

    /** Returns a change that DuckDB can write. */
    Change change() throws SQLException, IOException {
        Map<String, String> columns = ParquetFiles.columns(sound);
        Path broken = Files.createTempFile(sound.toAbsolutePath().getParent(), "broken", ".parquet");
        try {
            for (int tries = 0; ; tries++) {
                Drawn drawn = drawn(columns);
                try {
                    ParquetFiles.write(broken, drawn.select, CODECS.get(random.nextInt(CODECS.size())));
                    return new Change(Files.readAllBytes(broken), drawn.oracle, drawn.what);
                } catch (SQLException impossible) {
                    if (tries == 50) {
                        throw impossible;
                    }
                }
            }
        } finally {
            Files.delete(broken);
        }
    }

    private Drawn drawn(Map<String, String> columns) {
        List<String> names = List.copyOf(columns.keySet());
        String name = names.get(random.nextInt(names.size()));
        String quoted = '"' + name + '"';
        String from = " FROM read_parquet('" + sound + "')";
        String rows = "(SELECT *, row_number() OVER () AS zz_row" + from + ")";
        return switch (random.nextInt(12)) {
            case 0 -> new Drawn("SELECT * EXCLUDE (" + quoted + ")" + from, Oracle.OTHER, "without " + name);
            case 1 -> {
                int at = random.nextInt(name.length());
                String other = name.substring(0, at) + "x" + name.substring(at + 1);
                yield new Drawn(
                        "SELECT * RENAME (" + quoted + " AS \"" + other + "\")" + from,
                        Oracle.WRONG,
                        name + " renamed " + other);
            }
            case 2, 3 -> {
                String type =
                        pick("VARCHAR", "DOUBLE", "FLOAT", "SMALLINT", "HUGEINT", "BLOB", "DECIMAL(18,3)", "BOOLEAN");
                yield new Drawn(
                        "SELECT * REPLACE (CAST(" + quoted + " AS " + type + ") AS " + quoted + ")" + from,
                        Oracle.OTHER,
                        name + ": " + columns.get(name) + " as " + type);
            }
            case 4 -> {
                String by = pick("[" + quoted + "]", "{'a': " + quoted + "}", "DATE '2020-01-01'", "'NaN'::DOUBLE");
                yield new Drawn(
                        "SELECT * REPLACE (" + by + " AS " + quoted + ")" + from, Oracle.WRONG, name + " = " + by);
            }
            case 5, 6, 7 -> {
                String by = pick(
                        "NULL",
                        quoted + " + 1",
                        quoted + " - 1",
                        "-" + quoted,
                        quoted + " * 10",
                        "0",
                        "2147483648",
                        "9223372036854775807",
                        quoted + " || 'x'",
                        "''",
                        "upper(" + quoted + ")",
                        "' ' || " + quoted,
                        "list_reverse(" + quoted + ")",
                        "[]",
                        "list_transform(" + quoted + ", x -> x + 1)",
                        "list_transform(" + quoted + ", x -> -x)",
                        "list_append(" + quoted + ", 7)");
                yield new Drawn(
                        "SELECT * EXCLUDE (zz_row) REPLACE (CASE WHEN zz_row = 1 THEN " + by + " ELSE " + quoted
                                + " END AS " + quoted + ") FROM " + rows,
                        Oracle.OTHER,
                        "first " + name + " = " + by);
            }
            case 8 ->
                new Drawn(
                        "SELECT *" + from + " UNION ALL (SELECT *" + from + " LIMIT 1)",
                        Oracle.OTHER,
                        "first row twice");
            case 9 ->
                new Drawn(
                        "SELECT * EXCLUDE (zz_row) FROM " + rows + " WHERE zz_row <> 1",
                        Oracle.OTHER,
                        "without first row");
            case 10 -> {
                List<String> other = new ArrayList<>(names);
                Collections.shuffle(other, new Random(random.nextLong()));
                yield new Drawn(
                        "SELECT " + other.stream().map(one -> '"' + one + '"').collect(Collectors.joining(", ")) + from,
                        Oracle.SAME,
                        "columns in another order");
            }
            default -> new Drawn("SELECT *, 7 AS zz" + from, Oracle.WRONG, "a column zz");
        };
    }

    private String pick(String... values) {
        return values[random.nextInt(values.length)];
    }
}
