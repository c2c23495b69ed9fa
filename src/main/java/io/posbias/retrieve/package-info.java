/**
 * From queries to rankings: the retrievers, the recipes that configure them, and TREC run files. Other people's jars can
 * bring a retriever through {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.posbias.retrieve;

import org.jspecify.annotations.NullMarked;
