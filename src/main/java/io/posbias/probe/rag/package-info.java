/** Answers of a language model to the documents that retrievers prefer. */
@NullMarked
package io.posbias.probe.rag;

import org.jspecify.annotations.NullMarked;
