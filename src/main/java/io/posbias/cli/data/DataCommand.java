package io.posbias.cli.data;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.DatasetCommand;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.Least;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.convert.Sampler;
import io.posbias.data.convert.SubsetConverter;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Query;
import io.posbias.data.named.DatasetPuller;
import io.posbias.data.named.Datasets;
import io.posbias.data.position.Bucketing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias data}: benchmarks on disk. */
@Command(
        name = "data",
        description = "Build, fetch, sample and inspect benchmarks.",
        subcommands = {
            DataCommand.ListData.class,
            DataInfoCommand.class,
            DataStatsCommand.class,
            DataCutsCommand.class,
            DataCommand.Pull.class,
            DataBuildCommand.class,
            DataCommand.Sample.class,
            DataCommand.Verify.class,
        },
        footer = {"", "Examples:", "  posbias data list", "  posbias data info demo"})
public final class DataCommand extends Group {
    @Command(
            name = "list",
            description = "List the built-in benchmarks and their downloads.",
            footer = {"", "Examples:", "  posbias data list", "  posbias data list --all"})
    static final class ListData extends BaseCommand {
        @Option(names = "--all", description = "List the members of families, for example posir/LANGUAGE/DOMAIN.")
        private boolean all;

        @Mixin
        private FormatOption form = new FormatOption();

        private record DatasetLine(String dataset, String installed, String description) {}

        @Override
        protected void work() {
            Datasets datasets = new Datasets(session());
            Map<String, List<CatalogEntry>> groups = new LinkedHashMap<>();
            for (CatalogEntry entry : datasets.catalog().entries().values()) {
                groups.computeIfAbsent(all ? entry.name() : family(entry.name()), name -> new ArrayList<>())
                        .add(entry);
            }
            List<DatasetLine> lines = new ArrayList<>();
            groups.forEach((name, members) -> lines.add(new DatasetLine(
                    name, installed(members, datasets), members.getFirst().description())));
            print(form.list(DatasetLine.class, lines, unpinned(datasets), session()));
        }

        private static List<String> unpinned(Datasets datasets) {
            List<String> names = datasets.catalog().entries().values().stream()
                    .filter(entry -> !entry.isPinned())
                    .map(entry -> family(entry.name()))
                    .distinct()
                    .toList();
            return names.isEmpty()
                    ? List.of()
                    : List.of("not pinned to a commit or digests, so their servers may change them: "
                            + String.join(", ", names) + "; dataset.yaml and results record the downloaded digests");
        }

        private static String installed(List<CatalogEntry> members, Datasets datasets) {
            long here = members.stream().filter(datasets.puller()::isLocal).count();
            return members.size() > 1 ? here + " of " + members.size() : here == 1 ? "yes" : "no";
        }

        private static String family(String name) {
            List<String> parts = List.of(name.split("/", -1));
            if (parts.size() < 3) {
                return name;
            }
            boolean crossLingual = parts.get(1).split("-", -1).length > 2;
            return parts.getFirst() + (crossLingual ? "/LANGUAGE-LANGUAGE/DOMAIN" : "/LANGUAGE/DOMAIN");
        }
    }

    @Command(
            name = "pull",
            description = "Download and convert benchmarks.",
            footer = {
                "",
                "BEIR's sets come from their servers, single files (korquad) from GitHub, all others from the Hugging Face Hub. The licence is shown first. Interrupted downloads continue, the Hub's cache is reused, and every file with a published digest is verified.",
                "",
                "Environment: POSBIAS_HOME (cache, default ~/.cache/posbias), POSBIAS_GITHUB, HF_ENDPOINT, HF_TOKEN, HF_HOME, "
                        + "HF_HUB_CACHE, HF_HUB_OFFLINE.",
                "",
                "Examples:",
                "  posbias data pull squad-posq-tiny",
                "  posbias data pull xquad-zh korquad",
                "  posbias data pull posir/eng-Latn",
                "  posbias data pull posir/fra-Latn-eng-Latn/law_judiciary",
            })
    static final class Pull extends BaseCommand {
        @Parameters(
                paramLabel = "DATASET",
                arity = "1..*",
                description = "Benchmarks: names, groups (posir/eng-Latn) or patterns from 'posbias data list --all'.")
        private List<String> names = List.of();

        @Option(names = "--overwrite", description = "Download and convert again.")
        private boolean overwrite;

        @Override
        protected void work() {
            Datasets datasets = new Datasets(session());
            names.stream()
                    .flatMap(name -> datasets.catalog().matching(name).stream())
                    .distinct()
                    .toList()
                    .forEach(entry ->
                            printLine(entry.name() + ": " + datasets.puller().pull(entry, overwrite)));
        }
    }

    @Command(
            name = "verify",
            description = "Check the files of a benchmark and compare it with its paper.",
            footer = {
                "",
                "Checks the file format, unique identifiers, judgements that name existing queries and passages, evidence inside its passage, recorded digests; and for a published benchmark the numbers of queries and passages, in all and per bucket. The published benchmark is named by --as or by dataset.yaml.",
                "",
                "Examples:",
                "  posbias data verify my-squad",
                "  posbias data verify --write my-squad",
                "  posbias data verify squad-posq-tiny",
                "  posbias data verify my-squad --as squad-posq",
            })
    static final class Verify extends BaseCommand {
        @Parameters(
                paramLabel = "DATASET",
                description = "Benchmark: a folder, a name from 'posbias data list', or a group (posir/eng-Latn).")
        private String name = "";

        @Option(names = "--write", description = "Record the current digests in dataset.yaml.")
        private boolean write;

        @Option(
                names = "--as",
                paramLabel = "DATASET",
                description = "Published benchmark to compare with, from 'posbias data list' (default: the name in "
                        + "dataset.yaml).")
        private @Nullable String as;

        @Override
        protected void work() {
            Datasets datasets = new Datasets(session());
            List<Datasets.Source> sources = datasets.sources(name);
            refuse(as != null && sources.size() > 1, "--as is for one benchmark, and these are " + sources.size());
            refuse(
                    as != null && published(as, datasets.catalog()).isEmpty(),
                    "--as " + Printable.cut(String.valueOf(as))
                            + ": not a published benchmark; 'posbias data list' lists them");
            List<CatalogEntry.Counts> found = sources.stream()
                    .map(source -> verified(source.folder().get(), datasets.catalog()))
                    .toList();
            datasets.catalog().total(name).ifPresent(total -> compare(name, total, together(found)));
        }

        private CatalogEntry.Counts verified(Path folder, Catalog catalog) {
            if (write) {
                refuse(!Files.isWritable(folder), "cannot write to " + folder);
                DatasetCard card = DatasetCard.read(folder).withSha256(Map.of());
                card.withSha256(DatasetFiles.find(folder).checksums()).write(folder);
            }
            Dataset dataset = session().step("check " + folder, () -> DatasetReader.open(folder));
            CatalogEntry.Counts counts = DatasetPuller.counts(dataset);
            printLine(dataset.name() + ": " + Plural.of(dataset.passages().size(), "passage") + ", "
                    + Plural.of(dataset.queries().size(), "query") + ", "
                    + dataset.judgedQueries().size() + " with judgements: sound");
            dataset.checksums().forEach((file, sum) -> printLine("  " + sum + "  " + file));
            if (dataset.card().sha256().isEmpty()) {
                printLine("  dataset.yaml records no digests; --write adds them");
            }
            String set = as == null ? dataset.name() : as;
            boolean named = as != null || Files.exists(folder.resolve(DatasetFiles.CARD));
            published(set, catalog).ifPresent(published -> {
                if (named) {
                    compare(compared(dataset.name(), set), published, counts);
                } else {
                    printLine("  not compared with the published " + set + ", as only its folder is called so: --as "
                            + set + " does");
                }
            });
            return counts;
        }

        private static Optional<CatalogEntry.Counts> published(String set, Catalog catalog) {
            return catalog.find(set).map(CatalogEntry::published).filter(published -> !published.isEmpty());
        }

        private String compared(String dataset, String set) {
            return dataset + " (compared with " + set + ", which " + (as == null ? "dataset.yaml" : "--as") + " names)";
        }

        private void compare(String what, CatalogEntry.Counts published, CatalogEntry.Counts found) {
            List<String> differences = published.differences(found);
            if (!differences.isEmpty()) {
                throw new PosbiasException(what + " is not as published: " + String.join("; ", differences));
            }
            printLine(what + ": as published: " + published);
        }

        private static CatalogEntry.Counts together(List<CatalogEntry.Counts> parts) {
            return new CatalogEntry.Counts(
                    parts.stream().mapToInt(CatalogEntry.Counts::queries).sum(),
                    parts.stream().mapToInt(CatalogEntry.Counts::passages).sum(),
                    Map.of(),
                    false);
        }
    }

    @Command(
            name = "sample",
            description = "Sample queries of a benchmark and keep its corpus.",
            footer = {
                "",
                "Queries in file order are shuffled as CPython's random.seed(SEED); random.shuffle does, and the first are taken.",
                "",
                "Examples:",
                "  posbias data sample squad-posq --subset squad-posq-tiny --out tiny",
                "  posbias data sample my-squad --n 500 --seed 7 --out small",
                "  posbias data sample my-squad --n 100 --per-bucket --out balanced",
            })
    static final class Sample extends DatasetCommand {
        @Parameters(paramLabel = "DATASET", description = "Benchmark: a folder, or a name from 'posbias data list'.")
        private String name = "";

        @Option(
                names = "--subset",
                paramLabel = "NAME",
                description = "Published subset: squad-posq-tiny or fineweb-posq-tiny.")
        private @Nullable String subset;

        @Option(names = "--n", paramLabel = "N", description = "Number of queries.")
        private @Nullable Integer n;

        @Least(0)
        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Seed of the shuffle, with --n (default: ${DEFAULT-VALUE}).")
        private int seed = Sampler.PAPER_SEED;

        @Option(names = "--per-bucket", description = "Sample N queries of each position bucket.")
        private boolean perBucket;

        @Mixin
        private BuildOptions options = new BuildOptions();

        @Override
        protected void work() {
            Dataset dataset = dataset(name);
            Function<List<Query>, List<Query>> draw = draw(dataset);
            // Drawn variants do not cover all places.
            DatasetCard original = dataset.card().with(DatasetCard.Field.CONTENT_FIXED, "");
            options.build(
                    () -> new SubsetConverter(
                            dataset,
                            draw,
                            options.card("", "", "drawn from " + original.name(), "")
                                    .orElse(original)),
                    session());
        }

        private Function<List<Query>, List<Query>> draw(Dataset dataset) {
            if (subset != null) {
                refuse(n != null || perBucket, "--subset fixes what is drawn: leave out --n and --per-bucket");
                Function<List<Query>, List<Query>> known = Sampler.RECIPES.get(subset);
                if (known == null) {
                    throw new UsageException(Suggestions.unknown("subset", subset, Sampler.RECIPES.keySet()));
                }
                return known;
            }
            if (n == null || n < 1) {
                throw new UsageException("give --subset, or --n with at least 1");
            }
            int wanted = n;
            if (!perBucket) {
                return queries -> Sampler.draw(queries, wanted, seed);
            }
            Bucketing bucketing = options.bucketing(dataset.card());
            return queries -> Sampler.drawPerBucket(
                    queries,
                    wanted,
                    seed,
                    bucketing.positions().buckets().size(),
                    query -> bucketing.bucketsOf(query.evidence()));
        }
    }
}
