package io.posbias.dataset;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.FileNames;
import io.posbias.Json;
import io.posbias.Location;
import io.posbias.Printable;
import io.posbias.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code dataset.yaml} says of a benchmark.
 *
 * @param name what results call it, for example {@code posir/fra-Latn/finance_economics}
 * @param language of the passages, as an ISO 639-1 code such as {@code en}; empty when not said
 * @param queryLanguage of the queries; the same as {@code language} unless retrieval is cross-lingual
 * @param licence an SPDX identifier or a sentence
 * @param source where it comes from
 * @param bucketing how positions are grouped, in the words of {@code --buckets}; empty when not said
 * @param citation how to cite it
 * @param evidenceText what text the evidence's positions were measured in
 * @param contentFixed how each query has its evidence at every place, which makes them {@linkplain Query.Variant variants};
 *     empty where each query is by itself
 * @param sha256 digests by file name inside the folder; empty when not recorded
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DatasetCard(
        String name,
        String language,
        String queryLanguage,
        String licence,
        String source,
        String bucketing,
        String citation,
        EvidenceText evidenceText,
        String contentFixed,
        Map<String, String> sha256) {
    /** SQuAD-PosQ's six position buckets as published. */
    public static final String SQUAD_POSQ_BUCKETS = "characters-closed:0,100,200,300,400,500,3120";

    /** FineWeb-PosQ's three. */
    public static final String FINEWEB_POSQ_BUCKETS = "labels:beginning,middle,end";

    /** PosIR's twenty within four bands of length. */
    public static final String POSIR_BUCKETS = "relative:20 by tokens:512,1024,1536";

    /** Fifths of every passage, whatever its length. */
    public static final String FIFTHS = "relative:5";

    /** What {@link #isName} accepts, in words. */
    public static final String NAME_RULE =
            "a name is made of letters, digits and . _ - / and does not leave its folder";

    private static final List<String> FIELDS = List.of(
            "name",
            "language",
            "query_language",
            "licence",
            "source",
            "bucketing",
            "citation",
            "evidence_text",
            "content_fixed",
            "sha256");

    /** What text the positions of evidence were measured in. */
    public enum EvidenceText {
        /** The passage in the corpus: spans are checked against it. */
        PASSAGE,
        /** The original that the passage was translated from: only relative positions mean something. */
        ORIGINAL;

        /** The word in {@code dataset.yaml}. */
        @JsonValue
        public String word() {
            return this == PASSAGE ? "passage" : "original";
        }
    }

    /** Keeps the digests in their order. */
    public DatasetCard {
        sha256 = Collections.unmodifiableMap(new LinkedHashMap<>(sha256));
    }

    /** A card of a benchmark in which each query is by itself. */
    public DatasetCard(
            String name,
            String language,
            String queryLanguage,
            String licence,
            String source,
            String bucketing,
            String citation,
            EvidenceText evidenceText,
            Map<String, String> sha256) {
        this(name, language, queryLanguage, licence, source, bucketing, citation, evidenceText, "", sha256);
    }

    /** A card that says no more than a name. */
    public static DatasetCard named(String name) {
        return new DatasetCard(name, "", "", "", "", "", "", EvidenceText.PASSAGE, Map.of());
    }

    /** The same card for files with these digests. */
    public DatasetCard withSha256(Map<String, String> sums) {
        return new DatasetCard(
                name, language, queryLanguage, licence, source, bucketing, citation, evidenceText, contentFixed, sums);
    }

    /**
     * The card of the benchmark with the judgements of another split: results of the two are never mistaken for each other.
     *
     * @param qrels the file of judgements, of all of which only this one's digest is kept
     */
    DatasetCard ofSplit(String split, String qrels) {
        Map<String, String> sums = new LinkedHashMap<>(sha256);
        sums.keySet().removeIf(file -> file.startsWith("qrels/") && !file.equals(qrels));
        return new DatasetCard(
                name + "-" + split,
                language,
                queryLanguage,
                licence,
                source,
                bucketing,
                citation,
                evidenceText,
                contentFixed,
                sums);
    }

    /** The same card under another name. */
    public DatasetCard withName(String other) {
        return new DatasetCard(
                other,
                language,
                queryLanguage,
                licence,
                source,
                bucketing,
                citation,
                evidenceText,
                contentFixed,
                sha256);
    }

    /** The same card for queries in another language than the passages. */
    public DatasetCard withQueryLanguage(String other) {
        return new DatasetCard(
                name, language, other, licence, source, bucketing, citation, evidenceText, contentFixed, sha256);
    }

    /** The same card with a licence. */
    public DatasetCard withLicence(String other) {
        return new DatasetCard(
                name, language, queryLanguage, other, source, bucketing, citation, evidenceText, contentFixed, sha256);
    }

    /** The same card from somewhere more exactly. */
    public DatasetCard withSource(String other) {
        return new DatasetCard(
                name, language, queryLanguage, licence, other, bucketing, citation, evidenceText, contentFixed, sha256);
    }

    /** The same card for a benchmark of {@linkplain Query.Variant variants}. */
    public DatasetCard withContentFixed(String how) {
        return new DatasetCard(
                name, language, queryLanguage, licence, source, bucketing, citation, evidenceText, how, sha256);
    }

    /** The same card with other buckets. */
    public DatasetCard withBucketing(String other) {
        return new DatasetCard(
                name, language, queryLanguage, licence, source, other, citation, evidenceText, contentFixed, sha256);
    }

    /** The same with position buckets where it has none. */
    public DatasetCard orBucketing(String usual) {
        return bucketing.isEmpty() ? withBucketing(usual) : this;
    }

    /** The same card with positions measured in another text. */
    public DatasetCard withEvidenceText(EvidenceText other) {
        return new DatasetCard(
                name, language, queryLanguage, licence, source, bucketing, citation, other, contentFixed, sha256);
    }

    /** This card, with what it leaves empty taken from another one. */
    public DatasetCard orElse(DatasetCard other) {
        return new DatasetCard(
                name,
                first(language, other.language),
                first(queryLanguage, other.queryLanguage),
                first(licence, other.licence),
                first(source, other.source),
                first(bucketing, other.bucketing),
                first(citation, other.citation),
                other.evidenceText,
                first(contentFixed, other.contentFixed),
                sha256);
    }

    private static String first(String preferred, String fallback) {
        return preferred.isEmpty() ? fallback : preferred;
    }

    /** Reads the card in a folder; a folder without one gets its own name and nothing else. */
    public static DatasetCard read(Path folder) {
        Path file = folder.resolve(DatasetFiles.CARD);
        Path other = folder.resolve("dataset.yml");
        if (Files.exists(other)) {
            throw new BadInputException(Location.of(other), "is not read", "rename it to " + DatasetFiles.CARD);
        }
        if (!Files.exists(file)) {
            Path name = folder.toAbsolutePath().normalize().getFileName();
            return named(name == null ? "dataset" : name.toString());
        }
        Fields fields = Json.readYaml(file);
        fields.refuseOthers(FIELDS);
        String language = fields.text("language", "");
        return new DatasetCard(
                name(fields),
                language,
                fields.text("query_language", language),
                fields.text("licence", ""),
                fields.text("source", ""),
                fields.text("bucketing", ""),
                fields.text("citation", ""),
                evidenceText(fields),
                fields.text("content_fixed", ""),
                sha256(fields));
    }

    /** Writes the card into a folder. */
    public void write(Path folder) {
        Path file = folder.resolve(DatasetFiles.CARD);
        DatasetCard written = queryLanguage.equals(language) ? withQueryLanguage("") : this;
        Problems.tried("write", file, () -> Files.writeString(file, Json.toYaml(written)));
    }

    /** Whether a benchmark may be called so: a name becomes part of result paths and must stay inside its folder. */
    public static boolean isName(String text) {
        return FileNames.staysInside(text) && text.matches("[\\p{L}\\p{N}._/-]+");
    }

    private static String name(Fields fields) {
        String name = fields.id("name");
        if (!isName(name)) {
            throw fields.bad("name", "is " + Printable.quoted(name), NAME_RULE);
        }
        return name;
    }

    private static EvidenceText evidenceText(Fields fields) {
        String word = fields.text("evidence_text", EvidenceText.PASSAGE.word());
        return Arrays.stream(EvidenceText.values())
                .filter(text -> text.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        fields.bad("evidence_text", "is " + Printable.quoted(word), "it must be passage or original"));
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
