package io.posbias.run;

import io.posbias.base.plot.Figure;
import io.posbias.base.table.Table;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.score.result.EvaluatedModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Analysis of models: texts to score, findings, files, tables and figures. {@link DiagnosisRunner} downloads models,
 * reuses earlier scores, measures time and writes files.
 *
 * @param <S> scores of one model
 * @param <F> findings
 */
public interface Diagnosis<S, F> {
    /**
     * Returns the scored texts in the message with the time taken, for example "demo: 600 items"; empty for no
     * message.
     */
    default String work() {
        return "";
    }

    /** Returns true if the models' weights are required. */
    default boolean looksInside() {
        return false;
    }

    S score(Recipe recipe, Engine engine);

    /**
     * Reads the scores of an earlier run of this model on these texts; empty if the files do not record both.
     *
     * @param folder with result.json and scores.csv
     * @throws io.posbias.base.process.PosbiasException if the files belong to another model or other texts
     */
    default Optional<S> known(EvaluatedModel model, Path folder) {
        return Optional.empty();
    }

    /**
     * @param earlier findings of the previous models, in their order
     */
    F find(S scores, Map<String, F> earlier);

    Object document(EvaluatedModel model, F found);

    /** Returns the JSON output for all models. */
    default Object printed(Map<String, F> found, List<Object> documents) {
        return documents;
    }

    Table scores(S scores);

    List<Table> tables(Map<String, F> found);

    /** Returns all numbers in full precision as one table, for CSV. */
    Table raw(Map<String, F> found);

    List<Figure> figures(Map<String, F> found);
}
