package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.base.stats.Quartiles;
import io.posbias.data.dataset.Language;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import io.posbias.study.build.text.TranslationCleaning;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cleans translations in three steps, as PosIR does (arXiv:2601.08363, appendix B): removes first lines that
 * announce a translation; drops refusals; drops documents whose length is an outlier in their language ({@link
 * Bounds}). A query is dropped with its document. Originals pass.
 *
 * @param unit of lengths; the paper counts tokens of Qwen3
 * @param upper outlier factor above the third quartile, in interquartile ranges
 * @param lower outlier factor below the first quartile
 * @param model the role that confirms refusals found by phrase; null: the phrases decide. It reads the first 1,500 characters;
 *     after an unreadable reply the phrases decide
 * @param prompt with {@code {text}} and {@code {language}}; null: {@code refusal}
 * @param words phrases of announcements and refusals: {@code translations} or a YAML file
 */
record CleanStage(
        @Setting(usual = "characters") LengthUnit unit,
        @Setting(usual = "1.5", least = 0) double upper,
        @Setting(usual = "3", least = 0) double lower,
        @Setting(usual = "translations") TranslationCleaning words,
        @Nullable String model,
        @Nullable Prompt prompt)
        implements Stage {
    CleanStage {
        PromptedModel.check(model, prompt, List.of("text", "language"));
    }

    private Optional<PromptedModel<Boolean>> asked() {
        return Optional.ofNullable(model)
                .map(role -> new PromptedModel<>(
                        role, prompt == null ? Prompt.find("refusal") : prompt, ModelReplies::yesOrNo));
    }

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.LANGUAGE);
    }

    @Override
    public Object inputs(StageContext context) {
        return List.of(
                words.toString(),
                unit.inputs(context),
                asked().<Object>map(asked -> asked.inputs(context)).orElse(""));
    }

    private static String textField(Candidate candidate) {
        return candidate.has(Candidate.QUESTION) ? Candidate.QUESTION : Candidate.TEXT;
    }

    private static String documentOf(Candidate candidate) {
        return candidate.language() + "\n" + candidate.document();
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Set<String> refusals = refusals(candidates, out, context);
        ToIntFunction<String> length = unit.counter(context);
        Map<String, Bounds> bounds = bounds(candidates, refusals, length);
        Set<String> dropped = new HashSet<>();
        candidates.forEach(
                candidate -> isDocument(candidate)
                        && !problem(candidate, refusals, length, bounds).isEmpty(),
                candidate -> dropped.add(documentOf(candidate)));
        long[] prefixes = {0};
        candidates.forEach(candidate -> {
            if (!candidate.has(Candidate.LANGUAGE)) {
                out.keep(candidate);
                return;
            }
            String field = textField(candidate);
            String text = cleaned(candidate);
            prefixes[0] += text.equals(candidate.text(field)) ? 0 : 1;
            String problem = problem(candidate, refusals, length, bounds);
            boolean query = candidate.has(Candidate.QUESTION);
            if (!problem.isEmpty()) {
                out.drop(candidate, problem + (query ? " (query)" : " (document)"));
            } else if (query && dropped.contains(documentOf(candidate))) {
                out.drop(candidate, "its document was dropped");
            } else {
                out.keep(candidate.with(field, text));
            }
        });
        out.note("prefixes taken off", prefixes[0]);
        out.note("bounds", bounds);
    }

    private Set<String> refusals(Candidates candidates, Candidates.Sink out, StageContext context) {
        Set<String> found = new HashSet<>();
        Consumer<Consumer<Candidate>> suspects = visitor -> candidates.forEach(
                candidate ->
                        candidate.has(Candidate.LANGUAGE) && words.isRefusal(cleaned(candidate), candidate.language()),
                visitor);
        suspects.accept(candidate -> found.add(candidate.id()));
        asked().ifPresent(asked -> {
            out.note("refusals by phrase", found.size());
            asked.<Candidate>ask(
                    suspects,
                    candidate -> List.of(Map.of(
                            "text", TranslationCleaning.front(cleaned(candidate)),
                            "language", Language.name(candidate.language()))),
                    (candidate, answers) -> {
                        if (!answers.getFirst().value().orElse(true)) {
                            found.remove(candidate.id());
                        }
                    },
                    context);
            out.note("refusals confirmed", found.size());
        });
        return found;
    }

    private static boolean isDocument(Candidate candidate) {
        return candidate.has(Candidate.LANGUAGE) && !candidate.has(Candidate.QUESTION);
    }

    private String cleaned(Candidate candidate) {
        return words.withoutPrefix(candidate.text(textField(candidate)), candidate.language());
    }

    private String problem(
            Candidate candidate, Set<String> refusals, ToIntFunction<String> length, Map<String, Bounds> bounds) {
        if (refusals.contains(candidate.id())) {
            return "refusal";
        }
        Bounds bound = bounds.get(candidate.language());
        boolean fits = candidate.has(Candidate.QUESTION)
                || bound == null
                || bound.holds(length.applyAsInt(cleaned(candidate)));
        return fits ? "" : "length";
    }

    private Map<String, Bounds> bounds(Candidates candidates, Set<String> refusals, ToIntFunction<String> length) {
        Map<String, IntStream.Builder> lengths = new TreeMap<>();
        candidates.forEach(
                candidate -> isDocument(candidate) && !refusals.contains(candidate.id()),
                candidate -> lengths.computeIfAbsent(candidate.language(), first -> IntStream.builder())
                        .add(length.applyAsInt(cleaned(candidate))));
        Map<String, Bounds> bounds = new TreeMap<>();
        lengths.forEach(
                (language, all) -> bounds.put(language, Bounds.of(all.build().toArray(), lower, upper)));
        return bounds;
    }

    /**
     * Length bounds of outliers, in interquartile ranges below Q1 and above Q3. PosIR (arXiv:2601.08363, appendix B)
     * calls them asymmetric; the maxima of its Table 4 agree with an upper factor of 1.5. The lower factor of 3 is
     * our choice.
     */
    record Bounds(double lower, double upper) {
        static Bounds of(int[] lengths, double below, double above) {
            Quartiles quartiles = Quartiles.of(IntStream.of(lengths));
            return of(quartiles.q1(), quartiles.q3(), below, above);
        }

        static Bounds of(double first, double third, double below, double above) {
            double range = third - first;
            return new Bounds(first - below * range, third + above * range);
        }

        boolean holds(int length) {
            return length >= lower && length <= upper;
        }
    }
}
