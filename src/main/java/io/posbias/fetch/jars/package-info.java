/** Jars and native libraries that are found or fetched when they are needed. */
@NullMarked
package io.posbias.fetch.jars;

import org.jspecify.annotations.NullMarked;
