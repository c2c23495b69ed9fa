/** Answers of a language model to the documents that retrievers prefer, and by the place of the evidence. */
@NullMarked
package io.posbias.study.probe.rag;

import org.jspecify.annotations.NullMarked;
