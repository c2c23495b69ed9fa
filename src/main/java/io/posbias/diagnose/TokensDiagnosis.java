package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Plural;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Progress;
import io.posbias.dataset.Span;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.evaluate.Diagnosis;
import io.posbias.evaluate.Origin;
import io.posbias.evaluate.TextScorer;
import io.posbias.inside.BiasShares;
import io.posbias.inside.Reading;
import io.posbias.inside.TokenDecomposition;
import io.posbias.inside.TokenParts;
import io.posbias.inside.WhiteBoxEngine;
import io.posbias.plot.Figure;
import io.posbias.plot.WordMap;
import io.posbias.plot.WordMaps;
import io.posbias.result.EvaluatedModel;
import io.posbias.retrieve.Recipe;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code diagnose tokens}: scores as sums over pairs of a query's token and a document's token, by DecompX. */
public final class TokensDiagnosis implements Diagnosis<List<TokenMap>, TokensDiagnosis.Found> {
    /** The sum of a matrix may differ from the score by so much, of scores above 1 by that share. */
    public static final double TOLERANCE = 1e-4;

    private final TokenPairs pairs;
    private final BiasShares biases;
    private final double confidence;
    private final List<Integer> shown;

    /**
     * @param biases how biases are shared by tokens
     * @param confidence of all intervals, between 0 and 1
     * @param shown places in {@link TokenPairs#byQuery} of what is drawn
     */
    public TokensDiagnosis(TokenPairs pairs, BiasShares biases, double confidence, List<Integer> shown) {
        this.pairs = pairs;
        this.biases = biases;
        this.confidence = confidence;
        this.shown = List.copyOf(shown);
    }

    /** The name of the benchmark or of the probes. */
    public String name() {
        return pairs.name();
    }

    /** How many pairs of query and text there are. */
    public int pairs() {
        return pairs.size();
    }

    /** How many queries, or items of probes. */
    public int queries() {
        return pairs.byQuery().size();
    }

    @Override
    public String work() {
        return pairs.name() + ": " + Plural.of(pairs.size(), "pair");
    }

    @Override
    public boolean looksInside() {
        return true;
    }

    /**
     * Takes scores apart, each text once, whatever the number of its queries.
     *
     * @throws PosbiasException if the numbers of a pair do not sum to the score that the retriever gives
     */
    @Override
    public List<TokenMap> score(Recipe recipe, Engine engine) {
        List<TextScorer.TitledPair> texts = pairs.all().stream()
                .map(pair -> new TextScorer.TitledPair(pair.query(), pair.document()))
                .toList();
        double[] scores = new TextScorer(texts, pairs.language(), pairs.queryLanguage()).score(recipe, engine);
        Map<String, List<Integer>> byText = IntStream.range(0, pairs.size())
                .boxed()
                .collect(Collectors.groupingBy(
                        i -> pairs.all().get(i).document(), LinkedHashMap::new, Collectors.toList()));
        TokenMap[] maps = new TokenMap[pairs.size()];
        try (TokenDecomposition model = WhiteBoxEngine.find().decomposition(recipe, biases, engine);
                Progress.Step step =
                        engine.progress().start("take scores of " + recipe.name() + " apart", byText.size())) {
            byText.forEach((text, places) -> {
                Reading read = model.read(text, Role.PASSAGE);
                TokenParts own = model.of(text, Role.PASSAGE);
                for (int place : places) {
                    String query = pairs.all().get(place).query();
                    maps[place] = checked(
                            recipe,
                            new TokenMap(
                                    pairs.all().get(place),
                                    scores[place],
                                    model.read(query, Role.QUERY),
                                    read,
                                    model.of(query, Role.QUERY).products(own)));
                }
                step.advance(1);
            });
        }
        return Arrays.stream(maps).map(Objects::requireNonNull).toList();
    }

    private static TokenMap checked(Recipe recipe, TokenMap map) {
        if (!(map.difference() <= TOLERANCE * Math.max(1, Math.abs(map.score())))) {
            throw new PosbiasException(String.format(
                    Locale.ROOT,
                    "%s: the parts of query %s and its text sum to %.6f, their score is %.6f; the forward pass that"
                            + " 'transformer' in the recipe names is not that of the ONNX file",
                    recipe.name(),
                    Printable.quoted(map.pair().id()),
                    map.sum(),
                    map.score()));
        }
        return map;
    }

    /**
     * What was found of a model.
     *
     * @param maps of all pairs
     */
    public record Found(List<TokenMap> maps, TokenProfile profile) {}

    @Override
    public Found find(List<TokenMap> scores, Map<String, Found> earlier) {
        return new Found(scores, TokenProfile.of(pairs, scores, confidence));
    }

    /** What result.json holds. */
    public record Document(@JsonUnwrapped Origin origin, Tokens tokens) {}

    /**
     * The part of result.json that is about tokens.
     *
     * @param biases how biases are shared by tokens
     */
    public record Tokens(String biases, @JsonUnwrapped TokenProfile profile) {}

    @Override
    public Document document(EvaluatedModel model, Found found) {
        return new Document(
                new Origin(
                        Origin.SCHEMA,
                        model.name(),
                        model.sha256(),
                        pairs.itemsSha256(),
                        pairs.name(),
                        pairs.checksums(),
                        pairs.pooled(),
                        confidence),
                new Tokens(biases.toString(), found.profile()));
    }

    /**
     * A token.
     *
     * @param side query or document
     * @param number from 1
     * @param start in code points of its text; null for special tokens and those of a prompt
     * @param sum what it has in the score
     */
    private record Line(
            TokenMap map,
            String side,
            int number,
            String piece,
            @Nullable Integer start,
            @Nullable Integer end,
            double sum) {}

    @Override
    public Table scores(List<TokenMap> scores) {
        List<Line> lines = new ArrayList<>();
        for (TokenMap map : scores) {
            add(map, "query", map.pair().query(), map.asked(), map.askedTotals(), lines);
            add(map, "document", map.pair().document(), map.read(), map.totals(), lines);
        }
        return SCORES.raw(lines);
    }

    private static final Sheet<Line> SCORES = new Sheet<Line>()
            .plain("query", line -> line.map().pair().id())
            .means("identifier of the query")
            .plain("text", line -> line.map().pair().text())
            .means("which text of a probe's item; empty elsewhere")
            .number("score", NumberFormat.ANY_SCORE, line -> line.map().score())
            .means("score of the query and the text")
            .plain("side", Line::side)
            .means("`query` or `document`")
            .plain("token", Line::number)
            .means("number of the token in its row, from 1", "number")
            .plain("piece", Line::piece)
            .means("the token as the tokenizer spells it")
            .plain("start", Line::start)
            .means("where it begins in its text, from 0; empty for special tokens and prompts", "code points")
            .plain("end", Line::end)
            .means("where it ends, exclusive; empty likewise", "code points")
            .number("sum", NumberFormat.ANY_SCORE, Line::sum)
            .means("what it has in the score, with all tokens of the other side");

    /** The columns of {@link #scores}, for the reference. */
    public static Sheet<?> scoreColumns() {
        return SCORES;
    }

    /** The columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return TokenTables.columns();
    }

    private static void add(
            TokenMap map, String side, String text, Reading reading, double[] totals, List<Line> lines) {
        for (int i = 0; i < totals.length; i++) {
            Reading.Token token = reading.tokens().get(i);
            Span span = token.span();
            lines.add(new Line(
                    map,
                    side,
                    i + 1,
                    token.piece(),
                    span == null ? null : (Integer) text.codePointCount(0, span.start()),
                    span == null ? null : (Integer) text.codePointCount(0, span.end()),
                    totals[i]));
        }
    }

    @Override
    public List<Table> tables(Map<String, Found> found) {
        return new TokenTables(pairs, found, confidence).tables();
    }

    @Override
    public Table raw(Map<String, Found> found) {
        return new TokenTables(pairs, found, confidence).raw();
    }

    /** A map of each query that is drawn, for each model; both texts of a probe's item side by side. */
    @Override
    public List<Figure> figures(Map<String, Found> found) {
        List<Figure> figures = new ArrayList<>();
        examples(found)
                .forEach(example -> example.maps().forEach((model, maps) -> {
                    TokenPair pair = maps.getFirst().pair();
                    figures.add(WordMaps.figure(
                            "tokens-" + (figures.size() + 1),
                            model + ", " + pairs.name() + ", query " + pair.id(),
                            words(maps),
                            "Inner products of the parts that the query's and the document's words have in the two vectors"
                                    + " (DecompX); all of a map sum to its score. Colours go with their square root."));
                }));
        return figures;
    }

    /** The maps of a query's texts by words. */
    public List<WordMap> words(List<TokenMap> maps) {
        return maps.stream()
                .map(map -> TokenWords.of(
                        String.format(Locale.ROOT, "%s score %.4f", map.pair().text(), map.score())
                                .strip(),
                        map,
                        pairs))
                .toList();
    }

    /**
     * A query, or an item of a probe, that is shown.
     *
     * @param maps of its one or two texts, by model
     */
    public record Example(Map<String, List<TokenMap>> maps) {
        /** Copies the map. */
        public Example {
            maps = new LinkedHashMap<>(maps);
        }
    }

    /** What is shown of all. */
    public List<Example> examples(Map<String, Found> found) {
        List<List<Integer>> byQuery = pairs.byQuery();
        return shown.stream()
                .map(place -> {
                    Map<String, List<TokenMap>> maps = new LinkedHashMap<>();
                    found.forEach((model, own) -> maps.put(
                            model,
                            byQuery.get(place).stream().map(own.maps()::get).toList()));
                    return new Example(maps);
                })
                .toList();
    }
}
