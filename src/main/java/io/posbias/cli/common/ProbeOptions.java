package io.posbias.cli.common;

import io.posbias.base.text.Suggestions;
import io.posbias.score.measure.Clustering;
import io.posbias.study.probe.ProbeItem;
import io.posbias.study.probe.redocred.ProbeFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

public final class ProbeOptions {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of probes, or redocred for the output of 'posbias probe build redocred'.")
    private @Nullable Path data;

    @Option(
            names = "--pairs",
            paramLabel = "FILE",
            description = "File of pairs, named like the probe unless its lines name one. Repeatable.")
    private List<Path> pairs = List.of();

    @BelongsTo("--data")
    @Option(
            names = "--probe",
            split = ",",
            paramLabel = "PROBE,..",
            description = "Probes of the folder (default: all).")
    private List<String> probes = List.of();

    public boolean areGiven() {
        return data != null || !pairs.isEmpty();
    }

    /**
     * Reads the items of each file.
     *
     * @param by the cluster of items
     */
    public Map<Path, List<ProbeItem>> read(BaseCommand command, Clustering.By by) {
        List<Path> files = new ArrayList<>();
        if (data != null) {
            files.addAll(chosen(ProbeFolder.of(data, command.session().home()), command));
        }
        files.addAll(pairs);
        Map<Path, List<ProbeItem>> items = new LinkedHashMap<>();
        Map<String, Path> fileOf = new HashMap<>();
        for (Path file : files) {
            BaseCommand.isFile("--pairs", file);
            refuseTwin(String.valueOf(file.getFileName()), "are called", file, fileOf);
            List<ProbeItem> own = ProbeFolder.items(file).stream()
                    .map(item -> by == Clustering.By.NONE ? item.single() : item)
                    .toList();
            own.stream()
                    .map(item -> item.probe().name())
                    .distinct()
                    .forEach(probe -> refuseTwin(probe, "hold", file, fileOf));
            items.put(file, own);
        }
        return items;
    }

    /** Pairs in two files would count twice. */
    private static void refuseTwin(String name, String have, Path file, Map<String, Path> fileOf) {
        Path earlier = fileOf.put(have + name, file);
        BaseCommand.refuse(
                earlier != null,
                earlier + " and " + file + " both " + have + " " + name + ": give one, or make one file of them");
    }

    private List<Path> chosen(ProbeFolder folder, BaseCommand command) {
        List<Path> there = folder.files();
        List<String> names = there.stream().map(ProbeFolder::name).toList();
        for (String probe : probes) {
            BaseCommand.refuse(!names.contains(probe), "--probe: " + Suggestions.unknown("probe", probe, names));
        }
        if (!probes.isEmpty()) {
            return there.stream()
                    .filter(file -> probes.contains(ProbeFolder.name(file)))
                    .toList();
        }
        List<Path> filled = ProbeFolder.filled(there);
        there.stream()
                .filter(file -> !filled.contains(file))
                .forEach(file -> command.session().say(file.getFileName() + ": no pairs, skipped"));
        return filled;
    }
}
