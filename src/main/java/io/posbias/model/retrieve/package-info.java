/**
 * From queries to rankings: retrievers and their recipes. Another jar can add a retriever through {@link
 * java.util.ServiceLoader}.
 */
@NullMarked
package io.posbias.model.retrieve;

import org.jspecify.annotations.NullMarked;
