package io.posbias.build;

import io.posbias.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Questions on parts of documents or on whole documents: step 4 of FineWeb-PosQ (arXiv:2505.13950, appendix B.2), the
 * candidates of PosIR (arXiv:2601.08363, section 2), the queries of position-controlled training sets (arXiv:2605.26578).
 * Settings:
 *
 * <ul>
 *   <li>{@code model}: the role that is asked
 *   <li>{@code prompt}: with {@code {part}} and {@code {summary}}, {@code questions-part} unless it is said; of documents with
 *       {@code {document}} and {@code {third}}, {@code questions-third} unless it is said
 *   <li>{@code of}: {@code part} (unless it is said), or {@code document}: the model reads the whole document and is told to
 *       ask about one of its thirds, drawn where the candidate has no {@code target}
 *   <li>{@code most}: questions per candidate, the first ones; all unless it is said
 *   <li>{@code without-model}: {@code extractive} takes questions from the text where nobody named the role
 *   <li>{@code seed} of the draw of thirds
 * </ul>
 *
 * <p>A reply that is no JSON list, or refuses, is asked for once more, then its candidate is dropped (the papers do not say;
 * ours). All complete questions of a reply are kept, whatever their type.
 */
final class AskStage implements Stage {
    private static final List<String> FIELDS = List.of("model", "prompt", "of", "most", "without-model", "seed");

    /** Who writes questions where there is no language model. */
    private static final Map<String, Function<Fields, QuestionWriter>> WITHOUT_MODEL =
            Map.of("extractive", ExtractiveQuestions::new);

    private final String role;
    private final QuestionWriter model;
    private final Optional<QuestionWriter> other;

    AskStage(Fields settings) {
        settings.refuseOthers(FIELDS);
        this.role = settings.text("model");
        this.model = ModelQuestions.of(settings);
        this.other = settings.has("without-model")
                ? Optional.ofNullable(WITHOUT_MODEL.get(settings.oneOf("without-model", "", WITHOUT_MODEL.keySet())))
                        .map(writer -> writer.apply(settings))
                : Optional.empty();
    }

    private QuestionWriter writer(Workshop workshop) {
        return workshop.role(role).isPresent() ? model : other.orElse(model);
    }

    @Override
    public Set<String> needs() {
        Set<String> needs = new HashSet<>(model.needs());
        other.ifPresent(writer -> needs.addAll(writer.needs()));
        return needs;
    }

    @Override
    public Set<String> makes() {
        Set<String> makes = new HashSet<>(model.makes());
        other.ifPresent(writer -> makes.retainAll(writer.makes()));
        makes.addAll(List.of(Candidate.QUESTION, Candidate.ANSWER, Candidate.TYPE));
        return makes;
    }

    @Override
    public Object inputs(Workshop workshop) {
        return writer(workshop).inputs(workshop);
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        return writer(workshop).forecast(before, workshop);
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        QuestionWriter writer = writer(workshop);
        candidates.forEachBatch(PromptedModel.BATCH, batch -> writer.write(batch, out, workshop));
    }
}
