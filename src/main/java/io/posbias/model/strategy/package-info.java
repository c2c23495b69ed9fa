/**
 * Retrieval strategies: recipes that wrap a recipe to reduce position bias. A strategy implements {@link
 * io.posbias.model.strategy.Strategy} and is named in {@code META-INF/services}.
 */
@NullMarked
package io.posbias.model.strategy;

import org.jspecify.annotations.NullMarked;
