/** Models in another process, for example PyTorch's in Python: docs/worker.md has the protocol. */
@NullMarked
package io.posbias.model.encode.worker;

import org.jspecify.annotations.NullMarked;
