package io.posbias.cli.data;

import io.posbias.ExitCode;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.convert.CatalogEntry;
import io.posbias.evaluate.Datasets;
import io.posbias.table.Sheet;
import io.posbias.table.TableFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code posbias data list}: the benchmarks there are. */
@Command(
        name = "list",
        description = "List the benchmarks that --dataset takes by name, and which of them are on this machine.",
        footer = {"", "Examples:", "  posbias data list", "  posbias data list --all"})
final class DataListCommand extends Verb {
    @Option(names = "--all", description = "Write out families such as posir/LANGUAGE/DOMAIN.")
    private boolean all;

    @Override
    public Integer call() {
        Datasets datasets = new Datasets(session());
        Map<String, List<CatalogEntry>> groups = new LinkedHashMap<>();
        for (CatalogEntry entry : datasets.catalog().entries().values()) {
            groups.computeIfAbsent(all ? entry.name() : family(entry.name()), name -> new ArrayList<>())
                    .add(entry);
        }
        print(TableFormat.TABLE.render(new Sheet<Map.Entry<String, List<CatalogEntry>>>()
                .plain("dataset", Map.Entry::getKey)
                .plain("here", group -> here(group.getValue(), datasets))
                .plain("description", group -> group.getValue().getFirst().description())
                .table("", List.copyOf(groups.entrySet()), List.of())));
        return ExitCode.OK;
    }

    private static String here(List<CatalogEntry> members, Datasets datasets) {
        long here = members.stream().filter(datasets.puller()::isHere).count();
        return members.size() > 1 ? here + " of " + members.size() : here == 1 ? "yes" : "no";
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
