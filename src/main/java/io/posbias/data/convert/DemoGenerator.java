package io.posbias.data.convert;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Generator of the demo benchmark: invented places with a passage each about the village, its bridge, mill, museum, fair and
 * school. Passages about the same place and about its neighbours compete for every question.
 *
 * <p>A passage is 8 to 18 sentences in random order under a title. Models that read 256 tokens cut the longer half. Each fifth
 * of the passage gets the same number of questions. The same seed gives the same bytes: a test compares data/demo, which is
 * checked in.
 */
public final class DemoGenerator implements Converter {
    /** The seed of the benchmark that is checked in. */
    public static final int SEED = 42;

    private static final String TEMPLATES = "data/demo-source/templates.yaml";
    private static final int QUERIES = 1200;
    private static final int SHORTEST = 14;
    private static final int TENTHS = 10;

    /** Tenths between two questions on one passage: far enough for another sentence. */
    private static final int STEP = 2;

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
            List<String> places, List<String> people, Map<String, List<String>> slots, Map<String, Kind> kinds) {}

    private record Kind(String title, List<Fact> facts) {}

    private record Fact(String sentence, String question) {}

    private record Article(Passage passage, List<Fact> facts) {}

    @Override
    public DatasetCard convert(DatasetWriter out) {
        List<Article> articles = new ArrayList<>();
        templates
                .kinds()
                .forEach((name, kind) -> templates.places().forEach(place -> articles.add(article(name, place, kind))));
        articles.forEach(article -> out.passage(article.passage()));
        List<Article> asked = new ArrayList<>(articles);
        random.shuffle(asked);
        for (int i = 0; i < QUERIES; i++) {
            int turn = i / asked.size();
            ask(asked.get(i % asked.size()), (i + STEP * turn) % TENTHS, i, out);
        }
        return card;
    }

    private Article article(String name, String place, Kind kind) {
        List<String> others = new ArrayList<>(templates.places());
        others.remove(place);
        random.shuffle(others);
        List<Fact> facts = new ArrayList<>();
        for (Fact template : kind.facts()) {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("place", place);
            values.put("other", others.get(0));
            values.put("third", others.get(1));
            values.put("person", choose(templates.people()));
            templates.slots().forEach((slot, words) -> values.put(slot, choose(words)));
            facts.add(new Fact(fill(template.sentence(), values), fill(template.question(), values)));
        }
        random.shuffle(facts);
        List<Integer> lengths = new ArrayList<>(
                IntStream.rangeClosed(SHORTEST, facts.size()).boxed().toList());
        random.shuffle(lengths);
        List<Fact> told = facts.subList(0, lengths.getFirst());
        String id = name + "-" + place.toLowerCase(Locale.ROOT).replace(' ', '-');
        String text = String.join(" ", told.stream().map(Fact::sentence).toList());
        return new Article(new Passage(id, fill(kind.title(), Map.of("place", place)), text), told);
    }

    /** Asks for the sentence whose middle is nearest to the middle of a tenth of the passage, within that fifth. */
    private static void ask(Article article, int tenth, int number, DatasetWriter out) {
        int length = CodePoints.count(article.passage().text());
        List<Evidence> spans = new ArrayList<>();
        int start = 0;
        for (Fact fact : article.facts()) {
            int end = start + CodePoints.count(fact.sentence());
            spans.add(Evidence.of(start, end, length));
            start = end + 1;
        }
        double target = (tenth + 0.5) / TENTHS;
        Evidence evidence = spans.stream()
                .filter(span -> (int) (middle(span) * TENTHS / 2) == tenth / 2)
                .min(Comparator.comparingDouble(span -> Math.abs(middle(span) - target)))
                .orElseThrow();
        String id = "q" + DistinctTexts.padded(number, 4);
        out.query(new Query(id, article.facts().get(spans.indexOf(evidence)).question(), evidence));
        out.judgment(id, article.passage().id(), 1);
    }

    private static double middle(Evidence span) {
        return (span.start() + span.end()) / 2.0 / span.textLength();
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
