package io.posbias.cli;

import io.posbias.dataset.CatalogEntry;
import io.posbias.report.Table;
import io.posbias.report.TableFormat;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias data list}: the benchmarks there are. */
@Command(
        name = "list",
        description = "List the benchmarks that --dataset takes by name, and which of them are on this machine.",
        footer = {"", "Examples:", "  posbias data list", "  posbias data list --all"})
final class DataListCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--all", description = "Write out families such as posir/LANGUAGE/DOMAIN.")
    private boolean all;

    @Override
    public void run() {
        Datasets datasets = new Datasets(spec.commandLine().getErr());
        Map<String, List<CatalogEntry>> groups = new LinkedHashMap<>();
        for (CatalogEntry entry : datasets.catalog().entries().values()) {
            groups.computeIfAbsent(all ? entry.name() : family(entry.name()), name -> new ArrayList<>())
                    .add(entry);
        }
        List<Table.Row> rows = new ArrayList<>();
        groups.forEach((name, members) -> rows.add(row(name, members, datasets)));
        Table table = new Table("", List.of(), List.of("dataset", "here", "description"), rows, List.of());
        PrintWriter out = spec.commandLine().getOut();
        out.print(TableFormat.TABLE.render(table));
        out.flush();
    }

    private static Table.Row row(String name, List<CatalogEntry> members, Datasets datasets) {
        long here = members.stream().filter(datasets.puller()::isHere).count();
        String state = members.size() > 1 ? here + " of " + members.size() : here == 1 ? "yes" : "no";
        return new Table.Row(List.of(name, state, members.getFirst().description()));
    }

    /** "posir/LANGUAGE/DOMAIN" for the members of a family, the name itself for others. */
    private static String family(String name) {
        List<String> parts = List.of(name.split("/", -1));
        if (parts.size() < 3) {
            return name;
        }
        boolean crossLingual = parts.get(1).split("-", -1).length > 2;
        return parts.getFirst() + (crossLingual ? "/LANGUAGE-LANGUAGE/DOMAIN" : "/LANGUAGE/DOMAIN");
    }
}
