package io.posbias.cli;

import io.posbias.base.process.Session;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.report.query.Benchmarks;
import io.posbias.report.query.Selection;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(optionListHeading = "Queries:")
final class SelectionOptions {
    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Condition on queries, FIELD OP VALUE, for example 'words > 300'; all statistics are computed"
                    + " again. Fields: columns of queries.csv, model, family, dataset, language, words,"
                    + " query_words; OP: = != < <= > >=. Repeated conditions are joined by AND.")
    private List<String> where = List.of();

    @Option(
            names = "--by",
            paramLabel = "FIELD",
            description = "Field to group rows by, numbers in quartiles. FIELD:N,.. sets the edges, "
                    + "for example words:100,300.")
    private String by = "";

    @BelongsTo({"--where", "--by"})
    @Option(
            names = "--texts",
            paramLabel = "FOLDER",
            description = "Folder of a benchmark that has moved and is not in 'posbias data list'. Repeatable.")
    private List<Path> texts = List.of();

    @BelongsTo({"--where", "--by"})
    @Option(
            names = "--values",
            paramLabel = "FILE",
            description =
                    "Rows with further fields for --where and --by, by 'query_id' or by the passage's 'id', and by"
                            + " 'language' if they have one: .jsonl, .csv, .tsv or .parquet, for example ratings of translations.")
    private @Nullable Path values;

    boolean isGiven() {
        return !where.isEmpty() || isGrouped();
    }

    boolean isGrouped() {
        return !by.isEmpty();
    }

    Selection of(List<StoredCell> cells, Session session) {
        if (values != null) {
            BaseCommand.isFile("--values", values);
        }
        return new Selection(cells, new Selection.Choice(where, by, values), new Benchmarks(texts, session), session);
    }
}
