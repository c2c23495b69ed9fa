/** Models in another process, such as PyTorch's in Python: docs/worker.md has the protocol. */
@NullMarked
package io.posbias.encode.worker;

import org.jspecify.annotations.NullMarked;
