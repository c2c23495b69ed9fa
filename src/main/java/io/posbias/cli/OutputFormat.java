package io.posbias.cli;

import io.posbias.report.ProfileTables;
import io.posbias.report.Result;
import io.posbias.report.ResultFile;
import io.posbias.report.Table;
import io.posbias.report.TableFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code eval} and {@code score} print on stdout. */
enum OutputFormat {
    TABLE,
    MARKDOWN,
    CSV,
    LATEX,
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Prints results. */
    void print(List<Result> results, PrintWriter out) {
        switch (this) {
            case JSON -> out.print(new String(ResultFile.toBytes(results), StandardCharsets.UTF_8));
            case CSV -> out.print(TableFormat.CSV.render(ProfileTables.tidy(results)));
            default -> printTables(results, TableFormat.valueOf(name()), out);
        }
        out.flush();
    }

    private static void printTables(List<Result> results, TableFormat format, PrintWriter out) {
        List<String> texts = new ArrayList<>();
        for (Table table : ProfileTables.of(results)) {
            texts.add(format.render(table));
        }
        out.print(String.join("\n", texts));
    }
}
