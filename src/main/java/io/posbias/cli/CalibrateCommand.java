package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.PlacingOptions;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.study.calibrate.Calibration;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.ReferenceSpec;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.calibrate.WordTokenizer;
import io.posbias.study.probe.redocred.ProbeFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias calibrate}: measures models whose position bias is known. */
@Command(
        name = "calibrate",
        description = "Check that posbias measures planted position biases correctly.",
        subcommands = {CalibrateCommand.References.class},
        footer = {
            "",
            "The exit code is 1 when a planted bias is not found, or one is found that was not planted.",
            "",
            "25 reference encoders (tokens weighted towards the front, the back or the middle; a preference for short "
                    + "or long texts; none) answer the queries of a synthetic benchmark. Prints how many are measured "
                    + "as planted and a line for each failure; --details and the other formats print all numbers. "
                    + "Needs no network and writes only temporary files. docs/calibrate.md describes the encoders.",
            "",
            "Examples:",
            "  posbias calibrate",
            "  posbias calibrate --seed 7 --format markdown",
            "  posbias calibrate --dataset demo",
            "  posbias calibrate references --dataset demo --out refs",
        })
public final class CalibrateCommand extends DatasetCommand {
    private static final int QUERIES = 300;
    private static final int DRAWS = 2_000;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the benchmarks, the models' vectors and the draws (default: ${DEFAULT-VALUE}).")
    private long seed = 42;

    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Benchmarks on which to measure unbiased, primacy and recency encoders instead: how large a "
                    + "bias would be detected on this data?")
    private List<String> datasets = List.of();

    @Least(2)
    @BelongsTo("--dataset")
    @Option(
            names = "--n",
            paramLabel = "N",
            description = "With --dataset: draw this many queries of each (default: " + QUERIES + ").")
    private @Nullable Integer n;

    @Mixin
    @BelongsTo("--dataset")
    private PlacingOptions placing = new PlacingOptions();

    @Option(names = "--details", description = "Print a row per encoder with planted and measured bias.")
    private boolean details;

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    public Integer call() {
        refuse(
                !datasets.isEmpty() && seed != (int) seed,
                "--seed must be a whole number of 32 bits with --dataset, not " + seed);
        // No line or progress bar for each search of each encoder.
        Calibration calibration = new Calibration(placing.choice(), DRAWS, seed, Engine.quiet(threads, session()));
        if (datasets.isEmpty()) {
            return ended(calibration, calibration.run(session()));
        }
        int queries = n == null ? QUERIES : n;
        return ended(
                calibration,
                datasets.stream()
                        .flatMap(name -> calibration.run(dataset(name), queries, session()).stream())
                        .toList());
    }

    private int ended(Calibration calibration, List<Calibration.CalibratedEncoder> rows) {
        List<String> failures = Calibration.failures(rows);
        long missed = rows.stream()
                .filter(row -> row.check() != Calibration.CalibrationCheck.OK)
                .count();
        String summary = rows.size() - missed + " of " + Plural.of(rows.size(), "encoder") + " as planted";
        boolean isTable = form.isTable();
        if (isTable) {
            printLine(summary);
        }
        if (!isTable || details || form.detail().explain() || !datasets.isEmpty()) {
            print(form.text(
                    () -> calibration.document(rows),
                    () -> List.of(calibration.table(rows, form.detail())),
                    session()));
        }
        if (!isTable) {
            say(summary);
        }
        failures.forEach(failure -> say("posbias: calibrate: " + failure));
        return failures.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    @Command(
            name = "references",
            description = "Write the models with planted bias for other commands.",
            footer = {
                "",
                "They know the words of a benchmark or of probes: what do eval, probe or diagnose report for a known bias?",
                "",
                "The literal encoders are left out: real texts do not say which words name the same entity.",
                "",
                "Examples:",
                "  posbias calibrate references --data probes --out refs",
                "  posbias probe run --data probes \\",
                "      --model bm25,refs/reference-flat/recipe.yaml",
                "  posbias calibrate references --dataset demo --out refs \\",
                "      --reference reference-flat,reference-primacy-2",
            })
    static final class References extends DatasetCommand {
        /** Longer than any passage, because truncation would hide the end. */
        private static final int MAX_TOKENS = 1 << 17;

        @Option(
                names = "--dataset",
                paramLabel = "DATASET",
                description = "Benchmark with the vocabulary: a name from 'posbias data list' or a folder.")
        private @Nullable String dataset;

        @Option(names = "--data", paramLabel = "DIR", description = "Folder of probes with the vocabulary.")
        private @Nullable Path data;

        @Option(
                names = "--out",
                required = true,
                paramLabel = "DIR",
                description = "Output folder: NAME/recipe.yaml, graph and tokenizer of each encoder.")
        private Path out = Path.of("");

        @Option(
                names = "--reference",
                split = ",",
                paramLabel = "NAME,..",
                description = "Encoders to write, for example reference-flat (default: all).")
        private List<String> chosen = List.of();

        @Option(
                names = "--seed",
                paramLabel = "S",
                description = "Seed of the words' vectors (default: ${DEFAULT-VALUE}).")
        private long seed = 42;

        @Option(names = "--overwrite", description = "Replace encoders in the folder.")
        private boolean overwrite;

        @Override
        protected void work() {
            refuse(dataset == null && data == null, "give --dataset, a benchmark, or --data, a folder of probes");
            List<ReferenceSpec> planted = planted();
            planted.forEach(this::refuseExisting);
            Set<String> words = words();
            if (words.isEmpty()) {
                throw new PosbiasException("these texts contain no words");
            }
            say(words.size() + " words; literal encoders are left out");
            for (ReferenceSpec one : planted) {
                print(write(one, words) + "\n");
            }
        }

        private List<ReferenceSpec> planted() {
            Map<String, ReferenceSpec> all = new LinkedHashMap<>();
            ReferenceSpec.all().stream()
                    .filter(planted -> planted.kind() != ReferenceKind.LITERAL)
                    .forEach(planted -> all.put(planted.model(), planted));
            for (String name : chosen) {
                refuse(!all.containsKey(name), "--reference: " + Suggestions.unknown("reference", name, all.keySet()));
            }
            return (chosen.isEmpty() ? all.keySet() : chosen)
                    .stream().map(all::get).toList();
        }

        private void refuseExisting(ReferenceSpec planted) {
            Path folder = out.resolve(planted.model());
            if (!Files.exists(folder)) {
                return;
            }
            refuse(!overwrite, "--out " + out + " holds " + planted.model() + ": use --overwrite to replace it");
            for (Path file : IoErrors.call("read", folder, () -> FileNames.in(folder))) {
                refuse(
                        !ReferenceEncoder.FILES.contains(String.valueOf(file.getFileName())),
                        file + " does not belong to a reference encoder: give a new folder");
            }
        }

        private Set<String> words() {
            Set<String> words = new LinkedHashSet<>();
            Consumer<String> reader = text -> words.addAll(WordTokenizer.words(text));
            if (dataset != null) {
                Dataset opened = dataset(dataset);
                opened.passages().inFileOrder((ordinal, passage) -> {
                    reader.accept(passage.title());
                    reader.accept(passage.text());
                });
                opened.judgedQueries().forEach(query -> reader.accept(query.text()));
            }
            if (data != null) {
                ProbeFolder.filled(ProbeFolder.of(data, session().home()).files()).stream()
                        .flatMap(file -> ProbeFolder.items(file).stream())
                        .flatMap(item -> Stream.of(item.query(), item.text1(), Objects.toString(item.text2(), "")))
                        .forEach(reader);
            }
            return words;
        }

        private Path write(ReferenceSpec planted, Set<String> words) {
            Path folder = out.resolve(planted.model());
            try (Staging staging = Staging.beside(folder, session())) {
                refuseExisting(planted);
                planted.encoder(seed, MAX_TOKENS).write(staging.folder(), words);
                staging.commitFolder();
            }
            return folder.resolve(ReferenceEncoder.RECIPE);
        }
    }
}
