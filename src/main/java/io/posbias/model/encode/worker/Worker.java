package io.posbias.model.encode.worker;

import io.posbias.base.files.Staging;
import io.posbias.base.process.ChildProcess;
import io.posbias.base.process.Closing;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A process that answers one request at a time. It is ended when this is closed, and when posbias ends. */
final class Worker implements AutoCloseable {
    /** A worker is a program of the user's, but keys of services are not its business. */
    private static final String KEY = ".*API_KEY.*";

    private final String name;
    private final WorkerSettings settings;
    private final ChildProcess process;
    private final ExecutorService pipes;
    private final WorkerModel model;

    /** Why it ended; every later request fails with it. */
    private @Nullable RuntimeException end;

    private Worker(String name, WorkerSettings settings, ChildProcess process, Engine engine) {
        this.name = name;
        this.settings = settings;
        this.process = process;
        this.pipes = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("posbias-worker-pipes").factory());
        this.model = Closing.onFailure(() -> hello(engine), this::close);
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
            return new Worker(name, settings, ChildProcess.start(builder, scratch::close, session.shutdown()), engine);
        } catch (IOException missing) {
            throw new PosbiasException(name + ": cannot start " + command.getFirst() + " (is it installed?)", missing);
        }
    }

    /** Starts a worker on another thread, for the next {@link #started} with the same arguments. */
    static void startEarly(String name, WorkerSettings settings, int number, Engine engine) {
        Map<String, Object> made = engine.session().made();
        String key = key(name, settings, number, engine);
        if (!made.containsKey(key)) {
            made.put(key, Parallel.later("posbias-worker-start", () -> start(name, settings, number, engine)));
        }
    }

    /** Returns the worker that was started early, or starts one. */
    static Worker started(String name, WorkerSettings settings, int number, Engine engine) {
        return engine.session().made().remove(key(name, settings, number, engine)) instanceof Future<?> early
                ? (Worker) Parallel.await(early)
                : start(name, settings, number, engine);
    }

    private static String key(String name, WorkerSettings settings, int number, Engine engine) {
        return "worker " + List.of(name, settings, number, engine.device(), engine.threads());
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
     * Sends a request and waits for its answer; requests of several threads go one after another.
     *
     * @throws PosbiasException if the worker refuses, ends, answers too late or with something else
     */
    Frame ask(Map<String, ?> header) {
        return ask(Frame.of(header));
    }

    private synchronized Frame ask(byte[] request) {
        if (end != null) {
            throw end;
        }
        Future<Frame> exchange = pipes.submit(() -> exchange(request));
        // What a worker wrote before its end is read, but a child may hold its pipes open.
        int[] looks = {ChildProcess.ENDING_MILLIS / Parallel.LOOK_MILLIS};
        Frame answer;
        try {
            answer = Parallel.await(
                    exchange, Duration.ofSeconds(settings.timeout()), () -> process.isAlive() || looks[0]-- > 0);
        } catch (TimeoutException silent) {
            throw ended(
                    process.isAlive()
                            ? "it gave no answer for " + settings.timeout()
                                    + " seconds ('timeout' in the recipe sets more)"
                            : reason());
        } catch (ExecutionException broken) {
            if (broken.getCause() instanceof IOException gone) {
                throw ended(gone instanceof Frame.WrongFrameException wrong ? Printable.of(wrong.reason()) : reason());
            }
            try {
                return Parallel.await(exchange);
            } catch (RuntimeException cause) {
                end = cause;
                throw cause;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ended("interrupted");
        }
        JsonNode error = answer.header().path("error");
        if (!error.isMissingNode() && !error.isNull() && !error.asString(" ").isEmpty()) {
            throw failed(Printable.of(error.asString(error.toString())));
        }
        return answer;
    }

    private Frame exchange(byte[] request) throws IOException {
        if (process.from().available() > 0) {
            // An answer too many would be taken for the next one.
            throw new Frame.WrongFrameException("it wrote to standard output before it was asked");
        }
        process.to().write(request);
        process.to().flush();
        return Frame.read(process.from());
    }

    PosbiasException failed(String reason) {
        return new PosbiasException(name + ": worker " + settings.command().getFirst() + ": " + reason);
    }

    private PosbiasException ended(String reason) {
        PosbiasException why = failed(reason);
        end = why;
        process.kill();
        return why;
    }

    /** Puts the end in words; the last line of a traceback names the error. */
    private String reason() {
        String end = process.end(code -> "it ended with exit code " + code);
        List<String> errors = process.errors();
        return errors.isEmpty()
                ? end
                : end + ": " + Printable.cut(errors.getLast().strip());
    }

    @Override
    public void close() {
        pipes.shutdownNow();
        process.close();
    }
}
