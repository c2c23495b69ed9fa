package io.posbias.cli;

import io.posbias.base.files.Staging;
import io.posbias.base.net.Http;
import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import io.posbias.base.process.UsageException;
import io.posbias.base.process.Version;
import io.posbias.cli.common.ProgressLines;
import io.posbias.cli.common.Terminal;
import io.posbias.fetch.jars.JavaErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out), Terminal::isPiped);
        System.setOut(utf8(out));
        System.setErr(utf8(new FileOutputStream(FileDescriptor.err)));
        int code = run(arguments, out);
        System.exit(out.exitCode(code, System.err::println));
    }

    private static int run(String[] arguments, StandardOutput out) {
        // Answered before anything is loaded: scripts call it to check whether posbias is installed.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println("posbias " + Version.text());
            return ExitCode.OK;
        }
        JavaErrors.load();
        ProgressLines lines = Terminal.progress(System.err::print);
        out.beforeWriting(lines::clear);
        Shutdown shutdown = new Shutdown();
        // Later messages would only report deleted files.
        shutdown.began(line -> lines.last("posbias: " + line));
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> System.exit(failed(failure, shutdown)));
        try {
            Stream.concat(Stream.of(arguments), Stream.of(System.getProperty("user.dir")))
                    .forEach(Session::checked);
            Session session = Terminal.session(lines, shutdown);
            Http.useProxies(session.environment());
            Session.narrowEncoding()
                    .ifPresent(encoding -> lines.say("note: names of files are read as " + encoding
                            + ", the locale's encoding: set LC_ALL=C.UTF-8 if they have other characters"));
            Terminal.endWithParent();
            Staging.clearTemporary();
            return PosbiasCommand.commandLine(session, List.of(arguments)).execute(arguments);
        } catch (UsageException refused) {
            System.err.println("posbias: " + refused.line());
            return refused.exitCode();
        } catch (Error failure) {
            return failed(failure, shutdown);
        } finally {
            shutdown.ended();
        }
    }

    private static int failed(Throwable failure, Shutdown shutdown) {
        shutdown.ended();
        Optional<PosbiasException> known = JavaErrors.explain(failure);
        if (known.isPresent()) {
            System.err.println("posbias: " + known.get().line());
        } else {
            failure.printStackTrace();
        }
        return ExitCode.FAILURE;
    }

    /** UTF-8 in any locale: tables contain names in every script. */
    private static PrintStream utf8(OutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }
}
