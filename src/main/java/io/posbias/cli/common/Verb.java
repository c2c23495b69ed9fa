package io.posbias.cli.common;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.Session;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.Diagnosis;
import io.posbias.evaluate.DiagnosisRunner;
import io.posbias.plot.Pictures;
import io.posbias.retrieve.Recipe;
import io.posbias.table.Look;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command: what each has is the session it runs in, and stdout. */
public abstract class Verb implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The command at the root, which knows the session. */
    public interface Root {
        /** The session of this run. */
        Session session();
    }

    /** The session of a command's run. */
    public static Session session(CommandSpec spec) {
        return ((Root) spec.root().userObject()).session();
    }

    /** Does all that was asked for, or throws; commands that may end otherwise replace {@link #call}. */
    protected void work() {}

    @Override
    public Integer call() {
        work();
        return ExitCode.OK;
    }

    /** The session of this run. */
    public Session session() {
        return session(spec);
    }

    /** The command's model. */
    protected final CommandSpec spec() {
        return spec;
    }

    /** Opens a benchmark by its name, fetching it first if it is not here, or its folder. */
    public final Dataset dataset(String nameOrFolder) {
        return DatasetReader.open(new Datasets(session()).folder(nameOrFolder));
    }

    /** Prints a line to stdout. */
    protected final void printLine(String line) {
        print(line + "\n");
    }

    /** Prints to stdout. */
    protected final void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    /**
     * Looks at models, writes and prints what was found, and draws it if that was asked for.
     *
     * @return what was found, by model
     */
    public final <F> Map<String, F> look(
            Diagnosis<?, F> diagnosis,
            List<Recipe> recipes,
            Engine engine,
            OutputOptions output,
            FormatOption form,
            PlotOptions plots) {
        DiagnosisRunner.Findings<F> findings = new DiagnosisRunner(engine, output.folders()).run(diagnosis, recipes);
        Map<String, F> found = findings.byModel();
        print(form.text(
                () -> Json.toBytes(diagnosis.printed(found, findings.documents())),
                () -> diagnosis.tables(found),
                () -> diagnosis.raw(found),
                Look.PLAIN));
        plots.draw(session(), () -> Pictures.named(diagnosis.figures(found)));
        return found;
    }

    /** Says a line on stderr at once, whatever becomes of the command. */
    protected final void say(String line) {
        session().say(line);
    }
}
