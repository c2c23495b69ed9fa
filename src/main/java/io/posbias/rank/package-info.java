/** What searches return: rankings, runs, ties, truncations and the report of a search. */
@NullMarked
package io.posbias.rank;

import org.jspecify.annotations.NullMarked;
