package io.posbias.study.build.llm;

import io.posbias.base.json.Json;
import io.posbias.study.build.llm.LanguageModel.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;

/**
 * Parsers of replies. Problems are fixed phrases, by which they are counted. JSON may be surrounded by other text,
 * for example a Markdown fence: it is read from the first bracket to the last.
 */
public final class ModelReplies {
    public static final String REFUSED = "the model refused";
    public static final String EMPTY = "the reply is empty";

    private static final TypeReference<List<@Nullable Object>> LIST = new TypeReference<>() {};
    private static final TypeReference<Map<String, @Nullable Object>> RECORD = new TypeReference<>() {};
    private static final Pattern GRADE = Pattern.compile("[\\s\"'*`]*([0-4])[\\s\"'*`.]*");
    private static final Pattern YES_OR_NO = Pattern.compile("^\\W*(yes|no)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern REFUSAL = Pattern.compile(
            "^\\W*(?:(?:i(?:'|’)?m|i am) (?:really |very |so )?(?:sorry|unable|not able)|sorry,|i"
                    + " (?:can(?:'|’)t|cannot|can not|won(?:'|’)t|must decline)|unfortunately, i |as an"
                    + " ai|抱歉|很抱歉|对不起|我无法|我不能)",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

    private ModelReplies() {}

    /**
     * A question written by a model.
     *
     * @param type in the model's words; may be empty
     */
    public record Question(String question, String answer, String type) {
        public boolean isComplete() {
            return !question.isEmpty() && !answer.isEmpty();
        }
    }

    /** Parses a text; empty texts and refusals are problems. */
    public static Answer<String> text(String reply) {
        String text = reply.strip();
        return text.isEmpty() ? Answer.problem(EMPTY) : isRefusal(text) ? Answer.problem(REFUSED) : Answer.of(text);
    }

    /**
     * Who asks about a document.
     *
     * @param difficulty high school, university or PhD
     * @param length in words: under 10, 10-20 or over 20
     */
    public record Configuration(String persona, String difficulty, String length) {}

    /** Parses a JSON record with {@code persona}, {@code difficulty} and {@code length}. */
    public static Answer<Configuration> configuration(String reply) {
        Map<String, @Nullable Object> record = json(reply, '{', '}', RECORD).orElse(Map.of());
        Optional<String> difficulty = oneOf(word(record, "difficulty"), List.of("high school", "university", "PhD"));
        Optional<String> length = oneOf(word(record, "length"), List.of("under 10", "10-20", "over 20"));
        String persona = word(record, "persona");
        return persona.isEmpty() || difficulty.isEmpty() || length.isEmpty()
                ? Answer.problem(
                        problem(reply, "the reply is not a JSON record with a persona, a difficulty and a length"))
                : Answer.of(new Configuration(persona, difficulty.get(), length.get()));
    }

    private static Optional<String> oneOf(String word, List<String> known) {
        return known.stream().filter(word::equalsIgnoreCase).findFirst();
    }

    /** Yes or no, and why; the reason may be empty. */
    public record Reasoned(boolean yes, String reasoning) {}

    /** Parses a JSON record with {@code reasoning} and the {@code answer} yes or no, or a reply that begins with one. */
    public static Answer<Reasoned> reasoned(String reply) {
        Map<String, @Nullable Object> record = json(reply, '{', '}', RECORD).orElse(Map.of());
        Answer<Boolean> answer = yesOrNo(record.containsKey("answer") ? word(record, "answer") : reply);
        return answer.value()
                .map(yes -> Answer.of(new Reasoned(yes, word(record, "reasoning"))))
                .orElseGet(() -> Answer.problem(answer.problem()));
    }

    /** Parses a JSON list of records with {@code question}, {@code answer} and {@code type}; the list may be empty. */
    public static Answer<List<Question>> questions(String reply) {
        Optional<List<@Nullable Object>> list = json(reply, '[', ']', LIST);
        if (list.isEmpty() || !list.get().stream().allMatch(Map.class::isInstance)) {
            return Answer.problem(problem(reply, "the reply is not a JSON list of records"));
        }
        List<Question> questions = new ArrayList<>();
        for (Object element : list.get()) {
            if (element instanceof Map<?, ?> record) {
                questions.add(new Question(word(record, "question"), word(record, "answer"), word(record, "type")));
            }
        }
        return Answer.of(questions);
    }

    /** Parses the field {@code reference} of a JSON record; may be empty. */
    public static Answer<String> reference(String reply) {
        return json(reply, '{', '}', RECORD)
                .filter(record -> record.get("reference") instanceof String)
                .map(record -> Answer.of(word(record, "reference")))
                .orElseGet(() -> Answer.problem(problem(reply, "the reply is not a JSON record with a reference")));
    }

    /** Parses a grade from 0 to 4 without other text. */
    public static Answer<Integer> grade(String reply) {
        Matcher grade = GRADE.matcher(reply);
        return grade.matches()
                ? Answer.of(Integer.valueOf(grade.group(1)))
                : Answer.problem("the reply is not a number from 0 to 4");
    }

    /** Parses a JSON record with a rating from 1 to 5 for each dimension. */
    public static Answer<Map<String, Integer>> ratings(String reply, List<String> dimensions) {
        Map<String, Integer> ratings = new LinkedHashMap<>();
        json(reply, '{', '}', RECORD)
                .ifPresent(record -> dimensions.forEach(dimension -> {
                    if (record.get(dimension) instanceof Integer rating && rating >= 1 && rating <= 5) {
                        ratings.put(dimension, rating);
                    }
                }));
        return ratings.size() == dimensions.size()
                ? Answer.of(ratings)
                : Answer.problem(problem(reply, "the reply is not a JSON record of ratings from 1 to 5"));
    }

    /** Parses a reply that begins with yes or no. */
    public static Answer<Boolean> yesOrNo(String reply) {
        Matcher word = YES_OR_NO.matcher(reply);
        return word.find()
                ? Answer.of(word.group(1).equalsIgnoreCase("yes"))
                : Answer.problem("the reply is neither yes nor no");
    }

    /** True for refusals in English or Chinese. */
    public static boolean isRefusal(String reply) {
        return REFUSAL.matcher(reply).find();
    }

    private static String problem(String reply, String otherwise) {
        return reply.isBlank() ? EMPTY : isRefusal(reply) ? REFUSED : otherwise;
    }

    private static String word(Map<?, ?> record, String field) {
        return record.get(field) instanceof String text ? text.strip() : "";
    }

    private static <T> Optional<T> json(String reply, char open, char close, TypeReference<T> type) {
        int from = reply.indexOf(open);
        int to = reply.lastIndexOf(close);
        if (from < 0 || to < from) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Json.mapper()
                    .readerFor(type)
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readValue(reply.substring(from, to + 1)));
        } catch (JacksonException malformed) {
            return Optional.empty();
        }
    }
}
