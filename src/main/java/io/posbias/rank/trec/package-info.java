/** Run files: TREC's format and pytrec_eval's JSON. */
@NullMarked
package io.posbias.rank.trec;

import org.jspecify.annotations.NullMarked;
