package io.posbias.cli;

import io.posbias.base.process.Session;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.Heading;
import io.posbias.report.query.Benchmarks;
import io.posbias.report.query.Selection;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

final class SelectionOptions {
    @Heading("Queries:")
    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Condition on queries, FIELD OP VALUE, for example 'words > 300'; all statistics are computed"
                    + " again. Fields: columns of queries.csv, model, family, dataset, language, words,"
                    + " query_words; OP: = != < <= > >=. Repeated conditions are joined by AND.")
    private List<String> where = List.of();

    @Heading("Queries:")
    @Option(
            names = "--by",
            paramLabel = "FIELD",
            description = "Field to group rows by, numbers in quartiles. FIELD:N,.. sets the edges, "
                    + "for example words:100,300.")
    private String by = "";

    @Heading("Queries:")
    @BelongsTo({"--format html", "--where", "--by"})
    @Option(
            names = "--texts",
            paramLabel = "FOLDER",
            description = "Folder of a benchmark that has moved and is not in 'posbias data list'. Repeatable.")
    private List<Path> texts = List.of();

    boolean isGiven() {
        return !where.isEmpty() || isGrouped();
    }

    boolean isGrouped() {
        return !by.isEmpty();
    }

    Benchmarks benchmarks(Session session) {
        return new Benchmarks(texts, session);
    }

    Selection of(List<StoredCell> cells, Session session) {
        return new Selection(cells, where, by, benchmarks(session), session);
    }
}
