package io.posbias.data.dataset;

import io.posbias.base.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Texts of answers and their places. Letters may differ in case, and white space in kind and number: texts are wrapped and
 * capitalised differently where answers were copied from. An absent answer is looked for by its {@link FoldedText}.
 */
public final class Answers {
    static final List<String> FIELDS = List.of("answers", "answer");

    /** Words of notes on answers that stand only so. */
    public static final String FOLDED =
            "but for invisible characters, ligatures, accents' encoding, or kinds of spaces, quotes and hyphens";

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Answers() {}

    /**
     * Reads the texts of a row's answers: {@code answers} or {@code answer} with a text, a list of them, or SQuAD's records
     * with {@code text}; empty without.
     */
    static List<String> read(Fields row) {
        return FIELDS.stream()
                .map(row::raw)
                .map(value -> texts(value).filter(text -> !text.isBlank()).toList())
                .filter(texts -> !texts.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static Stream<String> texts(@Nullable Object value) {
        return switch (value) {
            case String text -> Stream.of(text);
            case Number number -> Stream.of(number.toString());
            case List<?> list -> list.stream().flatMap(Answers::texts);
            case Map<?, ?> record -> texts(record.get("text"));
            case null -> Stream.empty();
            default -> Stream.empty();
        };
    }

    /** Returns the places of an answer in UTF-16 units, in order, without overlaps; none for a blank answer. */
    public static List<Span> places(String text, String answer) {
        String stripped = answer.strip();
        if (stripped.isEmpty()) {
            return List.of();
        }
        List<Span> exact = new ArrayList<>();
        for (int at = text.indexOf(stripped); at >= 0; at = text.indexOf(stripped, at + stripped.length())) {
            exact.add(new Span(at, at + stripped.length()));
        }
        return exact.isEmpty() ? alike(text, stripped) : exact;
    }

    /** Returns the {@link #places} of the answers; of their {@link FoldedText} if none of them has one. */
    static List<Span> places(String text, List<String> answers) {
        List<Span> places = answers.stream()
                .flatMap(answer -> places(text, answer).stream())
                .toList();
        return places.isEmpty()
                ? answers.stream()
                        .flatMap(answer -> folded(text, answer).stream())
                        .toList()
                : places;
    }

    /** Returns the places of an answer's {@link FoldedText}, in UTF-16 units and in order. */
    public static List<Span> folded(String text, String answer) {
        return FoldedText.of(text).places(FoldedText.of(answer));
    }

    /**
     * Returns the first answer that stands in a text; by its {@link FoldedText} if none does otherwise.
     *
     * @param <A> answer with more than its text
     */
    public static <A> Optional<Found<A>> first(String text, List<A> answers, Function<A, String> words) {
        return answers.stream()
                .map(answer -> new Found<>(answer, places(text, words.apply(answer)), false))
                .filter(found -> !found.places.isEmpty())
                .findFirst()
                .or(() -> answers.stream()
                        .map(answer -> new Found<>(answer, folded(text, words.apply(answer)), true))
                        .filter(found -> !found.places.isEmpty())
                        .findFirst());
    }

    /**
     * An answer that stands in a text.
     *
     * @param places in UTF-16 units, in order; at least one
     * @param isFolded true if only the {@link FoldedText} is equal
     */
    public record Found<A>(A answer, List<Span> places, boolean isFolded) {}

    private static List<Span> alike(String text, String answer) {
        String words = SPACE.splitAsStream(answer).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        return Pattern.compile(words, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                .matcher(text)
                .results()
                .map(found -> new Span(found.start(), found.end()))
                .toList();
    }
}
