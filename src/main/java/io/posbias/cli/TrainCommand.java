package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.Json;
import io.posbias.base.plot.CurveChart;
import io.posbias.base.plot.Curves;
import io.posbias.base.stats.Interval;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.data.dataset.TrainingRow;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.Training;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.model.store.ModelStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "train",
        description = "Train a dense encoder on pairs of queries and passages.",
        footer = {
            "",
            "Needs Python with sentence-transformers[train]. The trained model's folder is one that sentence-transformers "
                    + "loads; it holds recipe.yaml, which all commands accept as a model, and train.json with all settings "
                    + "and losses. A stopped training continues from its last checkpoint. docs/training.md",
            "",
            "Examples:",
            "  posbias train --model all-minilm-l6-v2 --data sets/beir/M_B --out m-b",
            "  posbias train --model all-minilm-l6-v2 --data sets/beir/M_E --out m-e \\",
            "      --set batch=32 --set epochs=1 --set max-tokens=128",
            "  posbias train --model all-minilm-l6-v2 --data sets/beir/M_B --out m --seeds 3",
            "  posbias eval --model all-minilm-l6-v2,m-b/recipe.yaml --dataset demo",
        })
public final class TrainCommand extends BaseCommand {
    private static final String FIGURE = "loss";
    private static final String TRUST = "trust-remote-code";

    @Option(
            names = "--model",
            required = true,
            paramLabel = "MODEL",
            description = "Initial model: st:MODEL, a name or a recipe file.")
    private String recipe = "";

    @Option(
            names = "--data",
            required = true,
            paramLabel = "PATH",
            description = "Training pairs: a benchmark, or a folder or .jsonl file of 'posbias construct'.")
    private String data = "";

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Output folder; its name becomes the model name.")
    private Path out = Path.of("");

    @Option(
            names = "--settings",
            paramLabel = "NAME",
            description = "Training settings: paper (arXiv:2605.26578) or a .yaml file (default: ${DEFAULT-VALUE}).")
    private String settings = "paper";

    @Option(
            names = "--set",
            paramLabel = "SETTING=VALUE",
            description = "Override of a setting, for example batch=32 or learning-rate=1e-5. Repeatable.")
    private Map<String, String> changes = new LinkedHashMap<>();

    @Least(2)
    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Train N models with consecutive seeds, from the setting seed on, into DIR-SEED.")
    private @Nullable Integer seeds;

    @Option(
            names = "--sweep",
            paramLabel = "SETTING=VALUE,..",
            description = "Train a model for each value of a setting, for example learning-rate=1e-5,5e-5, into "
                    + "DIR-VALUE; with --seeds DIR-VALUE-SEED. Repeatable: all combinations.")
    private Map<String, String> sweeps = new LinkedHashMap<>();

    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of threads, on which the last digits of weights depend (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "Device for models: cpu, cuda, cuda:N, or auto (default: ${DEFAULT-VALUE}).")
    private String device = "cpu";

    @Heading("Models:")
    @Option(
            names = "--trust-remote-code",
            description = "Run the Python code of a model's repository, as its worker asks for it.")
    private boolean trustRemoteCode;

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Override
    protected void work() {
        Map<String, Object> values = new LinkedHashMap<>();
        changes.forEach((name, value) -> values.put(name, Json.yamlValue("--set " + name, value)));
        List<TrainingOrder> orders = orders(new TrainingOrder(path(), settings, values, out));
        orders.forEach(order -> isWritable("--out", order.out()));
        Recipe found = new ModelFinder(session()).find(recipe);
        Recipe model = trustRemoteCode
                ? ModelOptions.changed(List.of(found), Map.of(TRUST, true)).getFirst()
                : found;
        Engine engine = new Engine(Device.parse(device), threads, session());
        List<Training> trainings = session().step("load " + data, () -> Training.of(model, orders, engine));
        new ModelStore(session()).requireInside(model);
        List<CurveChart.Banded> losses = new ArrayList<>();
        int most = 2;
        for (Training training : trainings) {
            Training.Trained trained = training.run();
            print(trained.recipe() + "\n");
            most = Math.max(most, trained.record().losses().size());
            losses.add(curve(trained));
        }
        Interval steps = new Interval(1, most);
        plots.draw(
                session(),
                () -> Map.of(
                        FIGURE,
                        CurveChart.panels(
                                FIGURE, "Loss by step", Map.of("", losses), steps, true, "step", "loss in nats", "")));
    }

    private static CurveChart.Banded curve(Training.Trained trained) {
        List<Double> losses = trained.record().losses();
        String name = String.valueOf(
                Objects.requireNonNull(trained.recipe().getParent()).getFileName());
        List<Curves.Point> points = IntStream.range(0, losses.size())
                .mapToObj(step -> new Curves.Point(step + 1, losses.get(step), null, false))
                .toList();
        return new CurveChart.Banded(name, "", List.of(), points);
    }

    private List<TrainingOrder> orders(TrainingOrder one) {
        List<TrainingOrder> orders = List.of(one);
        for (Map.Entry<String, String> sweep : sweeps.entrySet()) {
            List<String> values = List.of(sweep.getValue().split(",", -1));
            refuse(
                    changes.containsKey(sweep.getKey())
                            || (seeds != null && sweep.getKey().equals("seed")),
                    "--sweep " + sweep.getKey() + ": this setting is given twice");
            refuse(
                    values.stream().distinct().count() < values.size(),
                    "--sweep " + sweep.getKey() + " names a value twice");
            refuse(
                    !values.stream().allMatch(value -> FileNames.isModel("-" + value)),
                    "--sweep " + sweep.getKey()
                            + ": a value becomes part of the model's name, which has letters, digits"
                            + " and . _ + - only");
            orders = orders.stream()
                    .flatMap(order -> order.sweep(sweep.getKey(), values).stream())
                    .toList();
        }
        Integer n = seeds;
        return n == null
                ? orders
                : orders.stream().flatMap(order -> order.seeds(n).stream()).toList();
    }

    private Path path() {
        Path given = FileNames.path(data);
        boolean isPairs = Files.isRegularFile(TrainingRow.file(given));
        return isPairs ? given : new Datasets(session()).folder(data);
    }
}
