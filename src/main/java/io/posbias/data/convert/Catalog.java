package io.posbias.data.convert;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.CsvRows;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.WebFile;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The benchmarks known by name: configs/datasets in the jar. */
public final class Catalog {
    private static final String FOLDER = "configs/datasets";
    private static final String OPEN_BENCHMARKS = FOLDER + "/open-benchmarks.csv";

    private static final String CROSS_LINGUAL_CORPUS = "eng-Latn";

    /** A file of the folder: a benchmark, or a family of them. */
    private record Listed(
            @JsonUnwrapped Description about,
            @Nullable String builtin,
            @JsonUnwrapped Archive archive,
            @JsonUnwrapped Download download,
            @Nullable @JsonProperty("subset_of") String subsetOf,
            @Nullable String recipe,
            @Setting(usual = "{}") CatalogEntry.Counts expected,
            @JsonUnwrapped Family family) {
        CatalogEntry.Origin origin() {
            if (builtin != null) {
                return new CatalogEntry.BuiltIn(builtin);
            }
            if (subsetOf != null && recipe != null) {
                return new CatalogEntry.Subset(subsetOf, recipe);
            }
            return archive.address == null ? download.of(download.files) : archive.files();
        }

        private void put(
                Catalog catalog, String name, String language, String queryLanguage, CatalogEntry.Origin origin) {
            String source = download.repository == null
                    ? Objects.requireNonNullElse(archive.address, "")
                    : "https://huggingface.co/datasets/" + download.repository;
            DatasetCard card = DatasetCard.named(name)
                    .with(DatasetCard.Field.LANGUAGE, language)
                    .with(DatasetCard.Field.QUERY_LANGUAGE, queryLanguage)
                    .with(DatasetCard.Field.LICENCE, about.licence)
                    .with(DatasetCard.Field.SOURCE, source)
                    .with(DatasetCard.Field.BUCKETING, about.bucketing)
                    .with(DatasetCard.Field.CITATION, about.citation)
                    .with(DatasetCard.Field.EXCLUDE_SELF, about.judging.excludeSelf ? "true" : "")
                    .with(DatasetCard.Field.MISSING_JUDGED, about.judging.missingJudged);
            catalog.entries.put(name, new CatalogEntry(about.description, card, origin, expected));
        }

        private void putMember(Catalog catalog, String queries, String corpus, String domain) {
            String languages = queries.equals(corpus) ? queries : queries + "-" + corpus;
            CatalogEntry.Origin origin = download.of(List.of(
                    queries + "/" + domain + "/queries.parquet",
                    queries + "/" + domain + "/qrels/test.parquet",
                    corpus + "/" + domain + "/corpus.parquet"));
            String name = about.name + "/" + languages + "/" + domain;
            put(catalog, name, PosirNames.iso639(corpus), PosirNames.iso639(queries), origin);
        }
    }

    private record Description(
            @Setting(identifier = true) String name,
            String description,
            @Setting(usual = "''") String language,
            @Setting(usual = "''") String licence,
            @Setting(usual = "''") String citation,
            @Setting(usual = "''") String bucketing,
            @JsonUnwrapped Judging judging) {}

    /**
     * Handling of passages in a benchmark's own evaluation.
     *
     * @param excludeSelf true to leave out a query's own passage
     * @param missingJudged {@code drop} for judgements of absent queries and passages; empty to refuse them
     */
    private record Judging(
            @Setting(usual = "false") @JsonProperty("exclude_self")
            boolean excludeSelf,

            @Setting(usual = "''") @JsonProperty("missing_judged")
            String missingJudged) {}

    /** Files on the Web. */
    private record Archive(
            @Nullable String address,
            @Nullable String md5,
            @Setting(usual = "''") String evidence,
            @Setting(usual = "[]") List<String> annotations) {
        CatalogEntry.WebFiles files() {
            List<WebFile> files = new ArrayList<>();
            files.add(new WebFile(URI.create(Objects.requireNonNull(address)), Objects.requireNonNull(md5), -1));
            annotations.forEach(other -> files.add(new WebFile(URI.create(other), "", -1)));
            return new CatalogEntry.WebFiles(files, BeirConverter.format(evidence));
        }
    }

    /** Files on the Hub. */
    private record Download(
            @Nullable String repository,
            @Nullable String revision,
            @Nullable String format,
            @Setting(usual = "[]") List<String> files) {
        CatalogEntry.HubFiles of(List<String> wanted) {
            return new CatalogEntry.HubFiles(
                    Objects.requireNonNull(repository),
                    Objects.requireNonNull(revision),
                    wanted,
                    PublishedFormat.of(Objects.requireNonNull(format)));
        }
    }

    private record Family(
            @Setting(usual = "[]") List<String> languages,

            @Setting(usual = "[]") @JsonProperty("cross_lingual")
            List<String> crossLingual,

            @Setting(usual = "[]") List<String> domains,
            @Setting(usual = "{}") Map<String, Total> totals) {}

    private record Total(
            @Setting(least = 1) int queries,
            @Setting(least = 1) int passages,

            @Setting(usual = "0") @JsonProperty("passage_tokens")
            double passageTokens) {}

    private record OpenBenchmark(
            String name,
            String repository,
            String commit,
            String path,
            String sha256,
            int bytes,
            String language,
            String licence,
            String format,
            @Nullable Integer questionsWithAnswer,
            @Nullable Integer passages) {}

    private final Map<String, CatalogEntry> entries = new LinkedHashMap<>();
    private final Map<String, CatalogEntry.Counts> totals = new LinkedHashMap<>();
    private final Map<String, Double> tokens = new LinkedHashMap<>();
    private final Map<String, Integer> groupSizes = new HashMap<>();

    private Catalog() {}

    /** Parsed once. */
    public static Catalog read() {
        return Shipped.CATALOG;
    }

    private static final class Shipped {
        private static final Catalog CATALOG = parse();
    }

    private static Catalog parse() {
        Catalog catalog = new Catalog();
        for (String name : Configs.names(FOLDER)) {
            String file = FOLDER + "/" + name + ".yaml";
            catalog.add(Json.settings(Json.parseYaml(Path.of(file), Configs.read(file)), Listed.class));
        }
        CsvRows.bundled(OPEN_BENCHMARKS).forEach(row -> catalog.add(Json.bind(row, OpenBenchmark.class)));
        catalog.entries.values().forEach(entry -> catalog.groupSizes.merge(groupOf(entry), 1, Integer::sum));
        return catalog;
    }

    /** Returns all benchmarks by name, with families expanded. */
    public Map<String, CatalogEntry> entries() {
        return Collections.unmodifiableMap(entries);
    }

    public Optional<CatalogEntry> find(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    /** Returns the published counts of a group, for example {@code posir/eng-Latn}; empty if unpublished. */
    public Optional<CatalogEntry.Counts> total(String group) {
        return Optional.ofNullable(totals.get(group));
    }

    /** Returns the published size of a benchmark or its share of its group's; empty if unpublished. */
    public Optional<CatalogEntry.Size> size(CatalogEntry entry) {
        CatalogEntry.Counts own = entry.published();
        if (own.queries() > 0 && own.passages() > 0) {
            return Optional.of(new CatalogEntry.Size(own.queries(), own.passages(), 0));
        }
        String group = groupOf(entry);
        String corpus = group.endsWith("-" + CROSS_LINGUAL_CORPUS)
                ? entry.name().substring(0, entry.name().indexOf('/') + 1) + CROSS_LINGUAL_CORPUS
                : group;
        String queries =
                corpus.equals(group) ? group : group.substring(0, group.length() - CROSS_LINGUAL_CORPUS.length() - 1);
        if (!totals.containsKey(corpus) || !totals.containsKey(queries)) {
            return Optional.empty();
        }
        double members = groupSizes.getOrDefault(group, 0);
        return Optional.of(new CatalogEntry.Size(
                Objects.requireNonNull(totals.get(queries)).queries() / members,
                Objects.requireNonNull(totals.get(corpus)).passages() / members,
                tokens.getOrDefault(corpus, 0.0)));
    }

    /** Returns the benchmarks directly below a name: 31 domains for {@code posir/eng-Latn}; may be empty. */
    public List<CatalogEntry> group(String name) {
        return entries.values().stream()
                .filter(entry -> groupOf(entry).equals(name))
                .toList();
    }

    private static String groupOf(CatalogEntry entry) {
        return entry.name().substring(0, Math.max(0, entry.name().lastIndexOf('/')));
    }

    /**
     * Returns true if a converted benchmark may be the published one of its format: it has as many queries and passages as the
     * benchmark that is named after the format, or none is.
     */
    public boolean isPublished(PublishedFormat format, CatalogEntry.Counts found) {
        CatalogEntry.Counts published = find(format.name())
                .filter(entry -> entry.origin() instanceof CatalogEntry.PublishedFiles files
                        && files.format().name().equals(format.name()))
                .map(CatalogEntry::published)
                .orElse(found);
        return published.queries() == found.queries() && published.passages() == found.passages();
    }

    /** Returns names for suggestions: short names first, then members of groups. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        entries.keySet()
                .forEach(name -> names.add(name.contains("/") ? name.substring(0, name.lastIndexOf('/')) : name));
        names.addAll(entries.keySet());
        return names;
    }

    /** True if benchmarks begin with this word and a slash. */
    public boolean isFamily(String word) {
        return entries.keySet().stream().anyMatch(name -> name.startsWith(word + "/"));
    }

    /** Returns the error for an unknown name, with suggestions. */
    public String unknown(String name) {
        return Suggestions.unknown("dataset", name, names(), "posbias data list --all");
    }

    /**
     * Returns the benchmarks of a pattern ({@code posir/eng-Latn/*}), a {@link #group} or a name.
     *
     * @throws UsageException if there are none, suggesting the nearest
     */
    public List<CatalogEntry> matching(String pattern) {
        List<CatalogEntry> group = group(pattern);
        if (!group.isEmpty()) {
            return group;
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        List<CatalogEntry> matching = entries.values().stream()
                .filter(entry -> matcher.matches(Path.of(entry.name())))
                .toList();
        if (matching.isEmpty()) {
            throw new UsageException(unknown(pattern));
        }
        return matching;
    }

    private void add(Listed listed) {
        Family family = listed.family;
        if (family.languages.isEmpty()) {
            String language = listed.about.language;
            listed.put(this, listed.about.name, language, language, listed.origin());
        }
        family.domains.forEach(
                domain -> family.languages.forEach(language -> listed.putMember(this, language, language, domain)));
        family.domains.forEach(domain -> family.crossLingual.forEach(
                language -> listed.putMember(this, language, CROSS_LINGUAL_CORPUS, domain)));
        family.totals.forEach((language, total) -> {
            String name = listed.about.name + "/" + language;
            totals.put(name, new CatalogEntry.Counts(total.queries, total.passages, Map.of(), false));
            tokens.put(name, total.passageTokens);
        });
    }

    private void add(OpenBenchmark row) {
        String path = row.commit + "/" + row.path;
        WebFile file =
                new WebFile(URI.create(HubSettings.GITHUB + "/" + row.repository + "/" + path), row.sha256, row.bytes);
        String description =
                Locale.of(row.language).getDisplayLanguage(Locale.ENGLISH) + " questions, licence: " + row.licence;
        DatasetCard card = DatasetCard.named(row.name)
                .with(DatasetCard.Field.LANGUAGE, row.language)
                .with(DatasetCard.Field.LICENCE, row.licence)
                .with(DatasetCard.Field.SOURCE, "https://github.com/" + row.repository + "/blob/" + path)
                .bucketed();
        CatalogEntry.Counts published = new CatalogEntry.Counts(
                Objects.requireNonNullElse(row.questionsWithAnswer, 0),
                Objects.requireNonNullElse(row.passages, 0),
                Map.of(),
                false);
        CatalogEntry.Origin origin = new CatalogEntry.WebFiles(List.of(file), PublishedFormat.of(row.format));
        entries.put(card.name(), new CatalogEntry(description, card, origin, published));
    }
}
