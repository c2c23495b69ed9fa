package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.posbias.base.files.Staging;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.RowFile;
import io.posbias.model.chat.CachedChat;
import io.posbias.study.build.llm.LanguageModel;
import io.posbias.study.build.llm.LanguageModel.Answer;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import io.posbias.study.build.text.BoundedDraw;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ratings of translations by a language model on four dimensions from 1 to 5, as in Table 7 and Figure 7 of PosIR
 * (arXiv:2601.08363, appendix B.1). The overall rating is the mean of the dimensions.
 */
public final class TranslationRatings {
    public static final List<String> DIMENSIONS = List.of("fluency", "accuracy", "completeness", "style");

    private TranslationRatings() {}

    /**
     * A document and its translation.
     *
     * @param language ISO 639-1 code
     * @param system translation system; may be empty
     */
    public record Pair(
            @Setting(identifier = true) String id,
            String language,
            @Setting(usual = "''") String system,
            String source,
            String translation) {}

    public record Rated(Pair pair, Map<String, Integer> ratings) {
        double overall() {
            return ratings.values().stream()
                    .mapToInt(Integer::intValue)
                    .average()
                    .orElseThrow();
        }

        private Map<String, Object> row() {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("id", pair.id());
            row.put("language", pair.language());
            if (!pair.system().isEmpty()) {
                row.put("system", pair.system());
            }
            row.putAll(ratings);
            row.put("overall", overall());
            return row;
        }
    }

    /**
     * Reads the translated documents of a construction, or rows with {@code id}, {@code language}, {@code source},
     * {@code translation} and optionally {@code system}.
     *
     * @param n documents to draw, with all their translations: per length bucket of a construction, or in all; null: all
     */
    public static List<Pair> read(Path input, @Nullable Integer n, long seed) {
        return Files.isDirectory(input) ? constructed(input, n, seed) : rows(input, n, seed);
    }

    private static List<Pair> constructed(Path folder, @Nullable Integer n, long seed) {
        Funnel built = new Funnel(PipelineRecord.read(folder), folder);
        Consumer<Consumer<Candidate>> translations = visitor -> built.lastCandidates()
                .forEach(candidate -> candidate.has(Candidate.LANGUAGE) && candidate.has(Candidate.TEXT), visitor);
        Map<String, String> buckets = new LinkedHashMap<>();
        translations.accept(candidate ->
                buckets.put(candidate.document(), candidate.fields().text(Candidate.BUCKET, "")));
        Set<String> drawn = draw(buckets, n, seed);
        List<Pair> pairs = new ArrayList<>();
        try (SourceDocuments originals = built.documents()) {
            translations.accept(candidate -> {
                if (drawn.contains(candidate.document())) {
                    pairs.add(new Pair(
                            candidate.document(),
                            candidate.language(),
                            "",
                            originals.text(candidate.document()),
                            candidate.text(Candidate.TEXT)));
                }
            });
        }
        if (pairs.isEmpty()) {
            throw new PosbiasException(folder + " contains no translated documents");
        }
        return pairs;
    }

    private static List<Pair> rows(Path file, @Nullable Integer n, long seed) {
        List<Pair> pairs = new ArrayList<>();
        Map<String, String> buckets = new LinkedHashMap<>();
        RowFile.open(file).forEach(row -> {
            Pair pair = Json.row(row, Pair.class);
            String language = Language.code(pair.language);
            pairs.add(new Pair(pair.id, language, pair.system, pair.source, pair.translation));
            buckets.put(pair.id, "");
        });
        if (pairs.isEmpty()) {
            throw new BadInputException(
                    Location.of(file),
                    "contains no translation",
                    "give rows with id, language, source and translation");
        }
        Set<String> drawn = draw(buckets, n, seed);
        return pairs.stream().filter(pair -> drawn.contains(pair.id())).toList();
    }

    private static Set<String> draw(Map<String, String> buckets, @Nullable Integer n, long seed) {
        Map<String, BoundedDraw<String>> draws = new TreeMap<>();
        buckets.forEach((id, bucket) -> draws.computeIfAbsent(
                        bucket, none -> new BoundedDraw<>(seed, n == null ? Long.MAX_VALUE : n))
                .add(id, id));
        return draws.values().stream().flatMap(draw -> draw.drawn().stream()).collect(Collectors.toSet());
    }

    /**
     * Rates translations; those without a readable reply after a second try are left out and reported.
     *
     * @param model the judge's name at its service
     * @param prompt name or file, with {@code {language}}, {@code {source}} and {@code {translation}}
     */
    public static List<Rated> rate(List<Pair> pairs, CachedChat chat, String model, String prompt, Session session) {
        LanguageModel judge = new LanguageModel(chat, model);
        Prompt asked = Prompt.find(prompt);
        asked.allow(List.of("language", "source", "translation"));
        Iterator<Answer<Map<String, Integer>>> answers = judge.ask(
                        pairs.stream().map(pair -> question(pair, asked)).toList(),
                        reply -> ModelReplies.ratings(reply, DIMENSIONS))
                .iterator();
        List<Rated> rated = pairs.stream()
                .flatMap(pair -> answers.next().value().map(ratings -> new Rated(pair, ratings)).stream())
                .toList();
        if (rated.size() < pairs.size()) {
            session.say(Plural.of(pairs.size() - rated.size(), "translation") + " left out: the reply has no ratings");
        }
        if (rated.isEmpty()) {
            throw new PosbiasException("no reply of " + judge.name() + " has ratings");
        }
        return rated;
    }

    private static String question(Pair pair, Prompt prompt) {
        return prompt.fill(Map.of(
                "language", Language.name(pair.language()),
                "source", pair.source(),
                "translation", pair.translation()));
    }

    /** Writes the ratings as JSON lines, completely or not at all. */
    public static void write(List<Rated> rated, Path file) {
        Staging.writeFile(file, Json.toLines(rated.stream().map(Rated::row).toList()));
    }

    /** Mean ratings of a system's translations into a language. */
    public record Mean(
            @Meaning("translation system; empty without a name")
            String system,

            @Meaning("target language; `all` for all of them")
            String language,

            @Meaning("rated translations") int translations,

            @JsonAnyGetter
            @Meaning(value = "mean rating of a dimension, 1 to 5, and the mean of these", unit = "number")
            Map<String, Double> means) {
        private static Mean of(String system, String language, List<Rated> rated) {
            Map<String, Double> means = new LinkedHashMap<>();
            for (String dimension : DIMENSIONS) {
                means.put(
                        dimension,
                        rated.stream()
                                .mapToInt(each ->
                                        Objects.requireNonNull(each.ratings().get(dimension)))
                                .average()
                                .orElseThrow());
            }
            means.put(
                    "overall",
                    rated.stream().mapToDouble(Rated::overall).average().orElseThrow());
            return new Mean(system, language, rated.size(), means);
        }
    }

    /** Returns the means by system and language, and of each system's languages together. */
    public static List<Mean> means(List<Rated> rated) {
        Map<String, Map<String, List<Rated>>> groups = rated.stream()
                .collect(Collectors.groupingBy(
                        each -> each.pair().system(),
                        TreeMap::new,
                        Collectors.groupingBy(each -> each.pair().language(), TreeMap::new, Collectors.toList())));
        List<Mean> means = new ArrayList<>();
        groups.forEach((system, languages) -> {
            languages.forEach((language, own) -> means.add(Mean.of(system, language, own)));
            if (languages.size() > 1) {
                means.add(Mean.of(
                        system,
                        "all",
                        languages.values().stream().flatMap(List::stream).toList()));
            }
        });
        return means;
    }

    private static final RecordCsv<Mean> LINES = new RecordCsv<>(Mean.class);

    public static Table table(String title, List<Mean> rows) {
        Columns<Mean> columns = new Columns<Mean>()
                .label("system", mean -> mean.system().isEmpty() ? NumberFormat.NONE : mean.system())
                .label("language", Mean::language)
                .text("translations", Mean::translations);
        rows.getFirst()
                .means()
                .keySet()
                .forEach(name -> columns.number(
                        name, NumberFormat.STRENGTH, mean -> mean.means().get(name)));
        return columns.table(title, rows, List.of());
    }

    public static Table raw(List<Mean> rows) {
        return LINES.table(rows);
    }

    public static List<RecordCsv.Described> columns() {
        Map<String, Integer> ratings = DIMENSIONS.stream().collect(Collectors.toMap(name -> name, name -> 1));
        return LINES.described(Mean.of("", "", List.of(new Rated(new Pair("", "", "", "", ""), ratings))));
    }
}
