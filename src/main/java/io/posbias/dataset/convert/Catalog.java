package io.posbias.dataset.convert;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetCard;
import io.posbias.table.CsvRows;
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

/** The benchmarks known by name: configs/datasets in the jar. */
public final class Catalog {
    private static final String FOLDER = "configs/datasets";
    private static final String OPEN_BENCHMARKS = FOLDER + "/open-benchmarks.csv";

    public static final String GITHUB = "https://raw.githubusercontent.com";

    private static final String CROSS_LINGUAL_CORPUS = "eng-Latn";
    private static final List<String> COUNTS = List.of("queries", "passages", "buckets", "at_most");
    private static final List<String> TOTALS = List.of("queries", "passages", "passage_tokens");
    private static final List<String> FIELDS = List.of(
            "name",
            "description",
            "language",
            "licence",
            "citation",
            "bucketing",
            "exclude_self",
            "missing_judged",
            "builtin",
            "address",
            "md5",
            "evidence",
            "annotations",
            "format",
            "repository",
            "revision",
            "files",
            "subset_of",
            "recipe",
            "expected",
            "languages",
            "cross_lingual",
            "domains",
            "totals");

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
            catalog.add(Json.parseYaml(Path.of(file), Configs.read(file)));
        }
        CsvRows.read(Path.of(OPEN_BENCHMARKS), Configs.read(OPEN_BENCHMARKS)).forEach(catalog::addFile);
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

    private void add(Fields fields) {
        fields.refuseOthers(FIELDS);
        if (fields.has("languages")) {
            addFamily(fields);
            return;
        }
        CatalogEntry.Origin origin = fields.has("builtin")
                ? new CatalogEntry.BuiltIn(fields.text("builtin"))
                : fields.has("address")
                        ? archive(fields)
                        : fields.has("subset_of")
                                ? new CatalogEntry.Subset(fields.id("subset_of"), fields.id("recipe"))
                                : download(fields, fields.texts("files"));
        String language = fields.text("language", "");
        put(fields, fields.id("name"), language, language, origin);
    }

    private void addFamily(Fields fields) {
        List<String> languages = fields.texts("languages");
        List<String> others = fields.texts("cross_lingual");
        List<String> domains = fields.texts("domains");
        domains.forEach(domain -> languages.forEach(language -> addMember(fields, language, language, domain)));
        domains.forEach(
                domain -> others.forEach(language -> addMember(fields, language, CROSS_LINGUAL_CORPUS, domain)));
        Fields published = fields.record("totals");
        published.refuseOthers(languages);
        for (String language : published.names()) {
            Fields total = published.record(language);
            String name = fields.id("name") + "/" + language;
            total.refuseOthers(TOTALS);
            totals.put(
                    name,
                    new CatalogEntry.Counts(total.positive("queries"), total.positive("passages"), Map.of(), false));
            tokens.put(name, total.number("passage_tokens", 0));
        }
    }

    private void addMember(Fields fields, String queries, String corpus, String domain) {
        String languages = queries.equals(corpus) ? queries : queries + "-" + corpus;
        List<String> files = List.of(
                queries + "/" + domain + "/queries.parquet",
                queries + "/" + domain + "/qrels/test.parquet",
                corpus + "/" + domain + "/corpus.parquet");
        String name = fields.id("name") + "/" + languages + "/" + domain;
        put(fields, name, PosirNames.iso639(corpus), PosirNames.iso639(queries), download(fields, files));
    }

    private static CatalogEntry.HubFiles download(Fields fields, List<String> files) {
        return new CatalogEntry.HubFiles(
                fields.id("repository"), fields.id("revision"), files, PublishedFormat.of(fields.id("format")));
    }

    private static CatalogEntry.WebFiles archive(Fields fields) {
        List<CatalogEntry.WebFile> files = new ArrayList<>();
        files.add(new CatalogEntry.WebFile(URI.create(fields.text("address")), fields.text("md5"), -1));
        fields.texts("annotations")
                .forEach(address -> files.add(new CatalogEntry.WebFile(URI.create(address), "", -1)));
        return new CatalogEntry.WebFiles(files, BeirConverter.format(fields.text("evidence", "")));
    }

    private void put(Fields fields, String name, String language, String queryLanguage, CatalogEntry.Origin origin) {
        String source = fields.has("repository")
                ? "https://huggingface.co/datasets/" + fields.id("repository")
                : fields.text("address", "");
        DatasetCard card = DatasetCard.named(name)
                .with(DatasetCard.Field.LANGUAGE, language)
                .with(DatasetCard.Field.QUERY_LANGUAGE, queryLanguage)
                .with(DatasetCard.Field.LICENCE, fields.text("licence", ""))
                .with(DatasetCard.Field.SOURCE, source)
                .with(DatasetCard.Field.BUCKETING, fields.text("bucketing", ""))
                .with(DatasetCard.Field.CITATION, fields.text("citation", ""))
                .with(DatasetCard.Field.EXCLUDE_SELF, fields.flag("exclude_self", false) ? "true" : "")
                .with(DatasetCard.Field.MISSING_JUDGED, fields.text("missing_judged", ""));
        entries.put(
                name, new CatalogEntry(fields.text("description"), card, origin, counts(fields.record("expected"))));
    }

    private void addFile(Fields row) {
        String repository = row.text("repository");
        String path = row.text("commit") + "/" + row.text("path");
        CatalogEntry.WebFile file = new CatalogEntry.WebFile(
                URI.create(GITHUB + "/" + repository + "/" + path), row.text("sha256"), row.parsedInteger("bytes"));
        String language = row.text("language");
        String licence = row.text("licence");
        String description = Locale.of(language).getDisplayLanguage(Locale.ENGLISH) + " questions, licence: " + licence;
        String page = "https://github.com/" + repository + "/blob/" + path;
        DatasetCard card = DatasetCard.named(row.id("name"))
                .with(DatasetCard.Field.LANGUAGE, language)
                .with(DatasetCard.Field.LICENCE, licence)
                .with(DatasetCard.Field.SOURCE, page)
                .with(DatasetCard.Field.BUCKETING, DatasetCard.FIFTHS);
        int questions = row.has("questions_with_answer") ? row.parsedInteger("questions_with_answer") : 0;
        int passages = row.has("passages") ? row.parsedInteger("passages") : 0;
        entries.put(
                card.name(),
                new CatalogEntry(
                        description,
                        card,
                        new CatalogEntry.WebFiles(List.of(file), PublishedFormat.of(row.text("format"))),
                        new CatalogEntry.Counts(questions, passages, Map.of(), false)));
    }

    private static CatalogEntry.Counts counts(Fields published) {
        published.refuseOthers(COUNTS);
        Fields buckets = published.record("buckets");
        Map<String, Integer> byName = new LinkedHashMap<>();
        buckets.names().forEach(bucket -> byName.put(bucket, buckets.integer(bucket)));
        return new CatalogEntry.Counts(
                published.integer("queries", 0),
                published.integer("passages", 0),
                byName,
                published.flag("at_most", false));
    }
}
