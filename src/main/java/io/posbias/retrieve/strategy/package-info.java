/**
 * Retrieval strategies: recipes that wrap a recipe to reduce position bias. A strategy implements {@link
 * io.posbias.retrieve.strategy.Strategy} and is named in {@code META-INF/services}.
 */
@NullMarked
package io.posbias.retrieve.strategy;

import org.jspecify.annotations.NullMarked;
