package io.posbias.experiment;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.Plural;
import io.posbias.PosbiasException;
import io.posbias.Session;
import io.posbias.Staging;
import io.posbias.UsageException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Runs the command lines of an experiment that are not finished, in this process. */
public final class Steps {
    /** What takes command lines, without {@code posbias} before them. */
    public interface Commands {
        /**
         * Looks at the words of one.
         *
         * @throws UsageException if there is no such command, or it does not take them
         */
        void check(List<String> words);

        /**
         * Runs one.
         *
         * @param out takes its stdout
         * @return its exit code
         */
        int run(List<String> words, Writer out);
    }

    private final Path record;
    private final Function<String, Path> tables;
    private final Session session;
    private final Commands commands;
    private final TreeMap<String, String> made = new TreeMap<>();

    /**
     * @param record the file that says which command line made what
     * @param tables where a table goes, by its name
     * @param commands runs a step's words
     */
    public Steps(Path record, Function<String, Path> tables, Session session, Commands commands) {
        this.record = record;
        this.tables = tables;
        this.session = session;
        this.commands = commands;
        readRecord();
    }

    private void readRecord() {
        if (Files.isRegularFile(record)) {
            Json.readJson(record).toMap().forEach((key, words) -> made.put(key, String.valueOf(words)));
        }
    }

    /** Refuses command lines that posbias does not take, before any runs. */
    public void check(List<Step> steps) {
        for (Step step : steps) {
            try {
                commands.check(step.words());
            } catch (UsageException wrong) {
                throw new UsageException("the experiment's step '" + line(step) + "': " + wrong.line());
            }
        }
    }

    private static String line(Step step) {
        return "posbias " + String.join(" ", step.words());
    }

    /** What is there when a step is finished. */
    public Path product(Step step) {
        return step.prints().isEmpty() ? Path.of(step.makes()) : tables.apply(step.prints());
    }

    /**
     * Whether a step is finished.
     *
     * @throws PosbiasException if what it makes is there, made by another command line
     */
    public boolean isFinished(Step step) {
        Path product = product(step);
        if (!Files.exists(product)) {
            return false;
        }
        String earlier = made.get(product.toString());
        if (earlier != null && !earlier.equals(line(step))) {
            throw new PosbiasException(product + " was made by '" + earlier + "', and the experiment now says '"
                    + line(step) + "'; give another --results, or delete it");
        }
        return true;
    }

    /**
     * Runs those that are not finished, one after another; the first that fails ends it. Where another process runs steps of
     * the experiment, waits for it and takes what it made.
     */
    public void run(List<Step> steps) {
        if (left(steps) > 0) {
            OneProcess.at("the experiment's steps", record.resolveSibling("steps.lock"), session, () -> {
                readRecord();
                runLeft(steps);
            });
        }
    }

    private long left(List<Step> steps) {
        return steps.stream().filter(step -> !isFinished(step)).count();
    }

    private void runLeft(List<Step> steps) {
        session.say(Plural.of(left(steps), "step") + " of " + steps.size() + " to do");
        for (Step step : steps) {
            if (!isFinished(step)) {
                session.say(line(step));
                execute(step);
                made.put(product(step).toString(), line(step));
                Staging.writeFile(record, new String(Json.toBytes(made), StandardCharsets.UTF_8));
            }
        }
    }

    private void execute(Step step) {
        StringWriter printed = new StringWriter();
        int code = commands.run(step.words(), printed);
        if (code != ExitCode.OK) {
            throw new PosbiasException("the step '" + line(step) + "' ended with exit code " + code);
        }
        if (!step.prints().isEmpty()) {
            Staging.writeFile(product(step), printed.toString());
            session.say("table in " + product(step));
        }
    }
}
