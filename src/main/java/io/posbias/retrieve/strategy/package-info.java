/**
 * Retrieval strategies: recipes that wrap a recipe, to lessen what the position of evidence does. A strategy is a {@link
 * io.posbias.retrieve.strategy.Strategy}, named in {@code META-INF/services}.
 */
@NullMarked
package io.posbias.retrieve.strategy;

import org.jspecify.annotations.NullMarked;
