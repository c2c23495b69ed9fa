/** One question, one answer: does a model lose answers because of where they stand in the user's documents? */
@NullMarked
package io.posbias.run.check;

import org.jspecify.annotations.NullMarked;
