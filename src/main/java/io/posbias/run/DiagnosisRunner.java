package io.posbias.run;

import io.posbias.base.process.Session;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.ModelFolders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs a diagnosis for one model after another: reads earlier scores, or downloads and runs the model; then writes the
 * findings.
 */
public record DiagnosisRunner(Engine engine, ModelFolders folders) {
    /**
     * @param byModel in the order of the models
     * @param documents content of each result.json
     */
    public record Findings<F>(Map<String, F> byModel, List<Object> documents) {}

    public <S, F> Findings<F> run(Diagnosis<S, F> diagnosis, List<Recipe> recipes) {
        Findings<F> findings = new Findings<>(new LinkedHashMap<>(), new ArrayList<>());
        for (Recipe recipe : recipes) {
            ModelStore store = new ModelStore(engine.session());
            EvaluatedModel model =
                    diagnosis.looksInside() ? store.identifiedInside(recipe, engine) : store.identified(recipe);
            S scores = known(diagnosis, model, recipe);
            F found = diagnosis.find(scores, findings.byModel);
            Object document = diagnosis.document(model, found);
            folders.write(model.name(), () -> document, () -> diagnosis.scores(scores), engine.session());
            findings.byModel.put(model.name(), found);
            findings.documents.add(document);
        }
        return findings;
    }

    private <S> S known(Diagnosis<S, ?> diagnosis, EvaluatedModel model, Recipe recipe) {
        S known = folders.earlier(model.name())
                .flatMap(folder -> diagnosis.known(model, folder))
                .orElse(null);
        if (known == null) {
            return score(diagnosis, recipe);
        }
        engine.say(model.name() + ": scored before, see " + folders.of(model.name()) + " (--overwrite scores again)");
        return known;
    }

    private <S> S score(Diagnosis<S, ?> diagnosis, Recipe recipe) {
        if (!diagnosis.looksInside()) {
            new ModelStore(engine.session()).require(recipe);
        }
        return timed(recipe, engine, scores -> diagnosis.work(), () -> diagnosis.score(recipe, engine));
    }

    /**
     * Runs a model and says how long it took.
     *
     * @param work what was done, by its result; without a message if it is empty
     */
    public static <T> T timed(Recipe recipe, Engine engine, Function<T, String> work, Supplier<T> run) {
        Session.Timed<T> timed = engine.session().time(run);
        String done = work.apply(timed.result());
        if (!done.isEmpty()) {
            engine.say(String.format(Locale.ROOT, "%s on %s, %.1f s", recipe.name(), done, timed.seconds()));
        }
        return timed.result();
    }
}
