package io.posbias.cli.common;

import io.posbias.Json;
import io.posbias.Session;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Diagnosis;
import io.posbias.evaluate.DiagnosisRunner;
import io.posbias.plot.Pictures;
import io.posbias.retrieve.Recipe;
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

    /** The session of this run. */
    public Session session() {
        return session(spec);
    }

    /** The command's model. */
    protected final CommandSpec spec() {
        return spec;
    }

    /** Stdout. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Prints a line to stdout. */
    protected final void printLine(String line) {
        print(line + "\n");
    }

    /** Prints to stdout. */
    protected final void print(String text) {
        out().print(text);
        out().flush();
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
        form.print(
                out(),
                () -> Json.toBytes(diagnosis.printed(found, findings.documents())),
                diagnosis.tables(found),
                diagnosis.raw(found));
        plots.draw(session(), () -> Pictures.named(diagnosis.figures(found)));
        return found;
    }

    /** Says a line on stderr at once, whatever becomes of the command. */
    protected final void say(String line) {
        session().say(line);
    }
}
