package io.posbias.cli.probe;

import io.posbias.Suggestions;
import io.posbias.cli.common.ClusterOption;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.StatisticsOptions;
import io.posbias.cli.common.Verb;
import io.posbias.encode.Engine;
import io.posbias.measure.Units;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeRun;
import io.posbias.probe.redocred.ProbeFolder;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        description = "Score the pairs of probes with models, and test the differences.",
        sortOptions = false,
        footer = {
            "",
            "Pairs of one document, which the tag title names, count as one; the papers count each by itself "
                    + "(--cluster none).",
            "A pair file of your own has a line of JSON for each pair: id, query, text1, text2.",
            "",
            "Examples:",
            "  posbias probe run --model bm25,all-minilm-l6-v2 --data probes \\",
            "      --with-published",
            "  posbias probe run --model my.yaml --data probes --probe position,brevity",
            "  posbias probe run --model bm25 --pairs mine.jsonl --format markdown",
        })
final class ProbeRunCommand extends Verb {
    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of probes, or redocred: where 'posbias probe build redocred' leaves its own.")
    private @Nullable Path data;

    @Option(
            names = "--pairs",
            paramLabel = "FILE",
            description = "A file of pairs; may be repeated. Its name is the probe's where lines name none.")
    private List<Path> pairs = List.of();

    @Option(
            names = "--probe",
            split = ",",
            paramLabel = "PROBE,..",
            hideParamSyntax = true,
            description = "Only these probes of the folder, separated by commas (default: all).")
    private List<String> probes = List.of();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Option(
            names = "--with-published",
            description = "Add what was published of the same probes, on the authors' own 250 pairs.")
    private boolean withPublished;

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Override
    protected void work() {
        check();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        ProbeRun probed = new ProbeRun(read(), statistics.confidence(), withPublished);
        Engine engine = modelOptions.device().engine(statistics.threads(), session());
        look(probed, recipes, engine, output, form, plots);
    }

    private void check() {
        statistics.check();
        modelOptions.device().check();
        output.check();
        refuse(data == null && pairs.isEmpty(), "give --data, a folder of probes, or --pairs, a file");
        belongs(data == null && !probes.isEmpty(), "--probe", "--data");
    }

    private Map<Path, List<ProbeItem>> read() {
        List<Path> files = new ArrayList<>();
        if (data != null) {
            files.addAll(chosen(ProbeFolder.of(data, session().home())));
        }
        files.addAll(pairs);
        Map<Path, List<ProbeItem>> items = new LinkedHashMap<>();
        Map<String, Path> fileOf = new HashMap<>();
        for (Path file : files) {
            isFile("--pairs", file);
            refuseTwin(String.valueOf(file.getFileName()), "are called", file, fileOf);
            List<ProbeItem> own = ProbeFolder.items(file).stream()
                    .map(item -> cluster.by() == Units.By.NONE ? item.single() : item)
                    .toList();
            own.stream()
                    .map(item -> item.probe().name())
                    .distinct()
                    .forEach(probe -> refuseTwin(probe, "hold", file, fileOf));
            items.put(file, own);
        }
        return items;
    }

    /** Pairs of one probe in two files would be tested as one sample, and count twice where they are the same. */
    private static void refuseTwin(String name, String have, Path file, Map<String, Path> fileOf) {
        Path earlier = fileOf.put(have + name, file);
        refuse(
                earlier != null,
                earlier + " and " + file + " both " + have + " " + name + ": give one, or make one file of them");
    }

    private List<Path> chosen(ProbeFolder folder) {
        List<Path> there = folder.files();
        List<String> names = there.stream().map(ProbeFolder::name).toList();
        for (String probe : probes) {
            refuse(!names.contains(probe), "--probe: " + Suggestions.unknown("probe", probe, names));
        }
        if (!probes.isEmpty()) {
            return there.stream()
                    .filter(file -> probes.contains(ProbeFolder.name(file)))
                    .toList();
        }
        List<Path> filled = ProbeFolder.filled(there);
        there.stream()
                .filter(file -> !filled.contains(file))
                .forEach(file -> say(file.getFileName() + ": holds no pair, left out"));
        return filled;
    }
}
