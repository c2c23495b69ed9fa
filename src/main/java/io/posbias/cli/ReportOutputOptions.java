package io.posbias.cli;

import io.posbias.base.json.Json;
import io.posbias.base.process.Session;
import io.posbias.base.table.Table;
import io.posbias.base.table.TerminalStyle;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.OutputFileOption;
import io.posbias.cli.common.TableLook;
import io.posbias.report.ReportFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Format of a report, and the file that it goes to. */
final class ReportOutputOptions extends TableLook {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ReportFormat format = ReportFormat.TABLE;

    @Mixin
    private OutputFileOption file = new OutputFileOption();

    ReportFormat format() {
        return format;
    }

    @Override
    public TerminalStyle style(Session session) {
        return file.isGiven() ? inFile() : super.style(session);
    }

    void deliver(String text, BaseCommand command) {
        file.deliver(text, command);
    }

    /** @param raw all numbers as one table, for CSV */
    void deliver(Object document, Supplier<List<Table>> tables, Supplier<Table> raw, BaseCommand command) {
        deliver(
                format == ReportFormat.JSON
                        ? new String(Json.toBytes(document), StandardCharsets.UTF_8)
                        : format.text(tables.get(), raw.get(), style(command.session())),
                command);
    }
}
