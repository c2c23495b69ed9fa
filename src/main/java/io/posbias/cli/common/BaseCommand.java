package io.posbias.cli.common;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.Printable;
import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.DatasetReader;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.Diagnosis;
import io.posbias.evaluate.DiagnosisRunner;
import io.posbias.plot.Pictures;
import io.posbias.retrieve.Recipe;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command: what each has is the session it runs in, stdout, and what picocli does not check of options; there a value
 * that is null was not given.
 */
public abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Does all that was asked for, or throws; commands that may end otherwise replace {@link #call}. */
    protected void work() {}

    @Override
    public Integer call() {
        work();
        return ExitCode.OK;
    }

    /** The session of this run, which the command at the root knows. */
    public Session session() {
        return ((BaseCommand) spec.root().userObject()).session();
    }

    /** The command's model. */
    protected final CommandSpec spec() {
        return spec;
    }

    /** Opens a benchmark by its name, fetching it first if it is not here, or its folder. */
    public final Dataset dataset(String nameOrFolder) {
        Path folder = new Datasets(session()).folder(nameOrFolder);
        return session().step("load " + nameOrFolder, () -> DatasetReader.open(folder));
    }

    /** Prints a line to stdout, {@linkplain Printable#of safe to show}. */
    protected final void printLine(String line) {
        print(Printable.of(line) + "\n");
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
            Diagnosis<?, F> diagnosis, List<Recipe> recipes, Engine engine, OutputOptions output, PlotOptions plots) {
        DiagnosisRunner.Findings<F> findings = new DiagnosisRunner(engine, output.folders()).run(diagnosis, recipes);
        Map<String, F> found = findings.byModel();
        print(output.text(
                () -> Json.toBytes(diagnosis.printed(found, findings.documents())),
                () -> diagnosis.tables(found),
                () -> diagnosis.raw(found),
                session()));
        plots.draw(session(), () -> Pictures.named(diagnosis.figures(found)));
        return found;
    }

    /** Says a line on stderr at once, whatever becomes of the command. */
    protected final void say(String line) {
        session().say(line);
    }

    /** Refuses what cannot be carried out. */
    public static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new UsageException(message);
        }
    }

    /** Refuses what is no confidence. */
    public static void confidence(@Nullable Double value) {
        refuse(value != null && !(value > 0 && value < 1), "--confidence must be between 0 and 1, not " + value);
    }

    /** Refuses a file that is not there. */
    public static void isFile(String option, Path file) {
        refuse(!Files.isRegularFile(file), option + " " + file + ": no such file");
    }

    /** Refuses a file where a folder is to be. */
    public static void isNoFile(String option, @Nullable Path folder) {
        refuse(
                folder != null && Files.exists(folder) && !Files.isDirectory(folder),
                option + " " + folder + " is a file");
    }

    /**
     * Refuses a folder that holds what is not to be replaced: a mistyped folder with other things in it stays as it is.
     *
     * @param isPart tells what may be replaced, by its path in the folder
     * @param what what such files are, in words, and how a sentence calls it afterwards
     */
    public static void replaceable(Path folder, boolean overwrite, Predicate<Path> isPart, String what, String it) {
        if (!Files.exists(folder)) {
            return;
        }
        isNoFile("--out", folder);
        DatasetFiles.first(folder, isPart.negate()).ifPresent(foreign -> {
            throw new UsageException(
                    "--out " + folder + " holds " + foreign + ", which is no part of " + what + ": give a new folder");
        });
        refuse(
                !overwrite && DatasetFiles.first(folder, isPart).isPresent(),
                "--out " + folder + " holds " + what + ": use --overwrite to replace " + it);
    }
}
