package io.posbias.hub;

import io.posbias.Configs;
import io.posbias.FileNames;
import io.posbias.PosbiasException;
import io.posbias.Progress;
import io.posbias.Staging;
import io.posbias.Suggestions;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.Query;
import io.posbias.dataset.convert.BeirConverter;
import io.posbias.dataset.convert.Catalog;
import io.posbias.dataset.convert.CatalogEntry;
import io.posbias.dataset.convert.Converter;
import io.posbias.dataset.convert.GoldSentences;
import io.posbias.dataset.convert.PublishedFormat;
import io.posbias.dataset.convert.Sampler;
import io.posbias.dataset.convert.SubsetConverter;
import io.posbias.dataset.convert.UnpackLimits;
import io.posbias.position.Bucketing;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Brings benchmarks of the catalogue into posbias's cache: fetches their files, converts them, or draws them from another
 * benchmark. What is complete is not made again.
 */
public final class DatasetPuller {
    private final Catalog catalog;
    private final HubSettings settings;
    private final Hub hub;
    private final WebFiles web;
    private final Consumer<String> say;

    /**
     * @param say takes one line after another on what is done
     */
    public DatasetPuller(Catalog catalog, HubSettings settings, Progress progress, Consumer<String> say) {
        this.catalog = catalog;
        this.settings = settings;
        this.hub = new Hub(settings, progress, say);
        this.web = new WebFiles(settings, progress, say);
        this.say = say;
    }

    /** Whether a benchmark is complete in the cache. */
    public boolean isHere(CatalogEntry entry) {
        return entry.origin() instanceof CatalogEntry.BuiltIn
                || Files.isRegularFile(settings.dataset(entry.name()).resolve(DatasetFiles.CARD));
    }

    /**
     * Makes a benchmark available.
     *
     * @param again whether to make it anew if it is here
     * @return its folder
     * @throws PosbiasException if that fails; what was downloaded is kept for the next try
     */
    public Path pull(CatalogEntry entry, boolean again) {
        if (entry.origin() instanceof CatalogEntry.BuiltIn builtIn) {
            return Configs.path(builtIn.path());
        }
        Path folder = settings.dataset(entry.name());
        return PullLock.holding(folder, entry.name(), say, () -> {
            Staging.restore(folder);
            if (isHere(entry) && !again) {
                return folder;
            }
            if (!entry.card().licence().isEmpty()) {
                say.accept("licence of " + entry.name() + ": " + entry.card().licence());
            }
            if (entry.origin() instanceof CatalogEntry.Subset subset) {
                build(entry, folder, draw(entry, subset, again));
            } else if (entry.origin() instanceof CatalogEntry.Download download) {
                download(entry, download, folder);
            } else if (entry.origin() instanceof CatalogEntry.Archive archive) {
                archive(entry, archive, folder);
            } else if (entry.origin() instanceof CatalogEntry.GitFile file) {
                file(entry, file, folder);
            }
            return folder;
        });
    }

    private Converter draw(CatalogEntry entry, CatalogEntry.Subset subset, boolean again) {
        CatalogEntry whole = catalog.find(subset.of())
                .orElseThrow(() -> new PosbiasException(Suggestions.unknown(
                        "dataset", subset.of(), catalog.entries().keySet())));
        Function<List<Query>, List<Query>> recipe = Sampler.RECIPES.get(subset.recipe());
        if (recipe == null) {
            throw new PosbiasException(Suggestions.unknown("recipe", subset.recipe(), Sampler.RECIPES.keySet()));
        }
        Dataset dataset = DatasetReader.open(pull(whole, again));
        return new SubsetConverter(dataset, recipe, entry.card().orElse(dataset.card()));
    }

    private void download(CatalogEntry entry, CatalogEntry.Download download, Path folder) {
        Path downloads = FileNames.inside(settings.home().resolve("downloads"), entry.name());
        List<Path> files = new ArrayList<>();
        String commit = "";
        try {
            for (Hub.Located file : hub.find(repository(download), files(download))) {
                files.add(hub.bring(file, downloads));
                commit = file.remote().commit();
            }
        } catch (HubException failure) {
            throw failure.withSteps(byHand(entry, download));
        }
        DatasetCard card = commit.isEmpty()
                ? entry.card()
                : entry.card().with(DatasetCard.Field.SOURCE, entry.card().source() + "/tree/" + commit);
        build(entry, folder, PublishedFormat.of(download.format()).converter().apply(files, card));
        Staging.delete(downloads);
    }

    private void archive(CatalogEntry entry, CatalogEntry.Archive archive, Path folder) {
        Path downloads = FileNames.inside(settings.home().resolve("downloads"), entry.name());
        List<Path> files = new ArrayList<>();
        try {
            for (CatalogEntry.WebFile file : archive.files()) {
                files.add(web.fetch(file, downloads));
            }
        } catch (HubException failure) {
            throw failure.withSteps(byHand(entry, archive, folder));
        }
        GoldSentences gold = archive.evidence().isEmpty() ? null : GoldSentences.of(archive.evidence());
        build(
                entry,
                folder,
                new BeirConverter(
                        files.getFirst(), files.subList(1, files.size()), gold, entry.card(), UnpackLimits.USUAL));
        Staging.delete(downloads);
    }

    private static List<String> byHand(CatalogEntry entry, CatalogEntry.Archive archive, Path folder) {
        List<String> steps = new ArrayList<>(List.of("Or fetch by hand, in a browser if need be:"));
        archive.files().forEach(file -> steps.add("  " + file.address()));
        String annotations = archive.annotations().stream()
                .map(file -> " --annotations " + file.name())
                .collect(Collectors.joining());
        steps.add("and build it: posbias data build beir --input "
                + archive.file().name()
                + (archive.evidence().isEmpty() ? " --language en" : " --evidence " + archive.evidence())
                + annotations + " --name " + entry.name() + " --gzip --out " + folder);
        return steps;
    }

    private void file(CatalogEntry entry, CatalogEntry.GitFile file, Path folder) {
        Path downloads = FileNames.inside(settings.home().resolve("downloads"), entry.name());
        CatalogEntry.WebFile content = file.on(settings.github());
        try {
            Path fetched = web.fetch(content, downloads);
            build(entry, folder, PublishedFormat.of(file.format()).converter().apply(List.of(fetched), entry.card()));
        } catch (HubException failure) {
            throw failure.withSteps(List.of(
                    "Another server with the content of GitHub's files can be named with POSBIAS_GITHUB=https://MIRROR.",
                    "Or fetch by hand, in a browser if need be:",
                    "  " + content.address(),
                    "and build it: posbias data build " + file.format() + " --input " + content.name() + " --language "
                            + entry.card().language() + " --buckets "
                            + entry.card().bucketing() + " --name " + entry.name() + " --gzip --out " + folder));
        }
        Staging.delete(downloads);
    }

    /** The files to fetch; patterns are compared with what the repository holds. */
    private List<String> files(CatalogEntry.Download download) {
        return download.hasPatterns() ? matching(download) : download.files();
    }

    private static HubRepository repository(CatalogEntry.Download download) {
        return new HubRepository(RepositoryType.DATASET, download.repository(), download.revision());
    }

    private List<String> matching(CatalogEntry.Download download) {
        List<String> all = hub.list(repository(download));
        for (String pattern : download.files()) {
            PathMatcher deep = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            PathMatcher top = FileSystems.getDefault().getPathMatcher("glob:" + pattern.replaceFirst("^\\*\\*/", ""));
            List<String> found = all.stream()
                    .filter(path -> deep.matches(FileNames.path(path)) || top.matches(FileNames.path(path)))
                    .sorted()
                    .toList();
            if (!found.isEmpty()) {
                return found;
            }
        }
        throw new PosbiasException("the data set " + download.repository() + " holds no file like "
                + String.join(" or ", download.files()) + "; it holds " + String.join(", ", all));
    }

    private void build(CatalogEntry entry, Path folder, Converter converter) {
        say.accept("converting " + entry.name());
        Dataset dataset = Converter.build(folder, true, converter, say);
        List<String> differences = entry.published().differences(counts(dataset));
        if (!differences.isEmpty()) {
            say.accept("note: " + entry.name() + " is not as published: " + String.join("; ", differences));
        }
    }

    /** How many queries, passages and queries in its own buckets a benchmark has. */
    public static CatalogEntry.Counts counts(Dataset dataset) {
        String buckets = dataset.card().bucketing();
        return new CatalogEntry.Counts(
                dataset.queries().size(),
                dataset.passages().size(),
                buckets.isEmpty() ? Map.of() : Bucketing.parse(buckets).counts(dataset.queries()),
                false);
    }

    /** How a person brings the benchmark here without this machine's network. */
    private List<String> byHand(CatalogEntry entry, CatalogEntry.Download download) {
        List<String> steps = new ArrayList<>();
        Path folder = settings.dataset(entry.name());
        steps.add("On a machine that reaches the Hub run 'posbias data pull " + entry.name()
                + "', then copy its folder datasets/" + entry.name() + " (in POSBIAS_HOME or ~/.cache/posbias) to "
                + folder
                + ".");
        steps.add("Or fetch by hand, in a browser if need be, from "
                + repository(download).filesPage(settings.endpoint()) + ":");
        download.files().forEach(file -> steps.add("  " + file));
        steps.add("and build it: " + buildCommand(entry, download, folder));
        return steps;
    }

    private static String buildCommand(CatalogEntry entry, CatalogEntry.Download download, Path folder) {
        String inputs;
        if (download.format().equals("posir")) {
            String queries = download.files().get(0).replace("/queries.parquet", "");
            String corpus = download.files().get(2).split("/", 2)[0];
            inputs = "--input " + queries + (queries.startsWith(corpus + "/") ? "" : " --corpus " + corpus);
        } else {
            inputs = download.files().stream()
                    .map(file -> "--input " + Path.of(file).getFileName())
                    .reduce((a, b) -> a + " " + b)
                    .orElse("");
        }
        return "posbias data build " + download.format() + " " + inputs + " --name " + entry.name() + " --gzip --out "
                + folder;
    }
}
