package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.llm.LanguageModel.Answer;
import io.posbias.build.llm.ModelReplies;
import io.posbias.build.text.BoundedDraw;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a language model says of the margins that rerankers left: per stratum of the margin, how often the segment that a
 * question was written for answers it, and how often the others do not (arXiv:2605.26578). Nothing is dropped; what it found
 * is noted. It also looks at candidates that the stage just before dropped, where they have a margin. Settings:
 *
 * <ul>
 *   <li>{@code model}: the role that is asked
 *   <li>{@code prompt} with {@code {question}} and {@code {passage}}; {@code audit} unless it is said
 *   <li>{@code n}: candidates per stratum, 200 unless it is said (the paper does not say; ours)
 *   <li>{@code borders} and {@code unit} of the segments, as {@link Segments} has them
 *   <li>{@code seed} of the draw
 * </ul>
 *
 * <p>Strata are a margin of 0 or less (the segment is not the best), then 0 to 0.1, 0.1 to 0.2, 0.2 to 0.3, with the lower edge
 * in the stratum from 0.1 on, and 0.3 and more. A candidate of which one reply is neither yes nor no is left out.
 */
final class AuditStage implements Stage {
    private static final int N = 200;
    private static final int THIRDS = 3;
    private static final List<String> STRATA = List.of("failed top rank", "0-0.1", "0.1-0.2", "0.2-0.3", ">= 0.3");
    private static final List<Double> EDGES = List.of(0.1, 0.2, 0.3);

    private final Fields settings;
    private final PromptedModel model;
    private final Segments segments;
    private final int n;

    AuditStage(Fields settings) {
        List<String> fields = new ArrayList<>(List.of("n", "seed"));
        fields.addAll(PromptedModel.FIELDS);
        fields.addAll(Segments.FIELDS);
        settings.refuseOthers(fields);
        this.settings = settings;
        this.model = PromptedModel.of(settings, "audit", List.of("question", "passage"));
        this.segments = Segments.of(settings, THIRDS);
        this.n = settings.positive("n", N);
    }

    /**
     * What was found in a stratum.
     *
     * @param candidates how many there are
     * @param audited how many of them were asked about and answered for
     * @param targetYes share of them whose own segment answers the question
     * @param distractorNo share of the other segments that do not: with two per candidate, both together can be rarer
     * @param exclusive share of them of which both hold, for all their segments
     */
    record Stratum(
            String margin, long candidates, int audited, double targetYes, double distractorNo, double exclusive) {}

    @Override
    public Set<String> needs() {
        return Set.of(Candidate.QUESTION, Candidate.MARGIN);
    }

    @Override
    public Object inputs(Workshop workshop) {
        return List.of(model.inputs(workshop), segments.inputs(workshop));
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        double audited = Math.min(before.candidates(), (double) n * STRATA.size());
        double tokens = workshop.inputSize().tokens() / THIRDS;
        return new Forecast(before.candidates(), model.estimate(audited * THIRDS, tokens, 1, workshop), 0);
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        long[] sizes = new long[STRATA.size()];
        long seed = workshop.seed(settings);
        List<BoundedDraw<Candidate>> draws = STRATA.stream()
                .map(stratum -> new BoundedDraw<Candidate>(seed, n))
                .toList();
        candidates.forEachLine(candidate -> {
            if (candidate.has(Candidate.MARGIN) && candidate.has(Candidate.QUESTION)) {
                int stratum = stratum(candidate.fields().number(Candidate.MARGIN));
                sizes[stratum]++;
                draws.get(stratum).add(candidate.id(), candidate);
            }
        });
        List<Stratum> found = new ArrayList<>();
        for (int i = 0; i < STRATA.size(); i++) {
            found.add(audit(STRATA.get(i), sizes[i], draws.get(i).drawn(), workshop));
        }
        out.note("strata", found);
        candidates.forEach(out::keep);
    }

    static int stratum(double margin) {
        return margin <= 0
                ? 0
                : 1 + (int) EDGES.stream().filter(edge -> margin >= edge).count();
    }

    private Stratum audit(String name, long size, List<Candidate> drawn, Workshop workshop) {
        List<Map<String, String>> slots = new ArrayList<>();
        List<Integer> targets = new ArrayList<>();
        for (Candidate candidate : drawn) {
            List<String> texts = segments.texts(workshop.documents().text(candidate.document()), workshop);
            if (!texts.isEmpty()) {
                texts.forEach(
                        text -> slots.add(Map.of("question", candidate.text(Candidate.QUESTION), "passage", text)));
                targets.add(Candidate.POSITIONS.indexOf(candidate
                        .fields()
                        .text(Candidate.POSITION, candidate.fields().text(Candidate.TARGET, ""))));
            }
        }
        List<Answer<Boolean>> answers = model.ask(slots, ModelReplies::yes, workshop);
        Tally tally = new Tally();
        for (int i = 0; i < targets.size(); i++) {
            tally.add(targets.get(i), answers.subList(i * THIRDS, (i + 1) * THIRDS));
        }
        return new Stratum(
                name,
                size,
                tally.audited,
                tally.share(tally.yes, 1),
                tally.share(tally.no, 2),
                tally.share(tally.both, 1));
    }

    /** Counts of one stratum. */
    private static final class Tally {
        private int audited;
        private int yes;
        private int no;
        private int both;

        void add(int target, List<Answer<Boolean>> answers) {
            if (target < 0 || answers.stream().anyMatch(answer -> answer.value().isEmpty())) {
                return;
            }
            audited++;
            boolean own = answers.get(target).value().orElseThrow();
            int others = (int) answers.stream()
                            .filter(answer -> !answer.value().orElseThrow())
                            .count()
                    - (own ? 0 : 1);
            yes += own ? 1 : 0;
            no += others;
            both += own && others == THIRDS - 1 ? 1 : 0;
        }

        /** Rounded to four digits, for reading. */
        double share(int count, int each) {
            return audited == 0
                    ? 0
                    : Double.parseDouble(String.format(Locale.ROOT, "%.4f", count / (double) (audited * each)));
        }
    }
}
