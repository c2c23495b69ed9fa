package io.posbias.model.scale.spark;

import org.apache.spark.broadcast.Broadcast;
import io.posbias.model.encode.Workers;
import java.io.Serializable;
import scala.Function1;
import scala.collection.Iterator;

/** One block in an executor. */
record Task<R extends Serializable>(Broadcast<Executor> worker)
        implements Function1<Iterator<Workers.Block<R>>, R>, Serializable {
    @Override
    public R apply(Iterator<Workers.Block<R>> blocks) {
        return worker.value().run(blocks.next());
    }
}
