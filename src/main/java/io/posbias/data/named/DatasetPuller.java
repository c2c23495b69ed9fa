package io.posbias.data.named;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.data.convert.Catalog;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.convert.Converter;
import io.posbias.data.convert.Sampler;
import io.posbias.data.convert.SubsetConverter;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.fetch.hub.Downloader;
import io.posbias.fetch.hub.Hub;
import io.posbias.fetch.hub.HubException;
import io.posbias.fetch.hub.HubRepository;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.RepositoryType;
import io.posbias.fetch.hub.WebFile;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Brings benchmarks of the catalogue into posbias's cache: fetches their files, converts them, or draws them from another
 * benchmark. What is complete is not made again.
 */
public final class DatasetPuller {
    private final Catalog catalog;
    private final HubSettings settings;
    private final Hub hub;
    private final Downloader downloader;
    private final Session session;

    public DatasetPuller(Catalog catalog, HubSettings settings, Session session) {
        this.catalog = catalog;
        this.settings = settings;
        this.hub = new Hub(settings, session);
        this.downloader = new Downloader(settings, session);
        this.session = session;
    }

    /** Returns true if a benchmark is complete in the cache. */
    public boolean isLocal(CatalogEntry entry) {
        return entry.origin() instanceof CatalogEntry.BuiltIn
                || Files.isRegularFile(settings.dataset(entry.name()).resolve(DatasetFiles.CARD));
    }

    /**
     * Makes a benchmark available.
     *
     * @param again true to rebuild a benchmark that is on disk
     * @return its folder
     * @throws PosbiasException if that fails; what was downloaded is kept for the next try
     */
    public Path pull(CatalogEntry entry, boolean again) {
        if (entry.origin() instanceof CatalogEntry.BuiltIn builtIn) {
            return Configs.path(builtIn.path());
        }
        Path folder = settings.dataset(entry.name());
        return Downloader.alone(folder, downloads(entry), entry.name(), session, () -> {
            Staging.restore(folder);
            if (isLocal(entry) && !again) {
                return folder;
            }
            if (!entry.card().licence().isEmpty()) {
                session.say("licence of " + entry.name() + ": " + entry.card().licence());
            }
            if (entry.origin() instanceof CatalogEntry.Subset subset) {
                build(entry, folder, draw(entry, subset, again));
            } else if (entry.origin() instanceof CatalogEntry.PublishedFiles files) {
                make(entry, files, folder);
            }
            return folder;
        });
    }

    private static final String README = "README.md";

    /** Metadata at the beginning of a README. */
    private static final Pattern FRONT_MATTER =
            Pattern.compile("\\A\ufeff?---\\R(.*?\\R)---(?:\\R|\\z)", Pattern.DOTALL);

    /** Name of a data set on the Hub, with an optional revision. */
    private static final Pattern ON_HUB = Pattern.compile("hf:([\\w.-]+/[\\w.-]+?)(?:@([\\w./-]+))?");

    /** Returns the repository of {@code hf:ORG/NAME} or {@code hf:ORG/NAME@REVISION}; empty for other names. */
    public static Optional<HubRepository> onHub(String name) {
        Matcher hub = ON_HUB.matcher(name);
        return hub.matches()
                ? Optional.of(new HubRepository(
                        RepositoryType.DATASET,
                        hub.group(1),
                        Objects.requireNonNullElse(hub.group(2), HubRepository.MAIN)))
                : Optional.empty();
    }

    /** Returns the folder of a benchmark of the Hub in the cache. */
    public Path folder(HubRepository repository) {
        String revision = repository.revision().equals(HubRepository.MAIN) ? "" : "@" + repository.revision();
        return settings.dataset("hf/" + repository.name() + revision.replace('/', '_'));
    }

    /**
     * Makes a benchmark of the Hub available whose files are in the layout of {@link DatasetFiles}.
     *
     * @return its folder
     */
    public Path pull(HubRepository repository) {
        Path folder = folder(repository);
        Path downloads = FileNames.inside(settings.home().resolve("downloads"), "hf/" + repository.name());
        return Downloader.alone(folder, downloads, repository.name(), session, () -> {
            Staging.restore(folder);
            if (Files.isRegularFile(folder.resolve(DatasetFiles.CARD))) {
                return folder;
            }
            List<String> all = hub.list(repository);
            List<String> paths =
                    all.stream().filter(DatasetFiles::isPublished).sorted().toList();
            if (paths.stream().noneMatch(path -> path.startsWith("corpus"))
                    || paths.stream().noneMatch(path -> path.startsWith("queries"))) {
                throw new PosbiasException(
                        "the data set " + repository.name() + " holds no benchmark: corpus, queries and"
                                + " qrels as Parquet or JSON lines; it holds " + Suggestions.listed(all));
            }
            try (Staging staging = Staging.beside(folder, session)) {
                String commit = "";
                for (Hub.Located file : hub.find(repository, paths)) {
                    Path target = FileNames.inside(staging.folder(), file.file().path());
                    Path brought = hub.download(file, downloads);
                    IoErrors.run("write", target, () -> {
                        Files.createDirectories(target.getParent());
                        Files.copy(brought, target);
                    });
                    commit = file.remote().commit();
                }
                List<String> languages = all.contains(README) ? languages(repository, downloads) : List.of();
                DatasetCard.named(repository.name())
                        .with(
                                DatasetCard.Field.SOURCE,
                                "https://huggingface.co/datasets/" + repository.name()
                                        + (commit.isEmpty() ? "" : "/tree/" + commit))
                        .with(DatasetCard.Field.LANGUAGE, languages.size() == 1 ? languages.getFirst() : "")
                        .write(staging.folder());
                staging.commitFolder();
                session.say(repository.name() + ": in " + folder + "; "
                        + (languages.size() == 1
                                ? "language " + languages.getFirst() + " by its " + README
                                        + "; its dataset.yaml takes another, and bucketing"
                                : "its dataset.yaml takes language and bucketing"
                                        + (languages.isEmpty()
                                                ? ""
                                                : "; its " + README + " has the languages "
                                                        + String.join(", ", languages))));
            }
            return folder;
        });
    }

    /** Returns the ISO 639-1 codes of the languages that the card of a data set on the Hub names. */
    private List<String> languages(HubRepository repository, Path downloads) {
        Path readme = hub.download(hub.find(repository, List.of(README)).getFirst(), downloads);
        String text = new String(IoErrors.call("read", readme, () -> Files.readAllBytes(readme)), UTF_8);
        Matcher head = FRONT_MATTER.matcher(text);
        if (!head.find()) {
            return List.of();
        }
        Object named;
        try {
            named = Json.parseYaml(readme, head.group(1).getBytes(UTF_8))
                    .toMap()
                    .get("language");
        } catch (PosbiasException malformed) {
            session.say("note: " + malformed.getMessage() + ": its language is not read");
            return List.of();
        }
        Stream<?> all = named instanceof List<?> several ? several.stream() : Stream.ofNullable(named);
        return all.map(String::valueOf).flatMap(DatasetPuller::code).distinct().toList();
    }

    private static Stream<String> code(String language) {
        try {
            return Stream.of(Language.code(language));
        } catch (UsageException unknown) {
            return Stream.empty();
        }
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

    private void make(CatalogEntry entry, CatalogEntry.PublishedFiles published, Path folder) {
        Path downloads = downloads(entry);
        List<Path> files = new ArrayList<>();
        DatasetCard card;
        try {
            card = switch (published) {
                case CatalogEntry.HubFiles hubs -> fetch(hubs, entry.card(), downloads, files);
                case CatalogEntry.WebFiles web -> fetch(web, entry.card(), downloads, files);
            };
        } catch (HubException failure) {
            throw failure.withSteps(byHand(entry, published, folder, downloads));
        }
        build(entry, folder, published.format().converter().apply(files, card));
    }

    private Path downloads(CatalogEntry entry) {
        return FileNames.inside(settings.home().resolve("downloads"), entry.name());
    }

    private DatasetCard fetch(CatalogEntry.HubFiles published, DatasetCard card, Path downloads, List<Path> files) {
        List<Hub.Located> found = hub.find(
                repository(published),
                published.files().stream().anyMatch(file -> file.contains("*"))
                        ? matching(published)
                        : published.files());
        found.forEach(file -> files.add(hub.download(file, downloads)));
        String commit = found.getLast().remote().commit();
        return commit.isEmpty() ? card : card.with(DatasetCard.Field.SOURCE, card.source() + "/tree/" + commit);
    }

    private DatasetCard fetch(CatalogEntry.WebFiles published, DatasetCard card, Path downloads, List<Path> files) {
        for (WebFile file : published.files()) {
            URI address = address(file);
            files.add(
                    downloader.fetch(address.toString(), new WebFile(address, file.digest(), file.bytes()), downloads));
        }
        return card;
    }

    /** Returns the file's address, on the mirror of GitHub if it is a file of GitHub. */
    private URI address(WebFile file) {
        return URI.create(file.address()
                .toString()
                .replace(HubSettings.GITHUB, settings.github().toString()));
    }

    private static HubRepository repository(CatalogEntry.HubFiles published) {
        return new HubRepository(RepositoryType.DATASET, published.repository(), published.revision());
    }

    private List<String> matching(CatalogEntry.HubFiles published) {
        List<String> all = hub.list(repository(published));
        for (String pattern : published.files()) {
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
        throw new PosbiasException("the data set " + published.repository() + " holds no file like "
                + String.join(" or ", published.files()) + "; it holds " + String.join(", ", all));
    }

    private void build(CatalogEntry entry, Path folder, Converter converter) {
        session.say("converting " + entry.name());
        Dataset dataset = Converter.build(folder, true, converter, session::say, session);
        List<String> differences = entry.published().differences(counts(dataset));
        if (!differences.isEmpty()) {
            session.say("note: " + entry.name() + " is not as published: " + String.join("; ", differences));
        }
    }

    /** Counts queries, passages, and queries by the benchmark's own buckets. */
    public static CatalogEntry.Counts counts(Dataset dataset) {
        String buckets = dataset.card().bucketing();
        return new CatalogEntry.Counts(
                dataset.queries().size(),
                dataset.passages().size(),
                buckets.isEmpty() ? Map.of() : Bucketing.parse(buckets).counts(dataset.queries()),
                false);
    }

    /** Returns the steps of a download on another machine. */
    private List<String> byHand(
            CatalogEntry entry, CatalogEntry.PublishedFiles published, Path folder, Path downloads) {
        List<String> steps = new ArrayList<>();
        steps.add("On a machine with a network run 'posbias data pull " + entry.name()
                + "', then copy its folder datasets/" + entry.name() + " (in POSBIAS_HOME or ~/.cache/posbias) to "
                + folder + ".");
        switch (published) {
            case CatalogEntry.HubFiles hubs -> {
                steps.add("Or fetch by hand, in a browser if need be, from "
                        + repository(hubs).filesPage(settings.endpoint()) + ":");
                hubs.files().forEach(file -> steps.add("  " + file));
                steps.add("and build it: posbias data build " + hubs.format().name() + " --input ... --name "
                        + entry.name() + " --gzip --out " + folder);
            }
            case CatalogEntry.WebFiles web -> {
                steps.add("Or fetch by hand, in a browser if need be, into " + downloads
                        + ", and run the same command again:");
                web.files().forEach(file -> steps.add("  " + address(file)));
            }
        }
        return steps;
    }
}
