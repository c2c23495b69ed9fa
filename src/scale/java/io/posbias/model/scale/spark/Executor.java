package io.posbias.model.scale.spark;

import io.posbias.model.encode.Engine;
import io.posbias.model.encode.LastModel;
import io.posbias.model.encode.Workers;
import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Engine and model that a process of Spark keeps from block to block. It is broadcast, so all tasks of a process share one. */
final class Executor implements Serializable, AutoCloseable {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Worker worker;
    private transient @Nullable Engine engine;
    private transient @Nullable LastModel last;

    Executor(Worker worker) {
        this.worker = worker;
    }

    <R extends Serializable> R run(Workers.Block<R> block) {
        Engine own;
        LastModel model;
        synchronized (this) {
            own = engine == null ? begun() : engine;
            model = last == null ? new LastModel() : last;
            engine = own;
            last = model;
        }
        return block.run(own, model);
    }

    /** Spark may forget what it can send again; what is to be closed at the end of the process stays. */
    private Engine begun() {
        Engine begun = worker.engine();
        begun.session().shutdown().close(this);
        return begun;
    }

    @Override
    public synchronized void close() {
        if (last != null) {
            last.close();
        }
        if (engine != null) {
            engine.session().shutdown().forget(this);
        }
    }
}
