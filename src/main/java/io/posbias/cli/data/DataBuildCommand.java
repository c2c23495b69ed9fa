package io.posbias.cli.data;

import io.posbias.base.process.UsageException;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.ExcludeSelfOption;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.JudgementOptions;
import io.posbias.cli.common.Least;
import io.posbias.data.convert.BeirConverter;
import io.posbias.data.convert.BeirInput;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.convert.Converter;
import io.posbias.data.convert.DemoGenerator;
import io.posbias.data.convert.GoldSentences;
import io.posbias.data.convert.PosirConverter;
import io.posbias.data.convert.PosirNames;
import io.posbias.data.convert.PublishedFormat;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.Language;
import io.posbias.study.probe.redocred.RedocredBenchmark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

@Command(
        name = "build",
        description = "Convert a published benchmark to BEIR's layout with evidence.",
        modelTransformer = DataBuildCommand.Formats.class,
        subcommands = {
            DataBuildCommand.Posir.class,
            DataBuildCommand.Beir.class,
            DataBuildCommand.Redocred.class,
            DataBuildWindowsCommand.class,
            DataBuildCommand.Demo.class,
        },
        footer = {
            "",
            "Examples:",
            "  posbias data build squad-posq --input train-v2.0.json --input dev-v2.0.json \\",
            "      --out squad-posq",
            "  posbias data build posir --input PosIR-Benchmark-v1/eng-Latn/law_judiciary \\",
            "      --out posir-law",
        })
final class DataBuildCommand extends Group {
    abstract static class Build extends BaseCommand {
        @Mixin
        final BuildOptions options = new BuildOptions();

        abstract Converter converter();

        @Override
        protected void work() {
            options.build(this::converter, session());
        }

        static void refuseMissing(List<Path> inputs) {
            for (Path input : inputs) {
                refuse(!Files.exists(input), "--input " + input + ": file or folder not found");
            }
        }
    }

    /** Adds a command for each {@link PublishedFormat} that has none, and the formats' descriptions. */
    static final class Formats implements CommandLine.IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec build) {
            Map<String, CommandLine> own = new LinkedHashMap<>(build.subcommands());
            own.keySet().forEach(build::removeSubcommand);
            for (PublishedFormat format : PublishedFormat.all()) {
                CommandLine command =
                        own.containsKey(format.name()) ? own.remove(format.name()) : new CommandLine(new Rows(format));
                List<String> details = new ArrayList<>(List.of(""));
                details.addAll(format.details());
                command.getCommandSpec()
                        .usageMessage()
                        .description(format.description())
                        .footer(details.toArray(String[]::new));
                build.addSubcommand(format.name(), command);
            }
            own.forEach(build::addSubcommand);
            return build;
        }
    }

    @Command
    static final class Rows extends Build {
        private final PublishedFormat format;

        @Option(
                names = "--input",
                required = true,
                paramLabel = "PATH",
                description = "Published file, folder or archive, see below; rows are .jsonl, .jsonlines, .jsonl.gz or "
                        + ".parquet. Repeatable.")
        private List<Path> files = List.of();

        @Option(
                names = "--language",
                paramLabel = "CODE",
                description = "Language of the texts: an ISO 639-1 code, or its English name (default: detected).")
        private String language = "";

        Rows(PublishedFormat format) {
            this.format = format;
        }

        @Override
        Converter converter() {
            refuseMissing(files);
            String code = language.isEmpty() ? "" : Language.code(language);
            DatasetCard card = options.card(code, "", ownSource(), "");
            Converter converter = format.converter().apply(files, card).aligned();
            return out -> {
                DatasetCard made = converter.convert(out);
                CatalogEntry.Counts counts = new CatalogEntry.Counts(out.queries(), out.passages(), Map.of(), false);
                return Catalog.read().isPublished(format, counts)
                        ? made.with(DatasetCard.Field.SOURCE, format.source())
                                .with(DatasetCard.Field.CITATION, format.citation())
                        : made;
            };
        }

        private String ownSource() {
            return files.stream()
                    .map(file ->
                            String.valueOf(file.toAbsolutePath().normalize().getFileName()))
                    .collect(Collectors.joining(", "));
        }
    }

    @Command(name = "posir")
    static final class Posir extends Build {
        @Option(names = "--input", required = true, paramLabel = "DIR", description = "The folder LANG/DOMAIN.")
        private Path input = Path.of("");

        @Option(
                names = "--queries",
                paramLabel = "LANG",
                description = "Language folder of queries and judgements (default: that of --input).")
        private @Nullable String queries;

        @Option(
                names = "--corpus",
                paramLabel = "LANG",
                description = "Language folder of the corpus (default: that of --input).")
        private @Nullable String corpus;

        @Override
        Converter converter() {
            Path folder = input.toAbsolutePath().normalize();
            Path queryFolder = language(folder, queries);
            Path corpusFolder = language(folder, corpus);
            refuseMissing(List.of(queryFolder, corpusFolder));
            PublishedFormat format = PosirConverter.FORMAT;
            DatasetCard card =
                    options.card(PosirNames.iso639(name(corpusFolder)), "", format.source(), format.citation());
            return format.converter()
                    .apply(
                            List.of(
                                    DatasetFiles.queries(queryFolder),
                                    DatasetFiles.qrels(queryFolder),
                                    DatasetFiles.corpus(corpusFolder)),
                            card.with(DatasetCard.Field.QUERY_LANGUAGE, PosirNames.iso639(name(queryFolder))));
        }

        private static Path language(Path folder, @Nullable String language) {
            Path parent = folder.getParent();
            Path root = parent == null ? null : parent.getParent();
            if (root == null) {
                throw new UsageException(
                        "--input " + folder + " must end with LANG/DOMAIN, as in eng-Latn/law_judiciary");
            }
            return language == null ? folder : root.resolve(language).resolve(folder.getFileName());
        }

        private static String name(Path domainFolder) {
            Path parent = domainFolder.getParent();
            return parent == null ? "" : String.valueOf(parent.getFileName());
        }
    }

    @Command(
            name = "beir",
            description = "Convert a benchmark in BEIR's layout, folder or zip.",
            footer = {
                "",
                "Examples:",
                "  posbias data build beir --input nq.zip --language en --out nq",
                "  posbias data build beir --input scifact.zip --evidence scifact \\",
                "      --annotations data.tar.gz --out scifact",
                "  posbias data build beir --input cqadupstack.zip --set all --out cqadupstack",
            })
    static final class Beir extends Build {
        private static final String ALL = "all";

        @Option(
                names = "--input",
                required = true,
                paramLabel = "PATH",
                description = "A folder or a .zip, .tar.gz or .tgz file.")
        private Path input = Path.of("");

        @Option(
                names = "--set",
                paramLabel = "NAME",
                description = "Benchmark to convert if the input contains several; " + ALL
                        + " converts each into a subfolder of --out (default: the only one).")
        private String set = "";

        @Mixin
        private JudgementOptions judgements = new JudgementOptions();

        @Mixin
        private ExcludeSelfOption excludeSelf = new ExcludeSelfOption();

        @Option(
                names = "--language",
                paramLabel = "CODE",
                description =
                        "Language of the texts: an ISO 639-1 code, or its English name (default: from dataset.yaml).")
        private String language = "";

        @Option(
                names = "--evidence",
                paramLabel = "SET",
                completionCandidates = Sets.class,
                description =
                        "Source of the evidence, files that the authors released; queries without judgements are left"
                                + " out: ${COMPLETION-CANDIDATES} (default: the input).")
        private @Nullable String evidence;

        @BelongsTo("--evidence")
        @Option(
                names = "--annotations",
                paramLabel = "FILE",
                description = "Released file, folder or archive for --evidence: scifact: data.tar.gz; hotpotqa: "
                        + "hotpot_dev_distractor_v1.json; fever: shared_task_dev.jsonl and wiki-pages.zip; climate-"
                        + "fever: climate-fever-dataset-r1.jsonl. Repeatable.")
        private List<Path> annotations = List.of();

        static final class Sets implements Iterable<String> {
            @Override
            public Iterator<String> iterator() {
                return GoldSentences.KINDS.keySet().iterator();
            }
        }

        @Override
        protected void work() {
            if (set.equals(ALL)) {
                options.buildAll(this::converters, note -> session().say("note: " + note), session());
            } else {
                super.work();
            }
        }

        private SequencedMap<String, Converter> converters(Path scratch) {
            BeirInput unpacked = input().unpacked(scratch);
            SequencedMap<String, Converter> parts = new LinkedHashMap<>();
            BeirInput.sets(unpacked.path()).keySet().forEach(name -> {
                DatasetCard card = card();
                parts.put(name, converter(unpacked.of(name), card.withName(card.name() + "/" + name)));
            });
            refuse(parts.isEmpty(), "--input " + input + " holds no benchmark: no folder in it has a corpus");
            return parts;
        }

        @Override
        Converter converter() {
            return converter(input().of(set), card());
        }

        private BeirInput input() {
            refuse(
                    evidence != null && annotations.isEmpty(),
                    "--evidence needs the released files: give --annotations");
            refuseMissing(List.of(input));
            annotations.forEach(
                    file -> refuse(!Files.exists(file), "--annotations " + file + ": file or folder not found"));
            return new BeirInput(input, "", judgements.split(), excludeSelf.on(judgements.handling()));
        }

        private Converter converter(BeirInput own, DatasetCard card) {
            return BeirConverter.of(own, evidence == null ? "" : evidence, annotations, card);
        }

        private DatasetCard card() {
            String code = language.isEmpty() ? "" : Language.code(language);
            if (evidence == null) {
                return options.card(code, "", "", "");
            }
            PublishedFormat format = BeirConverter.format(evidence);
            return options.card(code.isEmpty() ? "en" : code, DatasetCard.FIFTHS, format.source(), format.citation());
        }
    }

    @Command(
            name = "redocred",
            description = "Convert Re-DocRED into the retrieval set of ColDeR's paper.",
            footer = {
                "",
                "The set is that of Table A.3. Articles are passages, relations are queries that no other article"
                        + " answers, positions are those of evidence sentences.",
                "",
                "Example:",
                "  posbias data build redocred --input test_revised.json \\",
                "      --input dev_revised.json --corpus train_revised.json \\",
                "      --corpus train_distant.json --out redocred",
            })
    static final class Redocred extends Build {
        private static final String BUCKETS = "thirds";
        private static final String CITATION = "Fayyaz et al. 2025, Collapse of Dense Retrievers, arXiv:2503.05037; "
                + "Tan et al. 2022, Re-DocRED, arXiv:2205.12696";

        @Option(
                names = "--input",
                required = true,
                paramLabel = "FILE",
                description = "File of Re-DocRED whose relations become queries. Repeatable.")
        private List<Path> inputs = List.of();

        @Option(
                names = "--corpus",
                paramLabel = "FILE",
                description = "File of Re-DocRED or DocRED with further passages. Repeatable.")
        private List<Path> corpus = List.of();

        @Override
        Converter converter() {
            inputs.forEach(file -> isFile("--input", file));
            corpus.forEach(file -> isFile("--corpus", file));
            return new RedocredBenchmark(
                    inputs,
                    corpus,
                    options.card("en", BUCKETS, "Re-DocRED (github.com/tonytan48/Re-DocRED)", CITATION));
        }
    }

    @Command(
            name = "demo",
            description = "Write the bundled demo benchmark, or a similar one.",
            footer = {"", "Example:", "  posbias data build demo --seed 7 --out demo-7"})
    static final class Demo extends Build {
        @Least(0)
        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Seed of the generator (default: ${DEFAULT-VALUE}, that of the demo in the jar).")
        private int seed = DemoGenerator.SEED;

        @Override
        Converter converter() {
            return new DemoGenerator(
                    options.card("en", DatasetCard.FIFTHS, "made by posbias", "")
                            .with(DatasetCard.Field.LICENCE, "CC0-1.0")
                            // Its titles are of places, which articles of several kinds are about.
                            .with(DatasetCard.Field.CLUSTER, "passage"),
                    seed);
        }
    }
}
