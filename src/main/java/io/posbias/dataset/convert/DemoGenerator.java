package io.posbias.dataset.convert;

import io.posbias.Configs;
import io.posbias.Json;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the demo benchmark: invented places with a village, a bridge, a mill, a museum, a fair and a school each, a
 * passage for each of these, and questions in other words than the passages use. Passages about the same place and about
 * neighbours compete for every question.
 *
 * <p>A passage is ten sentences in random order, so that any of them may come first; a question is asked of the sentence
 * at a chosen place, each tenth of the passage getting as many questions. The same seed gives the same bytes:
 * data/demo is checked in and a test compares.
 */
public final class DemoGenerator implements Converter {
    /** The seed of the benchmark that is checked in. */
    public static final int SEED = 42;

    /** Default position buckets of the demo. */
    public static final String BUCKETING = "relative:5";

    private static final String TEMPLATES = "data/demo-source/templates.yaml";
    private static final int QUERIES = 300;
    private static final Pattern SLOT = Pattern.compile("\\{(\\w+)\\}");

    private final DatasetCard card;
    private final PythonShuffle random;
    private final Templates templates =
            Json.bind(Json.parseYaml(Path.of(TEMPLATES), Configs.read(TEMPLATES)), Templates.class);

    public DemoGenerator(DatasetCard card, int seed) {
        this.card = card;
        this.random = new PythonShuffle(seed);
    }

    private record Templates(
            List<String> places, List<String> people, Map<String, List<String>> slots, Map<String, List<Fact>> kinds) {}

    private record Fact(String sentence, String question) {}

    private record Article(Passage passage, List<Fact> facts) {}

    @Override
    public DatasetCard convert(DatasetWriter out) {
        List<Article> articles = new ArrayList<>();
        templates
                .kinds()
                .forEach((kind, facts) ->
                        templates.places().forEach(place -> articles.add(article(kind, place, facts))));
        articles.forEach(article -> out.passage(article.passage()));
        List<Article> asked = new ArrayList<>(articles);
        random.shuffle(asked);
        for (int i = 0; i < QUERIES; i++) {
            ask(asked.get(i % asked.size()), i, out);
        }
        return card;
    }

    private Article article(String kind, String place, List<Fact> sentences) {
        List<String> others = new ArrayList<>(templates.places());
        others.remove(place);
        random.shuffle(others);
        List<Fact> facts = new ArrayList<>();
        for (Fact template : sentences) {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("place", place);
            values.put("other", others.get(0));
            values.put("third", others.get(1));
            values.put("person", choose(templates.people()));
            templates.slots().forEach((slot, words) -> values.put(slot, choose(words)));
            facts.add(new Fact(fill(template.sentence(), values), fill(template.question(), values)));
        }
        random.shuffle(facts);
        String id = kind + "-" + place.toLowerCase(Locale.ROOT).replace(' ', '-');
        String text = String.join(" ", facts.stream().map(Fact::sentence).toList());
        return new Article(new Passage(id, "", text), facts);
    }

    private static void ask(Article article, int number, DatasetWriter out) {
        List<Fact> facts = article.facts();
        int place = (number + number / facts.size()) % facts.size();
        int start = 0;
        for (Fact before : facts.subList(0, place)) {
            start += CodePoints.count(before.sentence()) + 1;
        }
        Fact fact = facts.get(place);
        int end = start + CodePoints.count(fact.sentence());
        int length = CodePoints.count(article.passage().text());
        Evidence evidence = new Evidence(start, end, length, Evidence.UNKNOWN, List.of(), null);
        String id = "q" + DistinctTexts.padded(number, 3);
        out.query(new Query(id, fact.question(), evidence));
        out.judgment(id, article.passage().id(), 1);
    }

    private String choose(List<String> words) {
        List<String> shuffled = new ArrayList<>(words);
        random.shuffle(shuffled);
        return shuffled.getFirst();
    }

    private static String fill(String template, Map<String, String> values) {
        return SLOT.matcher(template)
                .replaceAll(slot -> Matcher.quoteReplacement(values.getOrDefault(slot.group(1), slot.group())));
    }
}
