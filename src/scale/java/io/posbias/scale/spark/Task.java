package io.posbias.scale.spark;

import io.posbias.encode.Workers;
import java.io.Serializable;
import org.apache.spark.broadcast.Broadcast;
import scala.Function1;
import scala.collection.Iterator;

/** One block in an executor. */
record Task<S extends Serializable, R extends Serializable>(Worker worker, Broadcast<S> shared)
        implements Function1<Iterator<Workers.Block<S, R>>, R>, Serializable {
    @Override
    public R apply(Iterator<Workers.Block<S, R>> blocks) {
        return blocks.next().run(shared.value(), worker.engine());
    }
}
