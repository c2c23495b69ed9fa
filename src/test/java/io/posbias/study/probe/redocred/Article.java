package io.posbias.study.probe.redocred;

import io.posbias.base.json.Json;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;

/**
 * An article in Re-DocRED's form, written by hand. A word {@code {0:PER:Ada_Lovelace}} is a mention of entity 0 of two
 * tokens, {@code {0:PER:Ada_Lovelace=Lovelace}} one whose name is not what the tokens say.
 */
public final class Article {
    private static final Pattern MENTION = Pattern.compile("\\{(\\d+):([A-Z]+):([^=}]+)(?:=([^}]+))?\\}");

    private final String title;
    private final List<List<String>> sentences = new ArrayList<>();
    private final Map<Integer, List<Map<String, Object>>> entities = new TreeMap<>();
    private final List<Map<String, Object>> labels = new ArrayList<>();

    private Article(String title) {
        this.title = title;
    }

    public static Article of(String title, String... sentences) {
        Article article = new Article(title);
        Stream.of(sentences).forEach(article::sentence);
        return article;
    }

    private void sentence(String marked) {
        List<String> tokens = new ArrayList<>();
        for (String word : marked.split(" ", -1)) {
            Matcher mention = MENTION.matcher(word);
            if (!mention.matches()) {
                tokens.add(word);
                continue;
            }
            int from = tokens.size();
            tokens.addAll(List.of(mention.group(3).split("_", -1)));
            String name = Optional.ofNullable(mention.group(4)).orElse(mention.group(3));
            mention(
                    Integer.parseInt(mention.group(1)),
                    mention.group(2),
                    name.replace('_', ' '),
                    sentences.size(),
                    from,
                    tokens.size());
        }
        sentences.add(tokens);
    }

    /** Adds a mention behind those in the sentences, where it cannot be written as one word. */
    public Article mention(int entity, String type, String name, int sentence, int from, int to) {
        Map<String, Object> mention = new LinkedHashMap<>();
        mention.put("name", name);
        mention.put("type", type);
        mention.put("sent_id", sentence);
        mention.put("pos", List.of(from, to));
        entities.computeIfAbsent(entity, unseen -> new ArrayList<>()).add(mention);
        return this;
    }

    public Article label(String relation, int head, int tail, Integer... evidence) {
        labels.add(Map.of("r", relation, "h", head, "t", tail, "evidence", List.of(evidence)));
        return this;
    }

    static Map<String, ?> map(String yaml) {
        return Json.parseYaml(Path.of("expected"), yaml.getBytes(StandardCharsets.UTF_8))
                .toMap();
    }

    private Map<String, Object> toMap() {
        return Map.of(
                "title", title, "sents", sentences, "vertexSet", List.copyOf(entities.values()), "labels", labels);
    }

    public static Path write(Path file, Article... articles) {
        List<Map<String, Object>> documents =
                Stream.of(articles).map(Article::toMap).toList();
        try {
            return Files.write(file, Json.mapper().writeValueAsBytes(documents));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** The pool of all questions about articles, read back from a file; duplicates stay. */
    static QueryPool pool(Article... articles) {
        return QueryPool.of(documents(articles), QuestionTemplates.ALL, true, RedocredCorpus.NONE);
    }

    static List<RedocredDocument> documents(Article... articles) {
        try {
            Path file = write(Files.createTempFile("test-redocred", ".json"), articles);
            try {
                return RedocredReader.read(file, "test");
            } finally {
                Files.delete(file);
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    static List<Map<String, Object>> records(Probe probe, QueryPool pool) {
        return probe.select(pool).queries().stream()
                .flatMap(query -> probe.records(query).stream())
                .map(Article::fields)
                .toList();
    }

    static Map<String, Object> fields(ProbeRecord record) {
        return Json.mapper().convertValue(record, new TypeReference<Map<String, Object>>() {});
    }

    static List<String> ids(Probe probe, QueryPool pool) {
        return probe.select(pool).queries().stream().map(ProbeQuery::id).toList();
    }

    /** What {@code sources1} or {@code sources2} says of an article's sentences, none of them changed. */
    static List<Map<String, Object>> sources(String title, int... sentences) {
        List<Map<String, Object>> sources = new ArrayList<>();
        for (int sentence : sentences) {
            Map<String, Object> source = new LinkedHashMap<>();
            source.put("title", title);
            source.put("sentence", sentence);
            sources.add(source);
        }
        return sources;
    }
}
