package io.posbias.study.calibrate;

import io.posbias.data.dataset.Sentences;
import io.posbias.study.diagnose.NeedleDiagnosis;
import io.posbias.study.probe.ProbeItem;
import io.posbias.study.probe.redocred.RedocredProbes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Probes as {@code probe build} makes them of articles, made of random words: the same texts, put together in the same
 * order. A question is three words, the head of a relation between two others. Nothing but what a probe puts there holds
 * any of the three, so every score but for noise is known beforehand ({@link ExpectedEffects}).
 *
 * <p>Every thing has two names, w7 and v7. Texts are of the first kind, but for the head in {@code literal}.
 */
public final class PlantedProbes {
    /** Where the sentence that answers is in {@code moving}, from 1. */
    public static final int PLACES = 5;

    static final int SENTENCE = 10;

    /** Sentences of the donor's on either side of the evidence, in {@code foil} and {@code poison}. */
    static final int DONATED = 4;

    static final int DONOR_SENTENCE = 15;

    static final int ASKED = 3;

    private static final int REPEATING = 2;
    private static final String LONG = "long";
    private static final String SHORT = "short";

    private final Random random;
    private final List<ProbeItem> items = new ArrayList<>();
    private final String id;
    private final Set<String> known = new HashSet<>();
    private final List<String> asked;
    private final String head;
    private final List<String> evidence;
    private final List<String> rest;

    private PlantedProbes(String id, Random random) {
        this.id = id;
        this.random = random;
        this.asked = Stream.generate(this::word).limit(ASKED).toList();
        this.head = asked.get(1);
        this.evidence = holding(asked);
        this.rest =
                Stream.generate(() -> text(words(SENTENCE))).limit(PLACES - 1).toList();
    }

    private static String other(String word) {
        return "v" + PlantedBenchmark.concept(word);
    }

    public static List<ProbeItem> items(int queries, long seed) {
        Random random = new Random(seed);
        return IntStream.range(0, queries)
                .mapToObj(query -> new PlantedProbes("q" + query, random).plant())
                .flatMap(List::stream)
                .toList();
    }

    private List<ProbeItem> plant() {
        String e = text(evidence);
        String headOnly = text(holding(List.of(head)));
        String all = String.join(" ", rest);
        add("answer", e + " " + all, headOnly + " " + all);
        add("brevity", e, e + " " + all);
        foil("foil", headOnly);
        // The wrong answer is no word of the question: the evidence, with other words around those asked for.
        foil("poison", headOnly + " " + text(holding(asked)));
        literal();
        for (int place = 1; place <= PLACES; place++) {
            items.add(new ProbeItem(
                    RedocredProbes.type("moving"),
                    id,
                    question(),
                    at(place, e),
                    null,
                    Map.of("position", String.valueOf(place))));
        }
        insertion();
        add("position", e + " " + all, all + " " + e);
        add("repetition", e + repeating(List.of(head)), e + repeating(List.of()));
        return items;
    }

    private String question() {
        return String.join(" ", asked);
    }

    /** A word that neither the question nor its other names hold, and that is noted as known. */
    private String word() {
        String word = words(1).getFirst();
        known.add(word);
        return word;
    }

    private List<String> words(int count) {
        List<String> words = new ArrayList<>();
        while (words.size() < count) {
            String word = PlantedBenchmark.words(1, random).getFirst();
            if (!known.contains(word)) {
                words.add(word);
            }
        }
        return words;
    }

    private List<String> holding(List<String> some) {
        List<String> words = words(SENTENCE - some.size());
        some.forEach(word -> words.add(random.nextInt(words.size() + 1), word));
        return words;
    }

    private String at(int place, String sentence) {
        List<String> text = new ArrayList<>(rest);
        text.add(place - 1, sentence);
        return String.join(" ", text);
    }

    private String repeating(List<String> some) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < REPEATING; i++) {
            text.append(' ').append(text(holding(some)));
        }
        return text.toString();
    }

    /** The evidence between a donor's sentences against the head named twice and some more. */
    private void foil(String probe, String more) {
        List<String> between = new ArrayList<>();
        for (int i = 0; i < 2 * DONATED; i++) {
            between.add(text(words(DONOR_SENTENCE)));
        }
        between.add(DONATED, text(evidence));
        add(probe, String.join(" ", between), head + " " + head + " " + more);
    }

    private void literal() {
        int place = (PLACES + 1) / 2;
        String named = at(place, text(evidence));
        String renamed = at(place, renamed(evidence));
        items.add(new ProbeItem(RedocredProbes.type("literal"), id, question(), named, renamed, names(LONG, SHORT)));
        items.add(
                new ProbeItem(RedocredProbes.type("literal"), id, renamed(asked), renamed, named, names(SHORT, LONG)));
    }

    private String renamed(List<String> words) {
        return text(words.stream()
                .map(word -> word.equals(head) ? other(head) : word)
                .toList());
    }

    private static Map<String, String> names(String query, String second) {
        return Map.of("query_name", query, "name1", query, "name2", second);
    }

    private void insertion() {
        List<String> sentences = new ArrayList<>(rest);
        sentences.add(PLACES / 2, text(evidence));
        Sentences document = Sentences.of(String.join(PlantedBenchmark.SENTENCE_END, sentences), "en");
        Map<String, String> texts = NeedleDiagnosis.texts(document, null, text(words(SENTENCE)));
        add(
                "insertion",
                Objects.requireNonNull(texts.get("insert end")),
                Objects.requireNonNull(texts.get("insert beginning")));
    }

    private void add(String probe, String text1, String text2) {
        items.add(new ProbeItem(RedocredProbes.type(probe), id, question(), text1, text2, Map.of()));
    }

    private static String text(List<String> words) {
        return String.join(" ", words);
    }
}
