package io.posbias.evaluate;

import io.posbias.encode.Engine;
import io.posbias.plot.Figure;
import io.posbias.result.EvaluatedModel;
import io.posbias.retrieve.Recipe;
import io.posbias.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One way to look at models: what is scored, what the scores say, and how that is written, printed and drawn.
 * {@link DiagnosisRunner} does the rest: it fetches models, reads earlier results again, takes the time and writes files.
 *
 * @param <S> scores of one model
 * @param <F> what they say
 */
public interface Diagnosis<S, F> {
    /**
     * What is scored, in the line that says how long it took, such as "demo: 600 items"; empty where the diagnosis says more
     * itself.
     */
    String work();

    /** Whether models are looked into, for which their weights must be here as well. */
    default boolean looksInside() {
        return false;
    }

    /** Scores with a model whose files are here. */
    S score(Recipe recipe, Engine engine);

    /**
     * The scores that an earlier run wrote of the same texts with the same model; empty where files do not tell that.
     *
     * @param folder with result.json and scores.csv
     * @throws io.posbias.PosbiasException if the files are of another model or of other texts
     */
    default Optional<S> known(EvaluatedModel model, Path folder) {
        return Optional.empty();
    }

    /**
     * What the scores say.
     *
     * @param earlier what those of the models before said, in their order
     */
    F find(S scores, Map<String, F> earlier);

    /** What result.json holds of a model: a record, whose components are the fields. */
    Object document(EvaluatedModel model, F found);

    /** What is printed as JSON of all models: a list of what their files hold unless told otherwise. */
    default Object printed(Map<String, F> found, List<Object> documents) {
        return documents;
    }

    /** What scores.csv holds of a model. */
    Table scores(S scores);

    /** Tables for people. */
    List<Table> tables(Map<String, F> found);

    /** All numbers in full precision as one table, for CSV. */
    Table raw(Map<String, F> found);

    /** Pictures; none where there is nothing to draw. */
    List<Figure> figures(Map<String, F> found);
}
