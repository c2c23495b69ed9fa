package io.posbias.cli.common;

import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.score.evaluate.Datasets;
import io.posbias.score.evaluate.Diagnosis;
import io.posbias.score.evaluate.DiagnosisRunner;
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

/** Base of all commands: session, stdout and checks of options. */
public abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    protected void work() {}

    @Override
    public Integer call() {
        work();
        return ExitCode.OK;
    }

    public Session session() {
        return ((BaseCommand) spec.root().userObject()).session();
    }

    protected final CommandSpec spec() {
        return spec;
    }

    /** Opens a benchmark, a folder or a name, which is downloaded first if necessary. */
    public final Dataset dataset(String nameOrFolder) {
        Path folder = new Datasets(session()).folder(nameOrFolder);
        return session().step("load " + nameOrFolder, () -> DatasetReader.open(folder));
    }

    /** Prints a line to stdout, {@linkplain Printable#of escaped}. */
    protected final void printLine(String line) {
        print(Printable.of(line) + "\n");
    }

    protected final void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

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
                () -> Json.toBytes(diagnosis.printed(found, findings.documents())),
                () -> diagnosis.tables(found),
                () -> diagnosis.raw(found),
                session()));
        plots.draw(session(), () -> Pictures.named(diagnosis.figures(found)));
        return found;
    }

    /** Prints a line to stderr. */
    protected final void say(String line) {
        session().say(line);
    }

    public static void refuse(boolean wrong, String message) {
        if (wrong) {
            throw new UsageException(message);
        }
    }

    /** Checks that a confidence is between 0 and 1. */
    public static void confidence(@Nullable Double value) {
        refuse(value != null && !(value > 0 && value < 1), "--confidence must be between 0 and 1, not " + value);
    }

    public static void isFile(String option, Path file) {
        refuse(!Files.isRegularFile(file), option + " " + file + ": file not found");
    }

    /** Refuses an output folder that cannot be written, before costly work. */
    public static void isWritable(String option, @Nullable Path folder) {
        if (folder != null) {
            refuse(Files.exists(folder) && !Files.isDirectory(folder), option + " " + folder + " is a file");
            Staging.checkFolder(folder);
        }
    }

    /**
     * Refuses an output folder with foreign files, or with files of this kind unless {@code overwrite}.
     *
     * @param isPart true for files that may be replaced, by their path in the folder
     * @param what noun for these files
     * @param it its pronoun
     */
    public static void replaceable(Path folder, boolean overwrite, Predicate<Path> isPart, String what, String it) {
        isWritable("--out", folder);
        if (!Files.exists(folder)) {
            return;
        }
        DatasetFiles.first(folder, isPart.negate()).ifPresent(foreign -> {
            throw new UsageException("--out " + folder + " holds " + foreign + ", which does not belong to " + what
                    + ": give a new folder");
        });
        refuse(
                !overwrite && DatasetFiles.first(folder, isPart).isPresent(),
                "--out " + folder + " holds " + what + ": use --overwrite to replace " + it);
    }
}
