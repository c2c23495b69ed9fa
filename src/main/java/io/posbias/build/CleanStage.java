package io.posbias.build;

import io.posbias.Setting;
import io.posbias.build.text.TranslationCleaning;
import io.posbias.stats.Quartiles;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Cleans translations in three steps, as PosIR does (arXiv:2601.08363, appendix B): removes first lines that
 * announce a translation; drops refusals; drops documents whose length is an outlier in their language ({@link
 * Bounds}). A query is dropped with its document. Originals pass.
 *
 * @param unit of lengths; the paper counts tokens of Qwen3
 * @param upper outlier factor above the third quartile, in interquartile ranges
 * @param lower outlier factor below the first quartile
 * @param words phrases of announcements and refusals: {@code translations} or a YAML file
 */
record CleanStage(
        @Setting(usual = "characters") LengthUnit unit,
        @Setting(usual = "1.5", least = 0) double upper,
        @Setting(usual = "3", least = 0) double lower,
        @Setting(usual = "translations") TranslationCleaning words)
        implements Stage {
    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.LANGUAGE);
    }

    @Override
    public Object inputs(PipelineContext context) {
        return List.of(words.toString(), unit.inputs(context));
    }

    private static String textField(Candidate candidate) {
        return candidate.has(Candidate.QUESTION) ? Candidate.QUESTION : Candidate.TEXT;
    }

    private static String documentOf(Candidate candidate) {
        return candidate.text(Candidate.LANGUAGE) + "\n" + candidate.document();
    }

    @Override
    public void run(Candidates candidates, StageSink out, PipelineContext context) {
        Lengths lengths = new Lengths(unit.counter(context));
        forEachTranslation(candidates, lengths::add);
        Map<String, Bounds> bounds = lengths.bounds();
        Set<String> dropped = new HashSet<>();
        forEachTranslation(candidates, candidate -> {
            if (!candidate.has(Candidate.QUESTION)
                    && !problem(candidate, lengths, bounds).isEmpty()) {
                dropped.add(documentOf(candidate));
            }
        });
        long[] prefixes = {0};
        candidates.forEach(candidate -> {
            if (!candidate.has(Candidate.LANGUAGE)) {
                out.keep(candidate);
                return;
            }
            String field = textField(candidate);
            String text = cleaned(candidate);
            prefixes[0] += text.equals(candidate.text(field)) ? 0 : 1;
            String problem = problem(candidate, lengths, bounds);
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

    private static void forEachTranslation(Candidates candidates, Consumer<Candidate> visitor) {
        candidates.forEach(candidate -> {
            if (candidate.has(Candidate.LANGUAGE)) {
                visitor.accept(candidate);
            }
        });
    }

    private String cleaned(Candidate candidate) {
        return words.withoutPrefix(candidate.text(textField(candidate)), candidate.text(Candidate.LANGUAGE));
    }

    private String problem(Candidate candidate, Lengths lengths, Map<String, Bounds> bounds) {
        String language = candidate.text(Candidate.LANGUAGE);
        String text = cleaned(candidate);
        if (words.isRefusal(text, language)) {
            return "refusal";
        }
        Bounds bound = bounds.get(language);
        boolean fits =
                candidate.has(Candidate.QUESTION) || bound == null || bound.holds(lengths.count.applyAsInt(text));
        return fits ? "" : "length";
    }

    private final class Lengths {
        private final ToIntFunction<String> count;
        private final Map<String, IntStream.Builder> lengths = new TreeMap<>();

        Lengths(ToIntFunction<String> count) {
            this.count = count;
        }

        void add(Candidate candidate) {
            String language = candidate.text(Candidate.LANGUAGE);
            String text = cleaned(candidate);
            if (!candidate.has(Candidate.QUESTION) && !words.isRefusal(text, language)) {
                lengths.computeIfAbsent(language, first -> IntStream.builder()).add(count.applyAsInt(text));
            }
        }

        Map<String, Bounds> bounds() {
            Map<String, Bounds> bounds = new TreeMap<>();
            lengths.forEach((language, all) ->
                    bounds.put(language, Bounds.of(all.build().toArray(), lower, upper)));
            return bounds;
        }
    }

    /**
     * Length bounds of outliers, in interquartile ranges below Q1 and above Q3. PosIR (arXiv:2601.08363, appendix B)
     * calls them asymmetric; the maxima of its Table 4 agree with an upper factor of 1.5. The lower factor of 3 is
     * our choice.
     */
    record Bounds(double lower, double upper) {
        public static Bounds of(int[] lengths, double below, double above) {
            Quartiles quartiles = Quartiles.of(IntStream.of(lengths));
            return of(quartiles.q1(), quartiles.q3(), below, above);
        }

        public static Bounds of(double first, double third, double below, double above) {
            double range = third - first;
            return new Bounds(first - below * range, third + above * range);
        }

        public boolean holds(int length) {
            return length >= lower && length <= upper;
        }
    }
}
