package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Fields;
import io.posbias.base.process.PosbiasException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetRowsTest {
    private static final String SELECT = "SELECT 'q' || i AS _id, 'é🦉 ' || i AS text, [i, i + 5]::BIGINT[] AS span,"
            + " {'text': ['a' || i], 'answer_start': [i::INT]} AS answers, CASE WHEN i = 1 THEN NULL ELSE 2.5 END AS maybe"
            + " FROM range(3000) t(i)";

    @TempDir
    Path temp;

    private static List<Fields> read(Path file) {
        List<Fields> rows = new ArrayList<>();
        RowFile.open(file).forEach(rows::add);
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "zstd", "gzip", "brotli", "lz4_raw", "uncompressed"})
    void readsEveryCodecInFileOrder(String codec) throws SQLException {
        List<Fields> rows = read(ParquetFiles.write(temp.resolve(codec + ".parquet"), SELECT, codec));
        assertThat(rows).hasSize(3000);
        Fields row = rows.get(2999);
        assertThat(row.id("_id")).isEqualTo("q2999");
        assertThat(row.text("text")).isEqualTo("é🦉 2999");
        assertThat(row.integers("span")).containsExactly(2999, 3004);
        assertThat(row.record("answers").texts("text")).containsExactly("a2999");
        assertThat(row.record("answers").integers("answer_start")).containsExactly(2999);
        assertThat(rows.get(1).has("maybe")).isFalse();
        assertThat(rows.get(0).number("maybe")).isEqualTo(2.5);
    }

    @Test
    void namesTheRowOfAnError() throws SQLException {
        Path file = ParquetFiles.write(temp.resolve("rows.parquet"), SELECT, "zstd");
        assertThatThrownBy(() -> RowFile.open(file).forEach(row -> row.number("maybe")))
                .hasMessageContainingAll(file + ":2:", "\"maybe\" is null", "_id, text, span");
    }

    @Test
    void readsFilesWhoseNamesLookLikePatterns() throws SQLException {
        Path file = ParquetFiles.write(temp.resolve("a[1]*.parquet"), "SELECT 1 AS x", "zstd");
        ParquetFiles.write(temp.resolve("a1b.parquet"), "SELECT 2 AS x", "zstd");
        assertThat(read(file)).hasSize(1);
        assertThat(read(file).getFirst().integer("x")).isEqualTo(1);
    }

    @Test
    void refusesTheUnknownEnding() {
        assertThatThrownBy(() -> RowFile.open(temp.resolve("none.parquet")))
                .isInstanceOf(PosbiasException.class)
                .hasMessage("cannot read " + temp.resolve("none.parquet") + ": file not found");
    }
}
