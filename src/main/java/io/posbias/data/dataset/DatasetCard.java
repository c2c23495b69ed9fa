package io.posbias.data.dataset;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.Pointers;
import io.posbias.base.files.Staging;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Metadata of a benchmark, from {@code dataset.yaml}. Its fields are a map, since options, splits and the catalogue replace
 * or fill some of them.
 *
 * @param name for example {@code posir/fra-Latn/finance_economics}
 * @param texts other fields; empty ones are left out
 * @param sha256 digests by file name; may be empty
 */
public record DatasetCard(String name, Map<Field, String> texts, Map<String, String> sha256) {
    public enum Field {
        /** Language of the passages, as an ISO 639-1 code. */
        LANGUAGE,
        /** Language of the queries in cross-lingual retrieval. */
        QUERY_LANGUAGE,
        LICENCE,
        SOURCE,
        /** Position buckets in the syntax of {@code --buckets}. */
        BUCKETING,
        CITATION,
        /** Text in which evidence was located: the passage, or the {@value #ORIGINAL} of a translation. */
        EVIDENCE_TEXT,
        /** Description of content-fixed queries, which are {@linkplain Query.Variant variants}; otherwise empty. */
        CONTENT_FIXED,
        /** {@code article} if intervals and tests take the queries of one article as a cluster by default; otherwise those of one passage. */
        CLUSTER,
        /** {@code true} if rankings leave out the passage with the query's own identifier. */
        EXCLUDE_SELF,
        /** {@code drop} if judgements of absent passages and queries are left out. */
        MISSING_JUDGED,
        /** {@code answer} if queries are left out whose answer stands in another sentence, too: {@link SingleEvidence}. */
        SINGLE_EVIDENCE,
        /** {@code any-with-evidence} if all passages that hold a query's evidence are relevant: {@link EvidenceHolders}. */
        RELEVANT,
        /** Counts of judgements that were left out when the benchmark was built. */
        JUDGEMENTS_LEFT_OUT,
        /** Notes of the conversion of a user's data, shown whenever the benchmark is opened. */
        NOTES;

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String read(Fields card) {
            if (!card.has(key())) {
                return "";
            }
            return switch (this) {
                case EXCLUDE_SELF -> card.flag(key()) ? TRUE : "";
                case EVIDENCE_TEXT -> card.oneOf(key(), "", List.of(PASSAGE, ORIGINAL));
                case CLUSTER -> card.oneOf(key(), "", List.of(ARTICLE, PASSAGE));
                case MISSING_JUDGED -> card.oneOf(key(), "", List.of(DROP));
                case RELEVANT -> card.oneOf(key(), "", List.of(ANY_WITH_EVIDENCE));
                case SINGLE_EVIDENCE -> card.oneOf(key(), "", List.of(SingleEvidence.BY_ANSWER));
                default -> card.text(key());
            };
        }
    }

    /** Six position buckets as published. */
    public static final String SQUAD_POSQ_BUCKETS = "characters-closed:0,100,200,300,400,500,3120";

    public static final String FINEWEB_POSQ_BUCKETS = "labels:beginning,middle,end";

    /** Twenty buckets within four length strata. */
    public static final String POSIR_BUCKETS = "relative:20 by tokens:512,1024,1536";

    public static final String FIFTHS = "relative:5";

    /** Value of {@link Field#MISSING_JUDGED}. */
    public static final String DROP = "drop";

    /** Value of {@link Field#RELEVANT}. */
    public static final String ANY_WITH_EVIDENCE = "any-with-evidence";

    /** Value of {@link Field#CLUSTER}. */
    public static final String ARTICLE = "article";

    public static final String ORIGINAL = "original";

    private static final String PASSAGE = "passage";
    private static final String TRUE = "true";

    public static final String NAME_RULE =
            "a name is made of letters, digits and . _ - / and does not leave its folder";

    public DatasetCard {
        Map<Field, String> known = new EnumMap<>(Field.class);
        known.put(Field.EVIDENCE_TEXT, PASSAGE);
        texts.forEach((field, text) -> {
            if (!text.isEmpty()) {
                known.put(field, text);
            }
        });
        known.remove(Field.QUERY_LANGUAGE, known.getOrDefault(Field.LANGUAGE, ""));
        texts = Collections.unmodifiableMap(known);
        sha256 = Collections.unmodifiableMap(new LinkedHashMap<>(sha256));
    }

    public static DatasetCard named(String name) {
        return new DatasetCard(name, Map.of(), Map.of());
    }

    /** Returns a copy with a changed field; an empty text removes it. */
    public DatasetCard with(Field field, String text) {
        Map<Field, String> changed = new EnumMap<>(texts);
        changed.put(field, text);
        return new DatasetCard(name, changed, sha256);
    }

    public DatasetCard withSha256(Map<String, String> sums) {
        return new DatasetCard(name, texts, sums);
    }

    public DatasetCard withName(String other) {
        return new DatasetCard(other, texts, sha256);
    }

    /**
     * Returns the card of another split, whose name ends with the split.
     *
     * @param qrels file whose digest is kept
     */
    DatasetCard ofSplit(String split, String qrels) {
        Map<String, String> sums = new LinkedHashMap<>(sha256);
        sums.keySet().removeIf(file -> file.startsWith("qrels/") && !file.equals(qrels));
        return new DatasetCard(name + "-" + split, texts, sums);
    }

    /** Returns a copy with the usual buckets, fifths, if the card has none. */
    public DatasetCard bucketed() {
        return orBucketing(FIFTHS);
    }

    /** Returns a copy with these buckets if the card has none. */
    public DatasetCard orBucketing(String usual) {
        return bucketing().isEmpty() ? with(Field.BUCKETING, usual) : this;
    }

    /** Fills empty fields from another card and takes its {@link Field#EVIDENCE_TEXT}. */
    public DatasetCard orElse(DatasetCard other) {
        Map<Field, String> all = new EnumMap<>(other.texts);
        if (!language().isEmpty()) {
            all.remove(Field.QUERY_LANGUAGE);
        }
        all.putAll(texts);
        all.put(Field.EVIDENCE_TEXT, other.text(Field.EVIDENCE_TEXT));
        return new DatasetCard(name, all, sha256);
    }

    public String language() {
        return text(Field.LANGUAGE);
    }

    /** Returns the queries' language, which is the passages' unless retrieval is cross-lingual. */
    public String queryLanguage() {
        return texts.getOrDefault(Field.QUERY_LANGUAGE, language());
    }

    public String licence() {
        return text(Field.LICENCE);
    }

    public String source() {
        return text(Field.SOURCE);
    }

    public String bucketing() {
        return text(Field.BUCKETING);
    }

    public String citation() {
        return text(Field.CITATION);
    }

    /** True if evidence was located in the original of a translation: only its relative position means something. */
    public boolean isOfOriginal() {
        return text(Field.EVIDENCE_TEXT).equals(ORIGINAL);
    }

    public String contentFixed() {
        return text(Field.CONTENT_FIXED);
    }

    public boolean clustersByArticle() {
        return text(Field.CLUSTER).equals(ARTICLE);
    }

    public String notes() {
        return text(Field.NOTES);
    }

    public boolean excludesSelf() {
        return text(Field.EXCLUDE_SELF).equals(TRUE);
    }

    public boolean dropsMissing() {
        return text(Field.MISSING_JUDGED).equals(DROP);
    }

    /** How passages without a judgement become relevant; empty if they do not. */
    public Optional<String> relevant() {
        return Optional.of(text(Field.RELEVANT)).filter(how -> !how.isEmpty());
    }

    /** Names how queries with a second evidence are recognised and left out; empty if they are not. */
    public Optional<String> singleEvidence() {
        return SingleEvidence.of(this).map(SingleEvidence::name);
    }

    /** Returns the fields on the reading of judgements and rankings; absent ones are not set. */
    public Map<Field, String> handling() {
        Map<Field, String> handling = new EnumMap<>(texts);
        handling.keySet()
                .retainAll(EnumSet.of(Field.EXCLUDE_SELF, Field.MISSING_JUDGED, Field.SINGLE_EVIDENCE, Field.RELEVANT));
        return handling;
    }

    String text(Field field) {
        return texts.getOrDefault(field, "");
    }

    /** Reads a folder's card; without {@code dataset.yaml} it has only the folder's name. */
    public static DatasetCard read(Path folder) {
        Path file = folder.resolve(DatasetFiles.CARD);
        Path other = folder.resolve("dataset.yml");
        if (Files.exists(other)) {
            throw new BadInputException(Location.of(other), "is not read", "rename it to " + DatasetFiles.CARD);
        }
        if (!Pointers.isFile(file)) {
            Path name = folder.toAbsolutePath().normalize().getFileName();
            return named(name == null ? "dataset" : name.toString());
        }
        Fields fields = Json.readYaml(file);
        List<String> known = new ArrayList<>(List.of("name"));
        Arrays.stream(Field.values()).map(Field::key).forEach(known::add);
        known.add("sha256");
        fields.refuseOthers(known);
        Map<Field, String> texts = new EnumMap<>(Field.class);
        for (Field field : Field.values()) {
            texts.put(field, field.read(fields));
        }
        return new DatasetCard(name(fields), texts, sha256(fields));
    }

    public void write(Path folder) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("name", name);
        texts.forEach((field, text) -> record.put(field.key(), field == Field.EXCLUDE_SELF ? (Object) true : text));
        if (!sha256.isEmpty()) {
            record.put("sha256", sha256);
        }
        // data verify --write replaces a user's file: wholly or not at all.
        Staging.writeFile(folder.resolve(DatasetFiles.CARD), Json.toYaml(record));
    }

    /** True for valid names; names become parts of result paths. */
    public static boolean isName(String text) {
        return FileNames.staysInside(text) && text.matches("[\\p{L}\\p{N}._/-]+");
    }

    /**
     * Checks the value of {@code --name}.
     *
     * @throws UsageException if it is not a valid benchmark name
     */
    public static String checkedName(String name) {
        if (!isName(name)) {
            throw new UsageException("--name is " + Printable.quoted(name) + ": " + NAME_RULE);
        }
        return name;
    }

    private static String name(Fields fields) {
        String name = fields.id("name");
        if (!isName(name)) {
            throw fields.bad("name", "is " + Printable.quoted(name), NAME_RULE);
        }
        return name;
    }

    private static Map<String, String> sha256(Fields fields) {
        Fields record = fields.record("sha256");
        Map<String, String> sums = new LinkedHashMap<>();
        for (String file : record.names()) {
            if (!isName(file)) {
                throw new BadInputException(
                        Location.of(fields.where().file()),
                        "field \"sha256\" names " + Printable.quoted(file)
                                + ", which is not inside the benchmark's folder",
                        "name files relative to the folder");
            }
            sums.put(file, record.text(file));
        }
        return sums;
    }
}
