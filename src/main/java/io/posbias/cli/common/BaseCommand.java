package io.posbias.cli.common;

import io.posbias.base.files.Pointers;
import io.posbias.base.files.Staging;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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

    /** Prints a line to stdout, {@linkplain Printable#of escaped}. */
    protected final void printLine(String line) {
        print(Printable.of(line) + "\n");
    }

    protected final void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

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
        refuse(!Pointers.isFile(file), option + " " + file + ": file not found");
    }

    /** Refuses an output folder that cannot be written, before costly work. */
    public static void isWritable(String option, @Nullable Path folder) {
        if (folder != null) {
            refuse(Files.exists(folder) && !Files.isDirectory(folder), option + " " + folder + " is a file");
            Staging.checkFolder(folder);
        }
    }
}
