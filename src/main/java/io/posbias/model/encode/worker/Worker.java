package io.posbias.model.encode.worker;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/** A process that answers one request at a time. It is ended when this is closed, and when posbias ends. */
final class Worker implements AutoCloseable {
    /** A worker is a program of the user's, but keys of services are not its business. */
    private static final String KEY = ".*API_KEY.*";

    private static final int LINES = 40;
    private static final int LINE = 4_096;
    private static final int ENDING_MILLIS = 2_000;

    private final String name;
    private final WorkerSettings settings;
    private final Process process;
    private final Staging scratch;
    private final OutputStream to;
    private final InputStream from;
    private final Deque<String> errors = new ArrayDeque<>();
    private final Thread reader;
    private final ExecutorService pipes;
    private final WorkerModel model;
    private final Shutdown shutdown;
    private volatile boolean ended;

    private Worker(String name, WorkerSettings settings, Process process, Staging scratch, Engine engine) {
        this.name = name;
        this.settings = settings;
        this.process = process;
        this.scratch = scratch;
        this.to = new BufferedOutputStream(process.getOutputStream());
        this.from = new BufferedInputStream(process.getInputStream());
        this.reader = Thread.ofPlatform().daemon().name("posbias-worker-errors").start(this::readErrors);
        this.pipes = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("posbias-worker-pipes").factory());
        this.shutdown = engine.session().shutdown();
        shutdown.close(this);
        try {
            this.model = hello(engine);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /**
     * Starts a worker and waits until its model is loaded.
     *
     * @param name of the model, for messages
     * @param number from 0 to the number of workers - 1
     * @throws PosbiasException if it cannot be started or is not what the recipe says
     */
    static Worker start(String name, WorkerSettings settings, int number, Engine engine) {
        Session session = engine.session();
        settings.command().forEach(Session::checked);
        Staging scratch = Staging.temporary("worker", session.shutdown());
        List<String> command =
                settings.started(session.variable("POSBIAS_PYTHON").orElse(null), scratch.folder());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.matches(KEY));
        builder.environment().put("POSBIAS_WORKER", String.valueOf(number));
        try {
            return new Worker(name, settings, builder.start(), scratch, engine);
        } catch (IOException missing) {
            scratch.close();
            throw new PosbiasException(name + ": cannot start " + command.getFirst() + " (is it installed?)", missing);
        }
    }

    private WorkerModel hello(Engine engine) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("do", "start");
        header.put("protocol", WorkerModel.PROTOCOL);
        header.put("gives", Suggestions.word(settings.gives()));
        header.put("device", engine.device().toString());
        header.put("threads", Math.max(1, engine.threads() / settings.workers()));
        Frame answer = ask(header);
        try {
            return WorkerModel.of(answer.header(), settings.gives());
        } catch (Frame.WrongFrameException wrong) {
            throw failed(wrong.reason());
        }
    }

    WorkerModel model() {
        return model;
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @throws PosbiasException if the worker refuses, ends, answers too late or with something else
     */
    synchronized Frame ask(Map<String, ?> header) {
        if (ended) {
            throw failed("it has ended");
        }
        Future<Frame> exchange = pipes.submit(() -> exchange(header));
        // What a worker wrote before its end is read, but a child may hold its pipes open.
        int[] looks = {ENDING_MILLIS / Parallel.LOOK_MILLIS};
        try {
            Frame answer = Parallel.await(
                    exchange, Duration.ofSeconds(settings.timeout()), () -> process.isAlive() || looks[0]-- > 0);
            JsonNode error = answer.header().path("error");
            if (!error.isMissingNode()
                    && !error.isNull()
                    && !error.asString(" ").isEmpty()) {
                throw failed(Printable.of(error.asString(error.toString())));
            }
            return answer;
        } catch (TimeoutException silent) {
            ended = true;
            String late =
                    "it gave no answer for " + settings.timeout() + " seconds ('timeout' in the recipe sets more)";
            String reason = process.isAlive() ? late : reason();
            end();
            throw failed(reason);
        } catch (ExecutionException broken) {
            ended = true;
            if (!(broken.getCause() instanceof IOException gone)) {
                return Parallel.await(exchange);
            }
            throw failed(gone instanceof Frame.WrongFrameException wrong ? Printable.of(wrong.reason()) : reason());
        } catch (InterruptedException stopped) {
            ended = true;
            Thread.currentThread().interrupt();
            throw failed("interrupted");
        }
    }

    private Frame exchange(Map<String, ?> header) throws IOException {
        if (from.available() > 0) {
            // An answer too many would be taken for the next one.
            throw new Frame.WrongFrameException("it wrote to standard output before it was asked");
        }
        Frame.write(to, header);
        return Frame.read(from);
    }

    PosbiasException failed(String reason) {
        return new PosbiasException(name + ": worker " + settings.command().getFirst() + ": " + reason);
    }

    private String reason() {
        try {
            boolean over = process.waitFor(ENDING_MILLIS, TimeUnit.MILLISECONDS);
            reader.join(ENDING_MILLIS);
            String last = lastLine();
            return (over ? "it ended with exit code " + process.exitValue() : "it closed its standard output")
                    + (last.isEmpty() ? "" : ": " + last);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void readErrors() {
        try (Reader read =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            int letter;
            while ((letter = read.read()) >= 0) {
                if (letter == '\n' || letter == '\r') {
                    keep(line.toString());
                    line.setLength(0);
                } else if (line.length() < LINE) {
                    // The rest of a longer line is left out: a line may never end.
                    line.append((char) letter);
                }
            }
            keep(line.toString());
        } catch (IOException closed) {
            // The process has ended.
        }
    }

    private void keep(String line) {
        synchronized (errors) {
            if (!line.isBlank()) {
                errors.add(line);
            }
            if (errors.size() > LINES) {
                errors.remove();
            }
        }
    }

    /** The last line of a traceback names the error. */
    private String lastLine() {
        synchronized (errors) {
            String last = errors.peekLast();
            return last == null ? "" : Printable.cut(last.strip());
        }
    }

    private void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Ends the process: a worker ends by itself when its standard input does, and is killed after 2 seconds. */
    @Override
    public void close() {
        pipes.shutdownNow();
        try {
            // One that takes no more requests would hold this up.
            if (!ended && !shutdown.isUnderWay()) {
                to.close();
                process.waitFor(ENDING_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (IOException gone) {
            // It has ended already.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        end();
        // One that was killed still holds its files for a moment.
        process.onExit()
                .completeOnTimeout(process, ENDING_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        scratch.close();
        shutdown.forget(this);
    }
}
