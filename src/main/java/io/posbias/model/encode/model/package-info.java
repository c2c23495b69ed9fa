/** The kinds of model that a graph can be: one vector a text, a vector a token, a score a pair. */
@NullMarked
package io.posbias.model.encode.model;

import org.jspecify.annotations.NullMarked;
