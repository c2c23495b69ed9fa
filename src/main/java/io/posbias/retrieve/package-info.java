/**
 * From queries to rankings: the retrievers, the recipes that configure them; files of runs are in the part {@code trec}. Other people's jars can
 * bring a retriever through {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.posbias.retrieve;

import org.jspecify.annotations.NullMarked;
