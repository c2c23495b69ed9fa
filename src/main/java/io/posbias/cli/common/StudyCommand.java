package io.posbias.cli.common;

import io.posbias.base.plot.Pictures;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.run.DiagnosisRunner;
import java.util.List;
import java.util.Map;

/** Base of commands that run a diagnosis. */
public abstract class StudyCommand extends BaseCommand {
    /**
     * Runs a diagnosis; writes, prints and draws the findings.
     *
     * @return findings by model
     */
    public final <F> Map<String, F> runDiagnosis(
            Diagnosis<?, F> diagnosis, List<Recipe> recipes, Engine engine, OutputOptions output, PlotOptions plots) {
        DiagnosisRunner.Findings<F> findings = new DiagnosisRunner(engine, output.folders()).run(diagnosis, recipes);
        Map<String, F> found = findings.byModel();
        print(output.text(
                () -> diagnosis.printed(found, findings.documents()),
                () -> diagnosis.tables(found),
                () -> diagnosis.raw(found),
                session()));
        plots.draw(session(), () -> Pictures.named(diagnosis.figures(found)));
        return found;
    }
}
