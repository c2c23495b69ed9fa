/** Answers of a language model to the documents that retrievers prefer. */
@NullMarked
package io.posbias.study.probe.rag;

import org.jspecify.annotations.NullMarked;
